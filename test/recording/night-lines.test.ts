// A recorded night in words: each kind of event, command and refusal, exactly as a person reads it.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { Show } from '../../src/engine/catalogue.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { refuse } from '../../src/contract/errors.js'
import { NightLines } from '../../src/recording/night-lines.js'
import { RECORDING_VERSION, type RecordedMark } from '../../src/recording/recording.js'
import { showOf } from '../rig.js'
import { VirtualMedia } from '../../src/testing/media.js'

const BED = '0d5e4a58-1a52-4b3c-8c6e-2a8a3c1f7a02'
const LOGO = '6f0c1c0e-6f0e-4f57-9c61-0d6d0a1f7a01'
const RUN = '2e51e9bc-0000-4000-8000-000000000001'
const LIGHTS = '77aa00bb-0000-4000-8000-000000000002'

const titled = (bed: string): Show => {
  const { title, playlists } = showOf([
    { buttons: [{ id: BED, title: bed }, { id: LOGO, title: '', kind: 'image' }] },
  ], new VirtualMedia())
  return { title, playlists }
}

const STARTED = '2026-01-01T20:00:00.005Z'
const ORIGIN = 96_000

const night = (marks: readonly RecordedMark[] = []) => {
  const lines: string[] = []
  const header = {
    kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: '9.9', startedAt: STARTED,
    seed: 1, origin: ORIGIN, dmxAllowed: true, retentionMs: 1, loopHeadBytes: 1,
    show: titled('Warm'),
  } as const
  const told = new NightLines(header, marks, (line) => lines.push(line))
  return { told, lines }
}

/** As the clock of this machine shows it. */
const clock = (iso: string): string =>
  `${new Date(iso).toTimeString().slice(0, 8)}.${iso.slice(20, 23)}`

const at = frame(ORIGIN + 48 * 250)
const run = {
  kind: 'run', at, executionId: RUN, buttonId: BED, positionMs: 3_723_004, durationMs: 4_000_000,
  startMs: 0, endMs: null, birth: null,
} as const

const EVENTS: readonly (readonly [EngineEvent, string])[] = [
  [{ ...run, state: 'playing', endReason: null, cause: 'ready', message: null },
    'Warm [2e51e9bc]: playing, at 1:02:03.004 (ready)'],
  [{ ...run, state: 'failed', endReason: 'playback_error', cause: 'decoder', message: 'no sound' },
    'Warm [2e51e9bc]: failed, playback_error, at 1:02:03.004 (decoder: no sound)'],
  [{ kind: 'wrap', at, executionId: RUN, buttonId: BED, positionMs: 5, passes: 12 },
    'Warm [2e51e9bc]: came round, 12'],
  [{ kind: 'duration', at, executionId: RUN, buttonId: BED, durationMs: 61_500, startMs: 0,
    endMs: null }, 'Warm [2e51e9bc]: is 0:01:01.500 long'],
  [{ kind: 'image', at, buttonId: LOGO, shown: true }, `${LOGO}: shown`],
  [{ kind: 'image', at, buttonId: LOGO, shown: false }, `${LOGO}: gone`],
  [{ kind: 'dmx', at, dmxExecutionId: LIGHTS, buttonId: BED, change: 'held', positionMs: 1_000 },
    'lights of Warm [77aa00bb]: held, at 0:00:01.000'],
  [{ kind: 'output', at, available: false, message: 'unplugged' }, 'sound output lost: unplugged'],
  [{ kind: 'output', at, available: true, message: null }, 'sound output back'],
  [{ kind: 'catalogue', at, change: 'kept', message: 'a comma' }, 'show kept: a comma'],
  [{ kind: 'catalogue', at, change: 'replaced', message: null }, 'show replaced'],
  [{ kind: 'notice', at, buttonId: BED, executionId: RUN, message: 'starved' }, 'Warm: starved'],
  [{ kind: 'notice', at, buttonId: null, executionId: null, message: 'no lights' }, 'no lights'],
]

const id = { buttonId: BED, executionId: RUN }
const sync = {
  kind: 'sync', ...id, sequence: 4, positionMs: 20, isPlaying: true, forceSeek: false,
} as const
const COMMANDS: readonly (readonly [Command, string | null])[] = [
  [{ kind: 'play', buttonId: BED, options: NO_OPTIONS }, 'play Warm'],
  [{ kind: 'restart', buttonId: LOGO, options: NO_OPTIONS }, `restart ${LOGO}`],
  [{
    kind: 'play', buttonId: BED, options: {
      pauseWhenReplaced: true, allowOverlap: false, externalSequencing: true, loop: false,
      loopCrossfadeMs: 0,
    },
  }, 'play Warm pauseWhenReplaced=true allowOverlap=false loop=false loopCrossfadeMs=0 '
    + 'externalSequencing=true'],
  [{ kind: 'pause', ...id, fadeOutMs: 500 }, 'pause Warm [2e51e9bc] fadeOutMs=500'],
  [{ kind: 'resume', ...id, fadeInMs: null }, 'resume Warm [2e51e9bc]'],
  [{ kind: 'stop', ...id, executionId: null, fadeOutMs: 0 }, 'stop Warm fadeOutMs=0'],
  [{ kind: 'panic', fadeOutMs: 1_500 }, 'stop all fadeOutMs=1500'],
  [{ kind: 'panic', fadeOutMs: null }, 'stop all'],
  [sync, null],
]

describe('a night in words', () => {
  it('begins with its day, its show and what recorded it', () => {
    const day = new Date(STARTED).toDateString()
    expect(night().lines).toEqual([`${day}, "test show", cartwall 9.9`])
  })

  it.each(EVENTS)('an event: %#', (event, words) => {
    const { told, lines } = night()
    told.event(event)
    expect(lines.slice(1)).toEqual([`${clock('2026-01-01T20:00:00.255Z')}  ${words}`])
  })

  it.each(COMMANDS)('a command, and its refusal: %#', (command, words) => {
    const { told, lines } = night()
    told.command(ORIGIN, command)
    const time = clock(STARTED)
    // Messages of an external clock come by the hundred: only what was refused is told.
    expect(lines.slice(1)).toEqual(words === null ? [] : [`${time}  > ${words}`])
    told.reply(ORIGIN, command, {
      ok: true, status: 200, body: { result: 'already_stopped', fadingOut: 0, stopped: 0 },
    })
    expect(lines).toHaveLength(words === null ? 1 : 2)
    told.reply(ORIGIN, command, { ok: false, refusal: refuse('app_busy', 'come again') })
    const full = words ?? 'sync Warm [2e51e9bc] sequence=4 positionMs=20 isPlaying=true '
      + 'forceSeek=false'
    expect(lines.at(-1)).toBe(`${time}  > ${full} refused: app_busy, come again`)
  })

  it('calls buttons as the show of the moment does', () => {
    const { told, lines } = night()
    const notice = { kind: 'notice', at, buttonId: BED, executionId: RUN, message: 'x' } as const
    told.event(notice)
    told.show(titled('Cold'))
    told.event(notice)
    told.show({ title: 'empty', playlists: [] })
    told.event(notice)
    expect(lines.slice(1).map((line) => line.slice(14))).toEqual(
      ['Warm: x', 'Cold: x', `${BED}: x`])
  })

  it('takes the time from the first mark that was made when it was told, or later', () => {
    const mark = (ms: number, iso: string): RecordedMark => ({
      at: ORIGIN + ms * 48, events: 1, hash: '', wallMs: new Date(iso).getTime(),
    })
    // The machine slept for an hour between two marks; half a second more is none.
    const marks = [
      mark(1_000, '2026-01-01T20:00:01.005Z'), mark(2_000, '2026-01-01T21:00:02.005Z'),
      mark(3_000, '2026-01-01T21:00:03.505Z'),
    ]
    const { told, lines } = night(marks)
    for (const ms of [500, 1_000, 1_001, 2_000, 2_001, 9_000]) {
      told.event({
        kind: 'notice', at: frame(ORIGIN + ms * 48), buttonId: null, executionId: null,
        message: '',
      })
    }
    expect(lines.slice(1).map((line) => line.trimEnd())).toEqual([
      '20:00:00.505Z', '20:00:01.005Z', '21:00:01.006Z', '21:00:02.005Z', '21:00:02.006Z',
      '21:00:09.005Z',
    ].map((time) => clock(`2026-01-01T${time}`)))
  })

  it('follows a clock that was set back', () => {
    const mark = (ms: number, iso: string): RecordedMark => ({
      at: ORIGIN + ms * 48, events: 1, hash: '', wallMs: new Date(iso).getTime(),
    })
    for (const [ms, iso] of [
      [10_000, '2026-01-01T19:50:10.005Z'], [12_000, '2026-01-01T19:50:12.005Z'],
    ] as const) {
      const { told, lines } = night([
        mark(1_000, '2026-01-01T20:00:01.005Z'), mark(10_000, '2026-01-01T19:50:10.005Z'),
      ])
      told.event({
        kind: 'notice', at: frame(ORIGIN + ms * 48), buttonId: null, executionId: null,
        message: 'x',
      })
      expect(lines.at(-1)).toBe(`${clock(iso)}  x`)
    }
  })

  it('names each further day where it begins', () => {
    const { told, lines } = night()
    const hours = [0, 1, 24, 25, 24 * 40]
    for (const hour of hours) {
      told.event({
        kind: 'notice', at: frame(ORIGIN + hour * 3_600_000 * 48), buttonId: null,
        executionId: null, message: 'x',
      })
    }
    const dayOf = (hour: number): string =>
      new Date(new Date(STARTED).getTime() + hour * 3_600_000).toDateString()
    const days = hours.map(dayOf)
    const expected = days.flatMap((day, n) => (n > 0 && day !== days[n - 1] ? [day, 'x'] : ['x']))
    expect(lines.slice(1).map((line) => (line.endsWith(' x') ? 'x' : line))).toEqual(expected)
    expect(lines).toContain(dayOf(24 * 40))
  })
})
