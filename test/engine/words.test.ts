// What the engine says to people: each refusal, each failure and each notice, word for word, with
// the thing that it is about.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { SWEPT_BY_PANIC } from '../../src/engine/commands/panic.js'
import type { TimelineRef } from '../../src/engine/catalogue.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { VirtualMedia } from '../../src/testing/media.js'
import { guid, ms, rig, slow, type ButtonSpec, type Rig } from '../rig.js'

const words = (r: Rig, command: Command): string => {
  const { reply } = r.ask(command)
  if (reply === null || reply.ok) throw new Error('it is not refused')
  return `${reply.refusal.code}: ${reply.refusal.message}`
}
const play = (r: Rig, n: number): Command =>
  ({ kind: 'play', buttonId: r.idOf(n), options: NO_OPTIONS })
const onRun = (kind: 'pause' | 'stop', buttonId: string, executionId: string): Command =>
  ({ kind, buttonId, executionId, fadeOutMs: null })
const resume = (buttonId: string, executionId: string): Command =>
  ({ kind: 'resume', buttonId, executionId, fadeInMs: null })
const sync = (r: Rig, n: number, executionId: string, sequence: number): Command => ({
  kind: 'sync', buttonId: r.idOf(n), executionId, sequence, positionMs: 0, isPlaying: true,
  forceSeek: false,
})
const timeline = (error: string | null): TimelineRef =>
  ({ timelineId: 't', loop: true, durationFrames: error === null ? frame(ms(500)) : null, error })

describe('a refusal', () => {
  it('of a start says which button it is, and why; never where its file lies', () => {
    const r = rig([{ buttons: [
      { title: 'Away', media: '/media/stick/beds/away.flac', file: { missing: true } },
      { title: 'Page 2', kind: 'navigation', media: null },
      { title: 'Wash', kind: 'dmx', media: null, dmx: timeline('wash.json: no such file') },
      { title: 'Bed', fadeOutMs: 500 },
    ] }])
    expect(words(r, play(r, 0))).toBe('media_file_missing: Away: no readable file is there: '
      + 'away.flac')
    expect(words(r, play(r, 1))).toBe(
      'invalid_playback_request: Page 2 is a navigation button: it cannot be played')
    expect(words(r, play(r, 2))).toBe('media_file_missing: Wash: wash.json: no such file')
    r.start(3)
    r.stop(3)
    expect(words(r, play(r, 3))).toBe(
      'execution_not_resumable: Bed is being stopped; restart starts it anew')
    r.player.post({ kind: 'output_lost', message: 'unplugged' })
    expect(words(r, play(r, 3))).toBe(
      'playback_unavailable: there is no sound output at the moment')
    expect(words(r, { ...play(r, 3), buttonId: guid(0xbad) } as Command)).toBe(
      `button_not_found: no button ${guid(0xbad)}`)
  })

  it('of a start whose disk does not answer says so', () => {
    const r = rig([{ buttons: [{ title: 'Hung', media: '/mnt/share/hung.flac' }] }])
    r.media.check = (ticket) => r.engine.post({
      kind: 'checked', ticket, found: false, trouble: 'its disk does not answer',
    })
    expect(words(r, play(r, 0))).toBe(
      'media_file_missing: Hung: its disk does not answer: hung.flac')
  })

  it('of a pause, a resume or a stop says which run it is', () => {
    const dmx = { timelineId: 't', loop: true, durationFrames: frame(48_000), error: null }
    const r = rig([{ buttons: [
      { fadeOutMs: 500 }, { allowOverlap: true }, { kind: 'dmx', media: null, dmx },
    ] }])
    r.ask({ kind: 'play', buttonId: r.idOf(2), options: NO_OPTIONS })
    const [one, two] = [r.idOf(0), r.idOf(1)]
    const of = (button: string, run: string): string[] =>
      [onRun('pause', button, run), resume(button, run), onRun('stop', button, run)]
        .map((command) => {
          const { reply } = r.ask(command)
          return reply === null || reply.ok ? 'taken' : words(r, command)
        })
    const no = guid(0xbad)
    expect(of(one, no)).toEqual(Array(3).fill(`execution_not_found: no execution ${no}`))
    expect(of(no, no)).toEqual(Array(3).fill(`button_not_found: no button ${no}`))
    const lit = r.player.status().active.find(({ id }) => id === r.idOf(2))?.dmxExecutionId ?? ''
    expect(of(one, lit)).toEqual(Array(3).fill(
      `execution_not_found: no execution ${lit}: it is of lights, which /dmx/sync holds and moves`))
    const old = r.start(0)
    const other = `stale_execution: execution ${old} belongs to another button`
    expect(of(two, old)).toEqual(Array(3).fill(other))
    r.stop(0, old, 0)
    const ended = `execution_not_resumable: execution ${old} has ended`
    expect(of(one, old)).toEqual([ended, ended, 'taken'])
    const id = r.start(0)
    expect(of(one, old)).toEqual([
      'stale_execution: a newer run of the button is active',
      'execution_not_resumable: a newer run of the button is active',
      'stale_execution: a newer run of the button is active',
    ])
    r.stop(0, id)
    expect(words(r, resume(one, id))).toBe('execution_not_resumable: the run is being stopped')
  })

  it('of a sync message says what is wrong with it', () => {
    const lit = { kind: 'dmx' as const, media: null, dmx: timeline(null) }
    const r = rig([{ buttons: [
      lit, lit, {}, { dmx: timeline(null), file: slow(100) },
    ] }])
    const of = (n: number): string => {
      r.start(n)
      return r.player.readModel.dmxOf(r.idOf(n))!.dmxExecutionId
    }
    const [one, three] = [of(0), of(3)]
    r.send(sync(r, 0, one, 7))
    expect([
      sync(r, 0, one, 7), sync(r, 1, one, 1), sync(r, 1, guid(0xbad), 1), sync(r, 2, one, 1),
      sync(r, 3, three, 1), { ...sync(r, 0, one, 1), buttonId: guid(0xbad) } as Command,
    ].map((command) => words(r, command))).toEqual([
      'dmx_stale_sequence: sequence must be greater than 7',
      "stale_execution: the DMX run is another button's",
      'dmx_not_active: no DMX run has this id',
      'media_file_missing: the button has no DMX timeline',
      'dmx_initializing: the DMX run waits for its media to sound',
      `button_not_found: no button ${guid(0xbad)}`,
    ])
    r.stop(0)
    expect(words(r, sync(r, 0, one, 8))).toBe('dmx_not_active: the DMX run has ended')
  })

  it('of what waited says why: too many, too late, swept away, a show is read, the end', () => {
    const r = rig([{ buttons: [{ file: { checkedAfter: frame(ms(20_000)) } }] }])
    const late = r.ask(play(r, 0))
    const waiting = Array.from({ length: 16 }, () => r.ask(play(r, 0)))
    expect(words(r, play(r, 0))).toBe('command_in_progress: too many commands wait')
    r.advance(ms(5_001))
    const failed = {
      code: 'command_failed',
      message: 'it did not finish in time; query the state before trying again',
    }
    expect([late, ...waiting].map(({ reply }) => reply)).toEqual(
      Array(17).fill({ ok: false, refusal: failed }))
    const swept = [r.ask(play(r, 0)), r.ask(play(r, 0))]
    r.send({ kind: 'panic', fadeOutMs: null })
    // The very refusal that the API knows by heart: it is kept under its key, and marked.
    for (const { reply } of swept) expect(reply).toEqual({ ok: false, refusal: SWEPT_BY_PANIC })
    expect(swept[0]!.reply?.ok === false && swept[0]!.reply.refusal).toBe(SWEPT_BY_PANIC)
    r.player.post({ kind: 'catalogue_busy' })
    expect(words(r, play(r, 0))).toBe('app_busy: the show is being replaced; try again shortly')
    r.player.post({ kind: 'shutdown' })
    expect(words(r, play(r, 0))).toBe('shutting_down: the service is shutting down')
    expect(words(r, { kind: 'panic', fadeOutMs: 0 })).toBe(
      'shutting_down: the service is shutting down')
    // A show that is still being read does not hide that the service ends.
    expect(r.player.status().state).toBe('shutting_down')
  })
})

describe('a failure', () => {
  const end = (spec: ButtonSpec): unknown => {
    const r = rig([{ buttons: [spec] }])
    r.start(0)
    r.advance(ms(20_000))
    const last = r.events.findLast((event) => event.kind === 'run')
    return [last?.state, last?.cause, last?.message]
  }

  it.each([
    ['a Start past the end', { startMs: 11_000 },
      'the configured Start lies at or past the end of the source'],
    ['nothing to hear', { mediaMs: 0 }, 'nothing could be decoded: there is no sound in the file'],
    ['a decoder that breaks at once', { file: { breaksAt: frame(0) } }, 'the decoder broke'],
    ['a decoder that breaks on the way', { file: { breaksAt: frame(ms(900)) } },
      'the decoder broke'],
  ] as const)('by %s says so', (_what, spec, message) => {
    expect(end(spec)).toEqual(['failed', 'decoder', message])
  })

  it('of a loop whose file was cut short says so', () => {
    const r = rig([{ buttons: [{ startMs: 2_000, file: { holds: false } }] }])
    r.start(0, { loop: true })
    r.file(0, { frames: ms(1_000) })
    r.advance(ms(60_000))
    expect(r.events.findLast((event) => event.kind === 'run')).toMatchObject({
      state: 'failed', cause: 'decoder', message: 'the media became shorter than its Start',
    })
  })

  it('of the output is told with its message, once, and so is that it is back', () => {
    const r = rig([{ buttons: [{}] }])
    const executionId = r.start(0)
    r.player.post({ kind: 'output_lost', message: 'unplugged' })
    r.player.post({ kind: 'output_lost', message: 'again' })
    r.player.post({ kind: 'output_back' })
    r.player.post({ kind: 'output_back' })
    expect(r.events.slice(-3)).toMatchObject([
      { kind: 'run', executionId, state: 'failed', cause: 'output', message: 'unplugged' },
      { kind: 'output', available: false, message: 'unplugged' },
      { kind: 'output', available: true, message: null },
    ])
  })
})

describe('a notice', () => {
  const notices = (r: Rig) => r.events.flatMap((event) => {
    if (event.kind !== 'notice') return []
    const { at, buttonId, executionId, message } = event
    return [[at / 48, buttonId, executionId, message] as const]
  })

  it('of sound that starves names the run, and what became of it', () => {
    const step = { frames: frame(ms(100)), every: frame(ms(300)) }
    for (const [act, what] of [
      [null, 'goes on'], ['pause', 'paused'], ['stop', 'ended'], ['lose', 'ended'],
    ] as const) {
      const r = rig([{ buttons: [{ mediaMs: 60_000, file: { step } }] }])
      const id = r.start(0)
      r.advance(ms(550))
      if (act === 'pause' || act === 'stop') r[act](0, id, 0)
      if (act === 'lose') r.player.post({ kind: 'output_lost', message: 'gone' })
      r.advance(ms(100))
      const button = r.idOf(0)
      const late = 'starved: the decoder is late'
      const gap = (text: string, of: number): string =>
        `${text}: its decoder was late by ${String(of)} ms`
      // The length of each gap, and not of all there were.
      const [at, of] = act === null ? [600, 200] : [550, 150]
      expect(notices(r)).toEqual([
        [100 + 1 / 48, button, id, late], [300, button, id, gap('goes on', 200)],
        [400 + 1 / 48, button, id, late], [at, button, id, gap(what, of)],
      ])
    }
  })

  it('of a list that ends says how many could not be played', () => {
    for (const [missing, why] of [[0, 'nothing follows'], [2, '2 could not be played']] as const) {
      const away = { file: { missing: true } }
      const buttons = [{ mediaMs: 500 }, ...Array<ButtonSpec>(missing).fill(away)]
      const r = rig([{ mode: 'sequence', buttons }])
      const id = r.start(0)
      r.advance(ms(1_000))
      expect(notices(r)).toEqual([[500, r.idOf(0), id, `the list ends: ${why}`]])
    }
  })

  it('of lights that cannot be says whose, and why', () => {
    const r = rig([{ buttons: [{ title: 'Bed', dmx: timeline('bed.json: no such file') }] }])
    r.start(0)
    expect(notices(r)).toEqual([[0, null, null, 'Bed: no lights: bed.json: no such file']])
  })
})

it('a list looks for its next file as a list does: it has more time than a start', () => {
  const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1_000 }, {}] }])
  const asked: string[] = []
  r.media.check = (ticket: number, path: string, asker?: string) => {
    asked.push(asker ?? 'nobody')
    VirtualMedia.prototype.check.call(r.media, ticket, path)
  }
  r.start(0)
  r.advance(ms(1_500))
  expect(asked).toEqual(['command', 'list'])
})
