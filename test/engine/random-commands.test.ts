// Any commands at any frames: one end for each run, documented answers, gains in range, no jumps.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { isTerminal, TERMINAL } from '../../src/contract/vocabulary.js'
import { NO_OPTIONS, type Command, type Reply } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { constant, guid, ms, rig, slow, type ListSpec, type Rig } from '../rig.js'

/** Boundaries of the show below lie on whole tens of milliseconds; so do its fades. */
const GRID = ms(10)
const LEVEL = 0.1

const files = [{}, slow(20), slow(0), slow(30)]
const button = (n: number) => ({
  mediaMs: 60 + 20 * n, fadeInMs: 10 * (n % 3), fadeOutMs: 20 * (n % 2),
  pauseWhenReplaced: n % 3 === 0,
  allowOverlap: n % 4 === 3, isLoopEnabled: n === 4, fadeOutAtEnd: n === 5,
  file: { ...files[n % 4], ...constant(LEVEL), holds: n % 2 === 0 },
})
const SHOW: readonly ListSpec[] = [
  {
    mode: 'sequence', wrap: true, mixOnTransition: true, crossfadeMs: 20,
    buttons: [0, 1, 2].map(button),
  },
  { mode: 'shuffle', buttons: [3, 4].map(button) },
  {
    mixOnTransition: true, crossfadeMs: 40, crossfadeCurve: 'equal-power',
    buttons: [5, 6].map(button),
  },
]
const BUTTONS = 7

const fade = fc.option(fc.constantFrom(0, 10, 30), { nil: null })
const options = fc.record({
  pauseWhenReplaced: fc.option(fc.boolean(), { nil: null }),
  allowOverlap: fc.option(fc.boolean(), { nil: null }),
  externalSequencing: fc.boolean(),
  loop: fc.option(fc.boolean(), { nil: null }),
  loopCrossfadeMs: fc.option(fc.constantFrom(0, 10, 1000), { nil: null }),
})
const which = fc.nat(BUTTONS - 1)
/** A run by its age: 0 is the youngest that was ever started. */
const age = fc.nat(3)
const kinds = <T extends string>(...names: T[]) => fc.constantFrom(...names)
const weigh = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
const act = fc.oneof(
  weigh(4, fc.record({ kind: kinds('play', 'restart'), which, options })),
  weigh(3, fc.record({ kind: kinds('pause', 'resume'), age, fade })),
  weigh(2, fc.record({ kind: kinds('stop'), age: fc.option(age, { nil: null }), which, fade })),
  weigh(1, fc.record({ kind: kinds('panic'), fade })),
  weigh(1, fc.record({ kind: kinds('lost', 'back') })),
  weigh(1, fc.record({ kind: kinds('padlock'), which, on: fc.boolean() })),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
/** To a boundary, and one frame before, at or after it. */
const step = fc.record({ tens: fc.nat(9), nudge: fc.constantFrom(-1, 0, 1), act })

const DOCUMENTED = new Set([
  'execution_not_found', 'stale_execution', 'execution_not_resumable', 'playback_unavailable',
])

interface Started {
  readonly id: string
  readonly button: string
}

const known = (r: Rig): Started[] => {
  const seen = new Map<string, Started>()
  for (const event of r.events) {
    if (event.kind !== 'run') continue
    seen.set(event.executionId, { id: event.executionId, button: event.buttonId })
  }
  return [...seen.values()].reverse()
}

const commandOf = (r: Rig, it: Act): Command | null => {
  const runs = known(r)
  const unknown = { id: guid(0xbad), button: r.idOf(0) }
  switch (it.kind) {
    case 'play':
    case 'restart':
      return {
        kind: it.kind, buttonId: r.idOf(it.which), options: { ...NO_OPTIONS, ...it.options },
      }
    case 'pause': {
      const { id, button: buttonId } = runs[it.age] ?? unknown
      return { kind: 'pause', buttonId, executionId: id, fadeOutMs: it.fade }
    }
    case 'resume': {
      const { id, button: buttonId } = runs[it.age] ?? unknown
      return { kind: 'resume', buttonId, executionId: id, fadeInMs: it.fade }
    }
    case 'stop': {
      const run = it.age === null ? null : (runs[it.age] ?? unknown)
      const buttonId = run?.button ?? r.idOf(it.which)
      return { kind: 'stop', buttonId, executionId: run?.id ?? null, fadeOutMs: it.fade }
    }
    case 'panic':
      return { kind: 'panic', fadeOutMs: it.fade }
    case 'lost':
      r.player.post({ kind: 'output_lost', message: 'gone' })
      return null
    case 'back':
      r.player.post({ kind: 'output_back' })
      return null
    case 'padlock':
      r.change(it.which, { isLoopEnabled: it.on })
      return null
  }
}

/** The answer, held against what a client reads right after it. */
const judge = (r: Rig, command: Command, reply: Reply): void => {
  if (!reply.ok) {
    expect(DOCUMENTED, reply.refusal.code).toContain(reply.refusal.code)
    return
  }
  const body = reply.body as unknown as { executionId?: string | null; result?: string }
  if (command.kind === 'panic') return
  const run = typeof body.executionId === 'string' ? r.run(body.executionId) : null
  const paused = ['starting', 'pausing', 'paused', 'fading_out']
  const resumed = ['starting', 'playing', 'completed', 'failed']
  if (command.kind === 'pause') expect(paused).toContain(run?.state)
  if (command.kind === 'resume') expect(resumed).toContain(run?.state)
  if (body.result === 'fading_out') expect(run?.state).toBe('fading_out')
  if (body.result === 'stopped') expect(run?.endReason).toBe('explicit_stop')
  if (reply.status === 202) expect(run).not.toBeNull()
}

/** Each run: born once, dead at most once, nothing after its death, reason and state agree. */
const judgeStories = (r: Rig): void => {
  const alive = new Map<string, boolean>()
  for (const event of r.events) {
    if (event.kind !== 'run') continue
    const was = alive.get(event.executionId)
    if (was === undefined) expect(event.state).toBe('starting')
    else expect(was, 'an event of a run that had ended').toBe(true)
    alive.set(event.executionId, !isTerminal(event.state))
    expect(event.endReason === null).toBe(!isTerminal(event.state))
    if (event.endReason !== null) expect(TERMINAL[event.endReason]).toBe(event.state)
  }
  for (const [id, live] of alive) {
    expect(isTerminal(r.run(id).state)).toBe(!live)
  }
  const open = [...alive].filter(([, live]) => live).length
  const status = r.player.status()
  expect(status.active.length + status.paused.length).toBe(open)
}

/**
 * All media are one constant, so the sum is LEVEL times the gains. A fade moves the sum by at most
 * 1/fade a frame; any larger step needs an event at its frame: a start, a cut, an end, a wake-up.
 */
/** Told one frame on; or never, where the run was paused or ended just then. */
const late = (event: EngineEvent): boolean =>
  event.kind === 'notice'
    ? event.message.startsWith('starved')
    : event.kind === 'run' && event.cause !== 'ready'
const STEEPEST = (LEVEL * BUTTONS * 1.6) / GRID
const judgeSound = (r: Rig, left: Float32Array, from: number, last: number): void => {
  // That a decoder is late is told one frame on.
  const marks = new Set(r.events.flatMap((event): number[] =>
    late(event) ? [event.at - 1, event.at] : [event.at],
  ))
  let before = last
  left.forEach((x, n) => {
    if (!(x >= 0 && x <= LEVEL * BUTTONS + 1e-6)) expect.fail(`frame ${from + n}: ${x}`)
    if (Math.abs(x - before) > STEEPEST && !marks.has(from + n)) {
      expect.fail(`frame ${from + n}: from ${before} to ${x} with nothing said to explain it`)
    }
    before = x
  })
}

const night = (steps: readonly { tens: number; nudge: number; act: Act }[]): Rig => {
  const r = rig(SHOW)
  let at = 0
  let grid = 0
  let last = 0
  const go = (to: number): void => {
    if (to <= at) return
    const { left } = r.render(to - at)
    judgeSound(r, left, at, last)
    last = left.at(-1) ?? last
    at = to
  }
  for (const { tens, nudge, act: it } of steps) {
    grid += tens * GRID
    go(grid + nudge)
    const command = commandOf(r, it)
    if (command === null) continue
    judge(r, command, r.send(command))
    judgeStories(r)
  }
  go(at + ms(700))
  judgeStories(r)
  r.send({ kind: 'panic', fadeOutMs: 0 })
  r.advance(ms(100))
  expect(r.player.status()).toMatchObject({ active: [], paused: [] })
  expect(r.media.open$.size, 'streams left open').toBe(0)
  return r
}

describe('random commands at boundary frames', () => {
  it('keep every promise about runs, answers and sound', () => {
    let ended = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        ended += night(steps).story().length
      }),
      { numRuns: 600, seed: 20_240_601 },
    )
    expect(ended).toBeGreaterThan(5_000)
  })

  it('a frame is a frame: the show of this test has its boundaries where it says', () => {
    const r = rig(SHOW)
    const id = r.start(6)
    r.advance(frame(GRID * 18) - 1)
    expect(r.state(id)).toBe('playing')
    r.advance(1)
    expect(r.state(id)).toBe('completed')
  })
})
