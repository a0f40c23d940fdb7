// The lines of a recorded night: each event, command and refusal in words, by its time of day.
import { describe, expect, it } from 'vitest'
import { frame, msToFrames } from '../../src/clock/frame.js'
import { refuse } from '../../src/contract/errors.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { NightLines } from '../../src/recording/night-lines.js'
import { RECORDING_VERSION, type RecordedMark } from '../../src/recording/recording.js'
import { rig } from '../rig.js'

const RUN = 'eeee0000-1111-2222-3333-44444444abcd'
const LIGHTS = 'dddd0000-1111-2222-3333-44444444abcd'
const { catalogue, idOf } = rig([{ buttons: [{ title: 'Warm' }, { title: '' }] }])
const [warm, untitled] = [idOf(0), idOf(1)]
const ORIGIN = 4_800
const STARTED = new Date(2026, 0, 2, 20, 15, 0)

const spent = (marks: readonly RecordedMark[] = []) => {
  const lines: string[] = []
  const show = { title: 'Quiz', playlists: catalogue.playlists }
  const night = new NightLines({
    kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: '1.2.3',
    startedAt: STARTED.toISOString(), seed: 1, origin: ORIGIN, dmxAllowed: true, retentionMs: 1,
    loopHeadBytes: 1, show,
  }, marks, (line) => lines.push(line))
  return { night, lines, show }
}
const at = frame(ORIGIN + msToFrames(61_234))
const run = (more: Partial<Extract<EngineEvent, { kind: 'run' }>>): EngineEvent => ({
  kind: 'run', at, executionId: RUN, buttonId: warm, state: 'playing', endReason: null,
  positionMs: 3_723_004, durationMs: 9, startMs: 0, endMs: null, cause: 'ready', message: null,
  birth: null, ...more,
})

describe('an event', () => {
  it.each<[string, EngineEvent]>([
    ['Warm [eeee0000]: playing, at 1:02:03.004 (ready)', run({})],
    [`${untitled} [eeee0000]: playing, at 1:02:03.004 (ready)`, run({ buttonId: untitled })],
    ['gone [eeee0000]: stopped, replaced, at 0:00:00.000 (replaced)', run({
      buttonId: 'gone', state: 'stopped', endReason: 'replaced', cause: 'replaced', positionMs: 0,
    })],
    ['Warm [eeee0000]: failed, playback_error, at 0:00:00.500 (decoder: it broke)', run({
      state: 'failed', endReason: 'playback_error', cause: 'decoder', message: 'it broke',
      positionMs: 500,
    })],
    ['Warm [eeee0000]: came round, 3',
      { kind: 'wrap', at, executionId: RUN, buttonId: warm, positionMs: 0, passes: 3 }],
    ['Warm [eeee0000]: is 0:03:00.000 long', {
      kind: 'duration', at, executionId: RUN, buttonId: warm, durationMs: 180_000, startMs: 0,
      endMs: null,
    }],
    ['Warm: shown', { kind: 'image', at, buttonId: warm, shown: true }],
    ['Warm: gone', { kind: 'image', at, buttonId: warm, shown: false }],
    ['lights of Warm [dddd0000]: corrected, at 0:00:01.500', {
      kind: 'dmx', at, dmxExecutionId: LIGHTS, buttonId: warm, change: 'corrected',
      positionMs: 1_500,
    }],
    ['sound output lost: unplugged',
      { kind: 'output', at, available: false, message: 'unplugged' }],
    ['sound output back', { kind: 'output', at, available: true, message: null }],
    ['show busy', { kind: 'catalogue', at, change: 'busy', message: null }],
    ['show kept: title: is missing',
      { kind: 'catalogue', at, change: 'kept', message: 'title: is missing' }],
    ['Warm: passed over',
      { kind: 'notice', at, buttonId: warm, executionId: RUN, message: 'passed over' }],
    ['nothing to do', { kind: 'notice', at, buttonId: null, executionId: null,
      message: 'nothing to do' }],
  ])('%s', (words, event) => {
    const { night, lines } = spent()
    night.event(event)
    expect(lines).toEqual(['Fri Jan 02 2026, "Quiz", cartwall 1.2.3', `20:16:01.234  ${words}`])
  })
})

describe('a command', () => {
  const own = { ...NO_OPTIONS, loop: false, loopCrossfadeMs: 0, externalSequencing: true }
  const ofRun = { buttonId: warm, executionId: RUN }
  const sync: Command = {
    kind: 'sync', ...ofRun, sequence: 3, positionMs: 1.5, isPlaying: true, forceSeek: false,
  }
  it.each<[string, Command]>([
    ['play Warm', { kind: 'play', buttonId: warm, options: NO_OPTIONS }],
    ['restart Warm loop=false loopCrossfadeMs=0 externalSequencing=true',
      { kind: 'restart', buttonId: warm, options: own }],
    ['pause Warm [eeee0000] fadeOutMs=500', { kind: 'pause', ...ofRun, fadeOutMs: 500 }],
    ['pause Warm [eeee0000]', { kind: 'pause', ...ofRun, fadeOutMs: null }],
    ['resume Warm [eeee0000] fadeInMs=0', { kind: 'resume', ...ofRun, fadeInMs: 0 }],
    ['stop Warm', { kind: 'stop', buttonId: warm, executionId: null, fadeOutMs: null }],
    ['stop Warm [eeee0000] fadeOutMs=1', { kind: 'stop', ...ofRun, fadeOutMs: 1 }],
    ['stop all', { kind: 'panic', fadeOutMs: null }],
    ['stop all fadeOutMs=0', { kind: 'panic', fadeOutMs: 0 }],
  ])('%s, and its refusal', (words, command) => {
    const { night, lines } = spent()
    night.command(at, command)
    night.reply(at, command, {
      ok: true, status: 200, body: { result: 'stopped', fadingOut: 0, stopped: 1 },
    })
    night.reply(at, command, { ok: false, refusal: refuse('app_busy', 'wait') })
    expect(lines.slice(1)).toEqual([
      `20:16:01.234  > ${words}`, `20:16:01.234  > ${words} refused: app_busy, wait`,
    ])
  })

  it('of an external clock is told only where it was refused', () => {
    const { night, lines } = spent()
    night.command(at, sync)
    night.reply(at, sync, { ok: false, refusal: refuse('dmx_not_active', 'over') })
    expect(lines.slice(1)).toEqual([
      '20:16:01.234  > sync Warm [eeee0000] sequence=3 positionMs=1.5 isPlaying=true '
        + 'forceSeek=false refused: dmx_not_active, over',
    ])
  })
})

it('titles are those of the show at that moment', () => {
  const { night, lines, show } = spent()
  const [list] = show.playlists
  const buttons = list!.buttons.map((button) => ({ ...button, title: 'Renamed' }))
  night.command(at, { kind: 'play', buttonId: warm, options: NO_OPTIONS })
  night.show({ title: 'Quiz', playlists: [{ ...list!, buttons }] })
  night.command(at, { kind: 'play', buttonId: untitled, options: NO_OPTIONS })
  expect(lines.slice(1).map((line) => line.split('> ')[1])).toEqual(['play Warm', 'play Renamed'])
})

describe('the time of day', () => {
  const FRAMES_A_SECOND = 48_000
  const mark = (seconds: number, wallSeconds: number): RecordedMark => ({
    at: ORIGIN + seconds * FRAMES_A_SECOND, events: 1, hash: '',
    wallMs: STARTED.getTime() + wallSeconds * 1000,
  })
  const told = (marks: readonly RecordedMark[], seconds: readonly number[]): readonly string[] => {
    const { night, lines } = spent(marks)
    for (const second of seconds) {
      const moment = frame(ORIGIN + second * FRAMES_A_SECOND)
      night.event({ kind: 'output', at: moment, available: true, message: null })
    }
    return lines.slice(1).map((line) => line.slice(0, 'HH:MM:SS.mmm'.length))
  }

  it('is that of the engine, however late a mark was written', () => {
    expect(told([mark(10, 10.9), mark(20, 20)], [5, 10, 15, 20, 30])).toEqual([
      '20:15:05.000', '20:15:10.000', '20:15:15.000', '20:15:20.000', '20:15:30.000',
    ])
  })

  it('goes with the machine, which slept or was put right', () => {
    const marks = [mark(10, 10), mark(20, 3_620), mark(30, 3_630.5), mark(40, 40)]
    expect(told(marks, [10, 11, 20, 25, 31, 50])).toEqual([
      '20:15:10.000', '21:15:11.000', '21:15:20.000', '21:15:25.000', '20:15:31.000',
      '20:15:50.000',
    ])
  })
})
