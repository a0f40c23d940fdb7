// Makes a failing scenario small: takes out what it can, as long as the same rule is broken.
import { flagsOf, Usage } from '../commands/arguments.js'
import { generate } from '../scenario/generate.js'
import { Judge, type Failure } from '../oracle/judge.js'
import { playPlainly } from '../play/play.js'
import { failureLines } from '../commands/tally.js'
import { PLAINER } from './plainer.js'
import type { Op, Scenario } from '../scenario/scenario.js'
import { shortText } from '../scenario/scenario-text.js'
import { judgeScenario, OPS } from '../play/seeds.js'

/** How a scenario fails; null where nothing is wrong. */
export type Breaks = (candidate: Scenario) => Failure | null

/** A bound on the plays of one search; two hundred operations take about a hundred. */
const PLAYS_MAX = 3_000
const ROUNDS_MAX = 6

/**
 * How a scenario fails, and how to tell whether another does; null where nothing is wrong. The
 * second run is played only where it is what went wrong: half of the time is saved.
 */
export const failingOf = (scenario: Scenario) => {
  for (const play of [playPlainly, judgeScenario]) {
    const breaks: Breaks = (candidate) => play(candidate, new Judge()).violation
    const failure = breaks(scenario)
    if (failure !== null) return { failure, breaks }
  }
  return null
}
export type Failing = NonNullable<ReturnType<typeof failingOf>>

export const shrinkScenario = (whole: Scenario, { failure, breaks }: Failing): Search => {
  const search = new Search(whole, failure, breaks)
  search.cutToFailure()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = search.scenario
    search.fewerOps()
    search.plainer()
    if (search.scenario === before) break
  }
  return search
}

/** The smallest scenario found so far. */
class Search {
  plays = 0

  constructor(
    public scenario: Scenario, public failure: Failure, private readonly breaks: Breaks,
  ) {}

  /** Takes the candidate where it breaks the same rule. */
  attempt(candidate: Scenario): boolean {
    if (this.plays >= PLAYS_MAX) return false
    this.plays += 1
    const failure = this.breaks(candidate)
    if (failure?.rule !== this.failure.rule) return false
    this.scenario = candidate
    this.failure = failure
    return true
  }

  withOps(ops: readonly Op[]): boolean {
    return this.attempt({ ...this.scenario, ops })
  }

  /** Nothing after the failure matters: whether what is left by its frame still fails. */
  cutToFailure(): boolean {
    const { ops } = this.scenario
    const count = opsUntil(ops, this.failure.at)
    return count === ops.length || this.withOps(ops.slice(0, count))
  }

  /**
   * Delta debugging: ever smaller pieces are taken out, the earliest first; where the time that
   * passed in a piece is needed, what comes next waits for as long.
   */
  fewerOps(): void {
    for (let size = Math.max(1, this.scenario.ops.length >> 1); size >= 1; size >>= 1) {
      let at = 0
      while (at < this.scenario.ops.length) if (!this.#takeOut(at, size)) at += size
    }
  }

  #takeOut(at: number, size: number): boolean {
    const { ops } = this.scenario
    const rest = ops.toSpliced(at, size)
    const time = ops.slice(at, at + size).reduce((sum, op) => sum + op.gap, 0)
    const next = rest[at]
    const taken = this.withOps(rest) || (next !== undefined && time > 0 &&
      this.withOps(rest.with(at, { ...next, gap: next.gap + time })))
    // With less before it the failure may come sooner.
    if (taken) this.cutToFailure()
    return taken
  }

  plainer(): void {
    for (const candidates of PLAINER) {
      // The list of candidates is made anew where one of them was taken.
      let list = candidates(this.scenario)
      for (let n = 0; n < list.length;) {
        if (this.attempt(list[n]!)) list = candidates(this.scenario)
        else n += 1
      }
    }
  }
}

/** How many operations there are until a frame; those at one moment belong together. */
const opsUntil = (ops: readonly Op[], frame: number): number => {
  let at = 0
  let count = 0
  for (const op of ops) {
    if (at >= frame && op.gap > 0 && count > 0) break
    at += op.gap
    count += 1
  }
  return count
}

export const shrink = (argv: readonly string[]): number => {
  const { ops, json, words, report } = flagsOf(argv, { ops: OPS }, 1)
  const [word = ''] = words
  const seed = Number(word)
  // As `run` counts: every whole number up to 2^53.
  if (!/^[0-9]+$/.test(word) || !Number.isSafeInteger(seed)) {
    throw new Usage('shrink takes one seed up to 2^53: npm run sim -- shrink 4711')
  }
  const say = (line: string): unknown => process.stderr.write(`${line}\n`)
  const whole = generate(seed, ops)
  const failing = failingOf(whole)
  if (failing === null) {
    say(`seed ${seed} with ${ops} operations breaks no rule: there is nothing to shrink`)
    return json ? report(true, { seed, rule: null, operations: null, plays: null }, '') : 0
  }
  const { scenario, failure, plays } = shrinkScenario(whole, failing)
  const { rule, at, told } = failure
  const operations = scenario.ops.length
  say(`seed ${seed}: ${whole.ops.length} operations shrunk to ${operations} by ${plays} plays`)
  for (const line of failureLines(failure)) say(line)
  say(`  keep:   npm run --silent sim -- shrink ${seed} --ops ${ops} > sim/corpus/runs/NAME.json`)
  say('  replay: npm run sim -- replay sim/corpus/runs/NAME.json')
  if (json) return report(false, { seed, rule, operations, plays }, '')
  process.stdout.write(shortText({ ...scenario, note: `${rule} at frame ${at}: ${told}` }))
  return 1
}
