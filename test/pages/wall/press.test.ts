// What a press does, state by state (docs/pages.md, "Pressing"), and the request that it is.
import { describe, expect, test } from 'vitest'
import { lookOf, type Look } from '../../../src/pages/wall/look.js'
import { pressOf, requestOf, stopOf } from '../../../src/pages/wall/press/press.js'
import { aButton, aRun, SILENT } from './show-parts.js'

const timeline = {
  dmxExecutionId: 'd1', buttonId: 'b1', title: 'Blue', sync: 'internal', at: 0, position: 0,
  moving: true,
  duration: 1, loop: false, lastDriftMs: null, worstDriftMs: null,
} as const
const on = (kind: 'starting' | 'playing' | 'pausing' | 'paused' | 'fading_out'): Look => ({
  kind, run: aRun({ state: kind }),
})
const sent = (command: object) => ({ kind: 'send', command: { buttonId: 'b1', ...command } })

describe('a press', () => {
  test.each([
    [{ kind: 'idle' } as const, sent({ kind: 'play', options: null })],
    [on('starting'), { kind: 'nothing' }],
    [on('playing'), sent({ kind: 'pause', executionId: 'e1', fadeMs: null })],
    [on('pausing'), sent({ kind: 'resume', executionId: 'e1', fadeMs: null })],
    [on('paused'), sent({ kind: 'resume', executionId: 'e1', fadeMs: null })],
    [on('fading_out'), sent({ kind: 'restart', options: null })],
    [{ kind: 'shown' } as const, sent({ kind: 'stop', executionId: null, fadeMs: null })],
    [{ kind: 'lit', timeline } as const, sent({ kind: 'stop', executionId: null, fadeMs: null })],
    [{ kind: 'missing', reason: 'no file', isThere: false } as const,
      { kind: 'tell', message: 'no file' }],
  ])('on %o', (look, press) => {
    expect(pressOf(aButton({}), look)).toEqual(press)
  })

  test('on one that plays does what the show says', () => {
    const press = (pressAgain: 'stop' | 'restart') =>
      pressOf(aButton({ pressAgain }), on('playing'))
    expect(press('stop')).toEqual(sent({ kind: 'stop', executionId: 'e1', fadeMs: null }))
    expect(press('restart')).toEqual(sent({ kind: 'restart', options: null }))
  })

  test('on a navigation button opens its playlist', () => {
    const button = aButton({ kind: 'navigation', target: 'p2' })
    expect(pressOf(button, { kind: 'idle' })).toEqual({ kind: 'open', playlistId: 'p2' })
  })

  test('with Shift stops what is on, and does nothing where nothing is', () => {
    const stop = sent({ kind: 'stop', executionId: 'e1', fadeMs: null })
    for (const state of ['starting', 'playing', 'pausing', 'paused', 'fading_out'] as const) {
      expect(stopOf(aButton({}), on(state))).toEqual(stop)
    }
    const stopAll = sent({ kind: 'stop', executionId: null, fadeMs: null })
    expect(stopOf(aButton({}), { kind: 'shown' })).toEqual(stopAll)
    expect(stopOf(aButton({}), { kind: 'lit', timeline })).toEqual(stopAll)
    const missing = { kind: 'missing', reason: 'no such file', isThere: false } as const
    for (const off of [{ kind: 'idle' } as const, missing]) {
      expect(stopOf(aButton({}), off)).toEqual({ kind: 'nothing' })
    }
  })
})

describe('what a button is', () => {
  test('its newest run', () => {
    const runs = [aRun({ state: 'fading_out' }), aRun({ executionId: 'e2', state: 'starting' })]
    expect(lookOf(aButton({}), { ...SILENT, runs })).toMatchObject({
      kind: 'starting', run: { executionId: 'e2' },
    })
  })

  test('before anything is known it is one that may be pressed, whatever its file', () => {
    expect(lookOf(aButton({ kind: 'dmx', dmx: null }), null)).toEqual({ kind: 'idle' })
  })

  test('an image that is shown, lights that run, a file that is not there', () => {
    const image = { buttonId: 'b1', title: 'Logo', at: 0 }
    expect(lookOf(aButton({ kind: 'image' }), { ...SILENT, image }).kind).toBe('shown')
    const dmx = { loop: false, error: null }
    const lit = lookOf(aButton({ kind: 'dmx', dmx }), { ...SILENT, timelines: [timeline] })
    expect(lit.kind).toBe('lit')
    // A run with lights is the run: its lights are no state of their own.
    expect(lookOf(aButton({ dmx }), { ...SILENT, timelines: [timeline] }).kind).toBe('idle')
    const media = {
      missing: 'no such file', version: null, type: null, notShown: null, video: null, audio: null,
    }
    expect(lookOf(aButton({ media }), SILENT))
      .toEqual({ kind: 'missing', reason: 'no such file', isThere: true })
  })
})

test.each([
  [{ kind: 'play', options: null }, '/buttons/b1/play', null],
  [{ kind: 'restart', options: { loop: true } }, '/buttons/b1/restart', { loop: true }],
  [{ kind: 'pause', executionId: 'e1', fadeMs: null }, '/buttons/b1/pause', { executionId: 'e1' }],
  [
    { kind: 'resume', executionId: 'e1', fadeMs: 0 }, '/buttons/b1/resume',
    { executionId: 'e1', fadeInMs: 0 },
  ],
  [
    { kind: 'pause', executionId: 'e1', fadeMs: 3_000 }, '/buttons/b1/pause',
    { executionId: 'e1', fadeOutMs: 3_000 },
  ],
  [
    { kind: 'stop', executionId: 'e1', fadeMs: 0 }, '/buttons/b1/stop',
    { executionId: 'e1', fadeOutMs: 0 },
  ],
  [{ kind: 'stop', executionId: null, fadeMs: 500 }, '/buttons/b1/stop', { fadeOutMs: 500 }],
] as const)('%o is sent as %s', (command, path, body) => {
  expect(requestOf({ buttonId: 'b1', ...command })).toEqual({ path, body })
})
