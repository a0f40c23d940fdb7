// Draws from a seed what two threads go through: a scenario, how late messages are, what stands
// still. The scenario is one of those that engines play alone, in less time.
import { generate } from '../scenario/generate.js'
import { diceOf, type Dice } from '../scenario/random.js'
import type { Op, Scenario } from '../scenario/scenario.js'

export type ThreadName = 'main' | 'sound'

export interface Stall {
  readonly atMs: number
  readonly who: ThreadName
  readonly ms: number
}

export interface ThreadsScenario {
  readonly scenario: Scenario
  /** When each operation is meant, on the main thread. */
  readonly ops: readonly { readonly atMs: number; readonly op: Op }[]
  readonly stalls: readonly Stall[]
  /** How long a message is under way at most, and an alarm late. */
  readonly messageMs: number
  readonly latenessMs: number
  /** How long the show is read at most. */
  readonly readingMs: number
  readonly lengthMs: number
}

/** At the end all comes to rest, so that what was late is told. */
const CALM_END_MS = 9_000

const OPS = 30

export const drawThreadsScenario = (seed: number): ThreadsScenario => {
  const dice = diceOf(seed ^ 0x2b7e_1516)
  const scenario = generate(seed, OPS)
  // An hour in which nothing happens tells nothing of messages.
  const gapMostMs = dice.pick([3, 40, 600])
  let atMs = dice.pick([0, 1, 50])
  const ops = scenario.ops.map((op) => {
    atMs += Math.min(op.gap / 48, gapMostMs)
    return { atMs, op }
  })
  return {
    scenario, ops,
    stalls: dice.chance(0.5) ? drawStalls(dice, atMs) : [],
    messageMs: dice.pick([0, 0.1, 2, 15, 80]),
    latenessMs: dice.next() * 0.8,
    readingMs: dice.pick([0, 5, 60, 400]),
    lengthMs: atMs + CALM_END_MS,
  }
}

const drawStalls = (dice: Dice, lengthMs: number): readonly Stall[] =>
  Array.from({ length: dice.whole(1, 6) }, () => ({
    atMs: dice.whole(0, Math.ceil(lengthMs)),
    who: dice.pick(['main', 'sound'] as const),
    ms: dice.pick([2, 15, 60, 300]),
  }))
