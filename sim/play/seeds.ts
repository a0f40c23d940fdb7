// Runs a range of seeds: each scenario twice, the second time in a variation, judged by the oracle.
import { flagsOf } from '../commands/arguments.js'
import { tally, tellWrong } from '../commands/tally.js'
import { generate } from '../scenario/generate.js'
import { variationOf, ORDINARY } from './variation.js'
import { Judge, violationIn } from '../oracle/judge.js'
import { playScenario } from './play.js'
import { RULE_NAMES } from '../oracle/rules.js'
import type { Scenario } from '../scenario/scenario.js'
import { COINCIDENCES } from '../oracle/sometimes.js'

export const OPS = 40
/** From so many seeds on every coincidence must have been met and every rule tested. */
export const ENOUGH = 10_000

/** Plays a scenario as it is and in its variation; every record must be the same. */
export const judgeScenario = (scenario: Scenario, judge: Judge) => {
  const first = playScenario(scenario, ORDINARY, judge)
  if (first.violation !== null) return first
  const variation = variationOf(scenario.seed)
  const second = playScenario(scenario, variation, null)
  const rule = variation === ORDINARY ? 'machine/deterministic' : 'machine/same-in-any-variation'
  const wrong = second.violation?.message ?? differenceOf(first, second, variation.name)
  const violation = violationIn(() => {
    judge.hold(rule, wrong === null, () => wrong ?? '')
  })
  return { ...first, violation }
}

/** The first record of `b` that is not as in `a`; null where all are. */
export const differenceOf = (
  a: { readonly hash: string; readonly records: readonly string[] }, b: typeof a, variation: string,
): string | null => {
  if (a.hash === b.hash) return null
  const unlike = a.records.findIndex((record, n) => record !== b.records[n])
  const place = unlike < 0 ? a.records.length : unlike
  return `${variation}: record ${place} is "${String(b.records[place])}", ` +
    `was "${String(a.records[place])}"`
}

export const tallySeeds = (from: number, seeds: number, ops: number) => {
  const judge = new Judge()
  let frames = 0
  const told = tally(from, seeds, (seed) => {
    const outcome = judgeScenario(generate(seed, ops), judge)
    frames += outcome.frames
    return outcome
  })
  return { ...told, judge, frames }
}

export const runSeeds = (argv: readonly string[]): number => {
  const { seeds, from, ops, report } = flagsOf(argv, { seeds: 1_000, from: 1, ops: OPS })
  const told = tallySeeds(from, seeds, ops)
  tellWrong(told, (seed) => [
    `replay: npm run sim -- run --seeds 1 --from ${seed} --ops ${ops}`,
    `shrink: npm run sim -- shrink ${seed} --ops ${ops}`,
  ])
  const { judge, hash, frames, wrong } = told
  const unmet = wrong.length === 0 ? unmetOf(judge, seeds) : []
  for (const line of unmet) process.stderr.write(`${line}\n`)
  const simulatedHours = frames / 48_000 / 3600
  const violations = wrong.length + unmet.length
  return report(violations === 0, { seeds, simulatedHours, violations, hash },
    `${seeds} seeds from ${from}, ${simulatedHours.toFixed(1)} simulated hours, ` +
    `${violations} violations, hash ${hash}`)
}

/** Coincidences that never came and rules that never were tested, of seeds that are enough. */
export const unmetOf = (judge: Judge, seeds: number): readonly string[] => seeds < ENOUGH ? [] : [
  ...COINCIDENCES.filter((what) => !judge.met.has(what)).map((what) => `never met: ${what}`),
  ...RULE_NAMES.filter((rule) => !judge.tested.has(rule)).map((rule) => `never tested: ${rule}`),
]
