// What the wall tells: how runs ended, what is announced, what a waveform looks like.
import { describe, expect, test } from 'vitest'
import type { LiveChange, LiveRun } from '../../../src/contract/live.js'
import { Announcer } from '../../../src/pages/wall/announcer.js'
import { Ends, ENDS_KEPT } from '../../../src/pages/wall/ends.js'
import { wavePath } from '../../../src/pages/wall/show/wave-path.js'
import { idleWords, inSentence } from '../../../src/pages/wall/words.js'
import { PageTime } from './page-time.js'
import { aRun } from './show-parts.js'

type Cause = 'replaced' | 'fade_done' | 'command' | 'decoder'

const told = (run: LiveRun, cause: Cause, message: string | null) => ({
  name: 'run' as const,
  data: {
    executionId: run.executionId, buttonId: run.buttonId, state: run.state, positionMs: 0,
    durationMs: 0, startMs: 0, endMs: null, endReason: run.endReason, cause, message,
  },
})
const change = (runs: LiveRun[], events: LiveChange['events']): LiveChange => ({
  kind: 'change', n: 1, at: 0, events, runs,
})

test('a button says what a press would play without', () => {
  const media = {
    missing: null, version: 'v1', type: 'video/mp4', notShown: null, video: null, audio: null,
  }
  const dmx = { loop: false, error: 'wash.json: the file is missing' }
  expect(idleWords({ media, dmx: null })).toBe('')
  expect(idleWords({ media, dmx: { ...dmx, error: null } })).toBe('')
  expect(idleWords({ media, dmx })).toBe('no lights')
  expect(idleWords({ media: { ...media, notShown: 'browsers do not show prores' }, dmx }))
    .toBe('no picture')
})

test.each([
  ['Tension', 'Tension'], ['', 'button without a title'], ['\u200B', 'button without a title'],
  ['\u200F', 'button without a title'], ['\u202A\u202C', 'button without a title'],
  ['שאלה!', '\u2068שאלה!\u2069'], ['\u200FQuiz', '\u2068\u200FQuiz\u2069'],
])('%j within a sentence is %j', (title, words) => {
  expect(inSentence(title)).toBe(words)
})

describe('ends', () => {
  test('a replaced run names what replaced it when its fade began', () => {
    const ends = new Ends()
    const fading = aRun({ state: 'fading_out' })
    const tension = aRun({ executionId: 'e2', title: 'Tension', order: 2 })
    ends.note(change([fading, tension], [told(fading, 'replaced', null)]), [fading, tension])
    const gone = aRun({ state: 'stopped', endReason: 'replaced' })
    const later = aRun({ executionId: 'e3', title: 'Later', order: 3 })
    // Its end is told as well, when others play already.
    const over = [told(gone, 'fade_done', null)]
    expect(ends.note(change([gone], over), [tension, later])).toBe(true)
    expect(ends.last[0]).toMatchObject({ title: 'Warm', end: { kind: 'replaced', by: 'Tension' } })
  })

  test('one that is cut names the latest of those that play, and not one that fades', () => {
    const ends = new Ends()
    const other = (title: string, order: number, more: Partial<LiveRun> = {}) =>
      aRun({ executionId: title, title, order, ...more })
    const gone = aRun({ state: 'stopped', endReason: 'replaced', order: 9 })
    ends.note(change([gone], [told(gone, 'replaced', null)]), [
      other('First', 2), other('Latest', 2), other('Early', 1),
      other('Fades', 8, { state: 'fading_out' }),
    ])
    expect(ends.last[0]?.end).toEqual({ kind: 'replaced', by: 'Latest' })
  })

  test('one that was kept in pause and came back names what replaced it in the end', () => {
    const ends = new Ends()
    const question = aRun({ executionId: 'e2', title: 'Question', order: 2 })
    const kept = aRun({ state: 'paused' })
    ends.note(change([kept], [told(kept, 'replaced', null)]), [kept, question])
    const back = aRun({ order: 3 })
    ends.note(change([back], [told(back, 'command', null)]), [back])
    const gone = aRun({ state: 'stopped', endReason: 'replaced', order: 3 })
    const finale = aRun({ executionId: 'e4', title: 'Finale', order: 4 })
    ends.note(change([gone], [told(gone, 'replaced', null)]), [finale])
    expect(ends.last[0]?.end).toEqual({ kind: 'replaced', by: 'Finale' })
  })

  test('a failure brings its reason, and only the last ones are kept', () => {
    const ends = new Ends()
    const failed = aRun({ state: 'failed', endReason: 'playback_error' })
    for (let i = 0; i < 10; i += 1) {
      ends.note(change([failed], [told(failed, 'decoder', 'no such file')]), [])
    }
    expect(ends.last).toHaveLength(ENDS_KEPT)
    expect(ends.last[0]?.end).toEqual({ kind: 'failed', message: 'no such file' })
    expect(ends.note(change([], []), [])).toBe(false)
  })
})

test('what is announced comes at most every two seconds, the newest of it', async () => {
  const time = new PageTime()
  const said: [number, string][] = []
  const announcer = new Announcer(time, (text) => said.push([time.now(), text]))
  for (const text of ['a', 'b', 'c', 'd', 'e']) announcer.announce(text)
  await time.pass(10_000)
  announcer.announce('f')
  expect(said).toEqual([[0, 'a'], [2_000, 'c. d. e'], [10_000, 'f']])
})

test('the same announced again is another text, which is read out; to the ear it is the same',
  async () => {
    const time = new PageTime()
    const said: string[] = []
    const announcer = new Announcer(time, (text) => said.push(text))
    for (let n = 0; n < 3; n += 1) {
      announcer.announce('Horn plays')
      await time.pass(3_000)
    }
    expect(said.map((text) => text.trim())).toEqual(['Horn plays', 'Horn plays', 'Horn plays'])
    expect([said[0] === said[1], said[1] === said[2]]).toEqual([false, false])
  })

describe('waves', () => {
  test('are drawn about their middle', () => {
    expect(wavePath(new Uint8Array([255, 0]))).toBe('M0 0.00L1 0.97L1 1.03L0 2.00Z')
  })
})
