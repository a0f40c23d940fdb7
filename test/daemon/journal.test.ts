// The log of a night: each change as a line that a person reads and a program can search.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { journal } from '../../src/daemon/journal.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { rig } from '../rig.js'

const at = frame(48_000)
const { catalogue, idOf } = rig([{ buttons: [{ title: 'Warm' }] }])
const button = idOf(0)
const RUN = 'eeee0000-1111-2222-3333-44444444abcd'
const LIGHTS = 'dddd0000-1111-2222-3333-44444444abcd'
const LEVELS: Readonly<Record<number, string>> = {
  20: 'debug', 30: 'info', 40: 'warn', 50: 'error',
}

/** The lines as `level message`, and what stands beside the message. */
const logged = (...events: readonly EngineEvent[]) => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug', base: null, timestamp: false }, {
    write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  const hear = journal(log, () => catalogue)
  for (const event of events) hear(event)
  return lines.map(({ level, msg, ...facts }) =>
    [`${LEVELS[level as number] ?? ''} ${String(msg)}`, facts])
}

const run = (more: Partial<Extract<EngineEvent, { kind: 'run' }>>): EngineEvent => ({
  kind: 'run', at, executionId: RUN, buttonId: button, state: 'playing', endReason: null,
  positionMs: 5, durationMs: 9, startMs: 0, endMs: null, cause: 'ready', message: null,
  birth: null, ...more,
})
const FACTS = { run: RUN, button, state: 'playing', reason: null, cause: 'ready', positionMs: 5 }

describe('each change is a line', () => {
  it.each<[string, EngineEvent, object]>([
    ['info Warm: playing', run({}), FACTS],
    ['info Warm: stopped (explicit_stop)',
      run({ state: 'stopped', endReason: 'explicit_stop', cause: 'command' }),
      { ...FACTS, state: 'stopped', reason: 'explicit_stop', cause: 'command' }],
    ['warn Warm: failed (playback_error)',
      run({ state: 'failed', endReason: 'playback_error', cause: 'decoder', message: 'it broke' }),
      { ...FACTS, state: 'failed', reason: 'playback_error', cause: 'decoder',
        detail: 'it broke' }],
    ['info gone: playing', run({ buttonId: 'gone' }), { ...FACTS, button: 'gone' }],
    ['info Warm: shown', { kind: 'image', at, buttonId: button, shown: true }, { button }],
    ['info Warm: hidden', { kind: 'image', at, buttonId: button, shown: false }, { button }],
    ['info Warm: lights started',
      { kind: 'dmx', at, dmxExecutionId: LIGHTS, buttonId: button, change: 'started',
        positionMs: 1.5 },
      { dmx: LIGHTS, button, positionMs: 1.5 }],
    // Comes with each message of a clock that is off.
    ['debug Warm: lights corrected',
      { kind: 'dmx', at, dmxExecutionId: LIGHTS, buttonId: button, change: 'corrected',
        positionMs: 1.5 },
      { dmx: LIGHTS, button, positionMs: 1.5 }],
    ['error sound output lost', { kind: 'output', at, available: false, message: 'unplugged' },
      { detail: 'unplugged' }],
    ['info sound output is back', { kind: 'output', at, available: true, message: null }, {}],
    ['info show busy', { kind: 'catalogue', at, change: 'busy', message: null }, {}],
    ['info show replaced', { kind: 'catalogue', at, change: 'replaced', message: null }, {}],
    ['debug Warm: comes round',
      { kind: 'wrap', at, executionId: RUN, buttonId: button, positionMs: 0, passes: 3 },
      { run: RUN, button, passes: 3 }],
    ['debug Warm: its length is known',
      { kind: 'duration', at, executionId: RUN, buttonId: button, durationMs: 9, startMs: 0,
        endMs: 8 },
      { run: RUN, button, durationMs: 9, endMs: 8 }],
    ['warn passed over', { kind: 'notice', at, buttonId: button, executionId: RUN,
      message: 'passed over' }, { run: RUN, button }],
  ])('%s', (line, event, facts) => {
    expect(logged(event)).toEqual([[line, facts]])
  })
})

it('a button that left the show keeps the name under which it was told before', () => {
  const lines: string[] = []
  const log = pino({ base: null }, {
    write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg),
  })
  let show = catalogue
  const hear = journal(log, () => show)
  const lights = (change: 'started' | 'ended'): void => {
    hear({ kind: 'dmx', at, dmxExecutionId: LIGHTS, buttonId: button, change, positionMs: 0 })
  }
  lights('started')
  show = rig([{ buttons: [{ id: button, title: 'Warmer' }] }]).catalogue
  lights('ended')
  show = rig([{ buttons: [] }]).catalogue
  lights('ended')
  expect(lines).toEqual([
    'Warm: lights started', 'Warmer: lights ended', 'Warmer: lights ended',
  ])
})
