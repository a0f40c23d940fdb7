// Makes a failing scenario small: takes out operations, then faults and settings, as long as it
// still fails.
import { flagsOf } from './arguments.js'
import { generate } from './generate.js'
import { Judge } from './judge.js'
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, scenarioText, type ButtonSpec, type FileSpec, type ListSpec,
  type Op, type Scenario,
} from './scenario.js'
import { judgeScenario, OPS } from './seeds.js'

/** The rule that a scenario breaks; null where it breaks none. */
const brokenRule = (scenario: Scenario): string | null => {
  const { wrong } = judgeScenario(scenario, new Judge())
  return wrong === null ? null : wrong.split(' ', 1)[0]!
}

const PLAYS_MAX = 3_000

type Fails = (scenario: Scenario) => boolean

export const shrinkScenario = (
  scenario: Scenario, breaks: (candidate: Scenario) => string | null,
): Scenario => {
  const rule = breaks(scenario)
  if (rule === null) return scenario
  let plays = 0
  const fails: Fails = (candidate) => {
    plays += 1
    return plays <= PLAYS_MAX && breaks(candidate) === rule
  }
  let now = cutTail(scenario, fails)
  for (let round = 0; round < 4; round += 1) {
    const before = scenarioText(now)
    now = { ...now, ops: fewerOps(now, fails) }
    now = plainer(now, fails)
    if (scenarioText(now) === before) break
  }
  return now
}

/** Nothing after the failure matters: by halving. */
const cutTail = (scenario: Scenario, fails: Fails): Scenario => {
  let low = 0
  let high = scenario.ops.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (fails({ ...scenario, ops: scenario.ops.slice(0, middle) })) high = middle
    else low = middle + 1
  }
  const cut = { ...scenario, ops: scenario.ops.slice(0, high) }
  return fails(cut) ? cut : scenario
}

/**
 * Delta debugging: ever smaller pieces are taken out; what passes in a gap is kept where needed.
 */
const fewerOps = (scenario: Scenario, fails: Fails): readonly Op[] => {
  let ops = scenario.ops
  for (let size = Math.max(1, ops.length >> 1); size >= 1; size = size >> 1) {
    for (let at = ops.length - size; at >= 0; at -= size) {
      const without = [...ops.slice(0, at), ...ops.slice(at + size)]
      if (fails({ ...scenario, ops: without })) {
        ops = without
        continue
      }
      const gone = ops.slice(at, at + size).reduce((sum, op) => sum + op.gap, 0)
      const next = ops[at + size]
      if (gone === 0 || next === undefined) continue
      const waiting = { ...next, gap: next.gap + gone }
      const later = [...ops.slice(0, at), waiting, ...ops.slice(at + size + 1)]
      if (fails({ ...scenario, ops: later })) ops = later
    }
  }
  return ops
}

/** Each setting that can be plain is made plain. */
const plainer = (scenario: Scenario, fails: Fails): Scenario => {
  let now = scenario
  const attempt = (candidate: Scenario): void => {
    if (fails(candidate)) now = candidate
  }
  scenario.ops.forEach((op, n) => {
    for (const simpler of simplerOps(op)) {
      attempt({ ...now, ops: now.ops.map((one, k) => (k === n ? simpler : one)) })
    }
  })
  scenario.files.forEach((_, n) => {
    for (const key of Object.keys(PLAIN_FILE) as (keyof FileSpec)[]) {
      if (key === 'frames' || now.files[n]![key] === PLAIN_FILE[key]) continue
      attempt({
        ...now,
        files: now.files.map((one, k) => (k === n ? { ...one, [key]: PLAIN_FILE[key] } : one)),
      })
    }
  })
  scenario.lists.forEach((_, n) => {
    for (const key of Object.keys(PLAIN_LIST) as (keyof typeof PLAIN_LIST)[]) {
      if (now.lists[n]![key] === PLAIN_LIST[key]) continue
      attempt(withList(now, n, (one) => ({ ...one, [key]: PLAIN_LIST[key] })))
    }
    plainButtons(scenario, n, () => now, attempt)
  })
  return now
}

const plainButtons = (
  scenario: Scenario, n: number, now: () => Scenario, attempt: (s: Scenario) => void,
): void => {
  scenario.lists[n]!.buttons.forEach((_, b) => {
    for (const key of Object.keys(PLAIN_BUTTON) as (keyof ButtonSpec)[]) {
      const button = now().lists[n]!.buttons[b]!
      if (key === 'kind' || key === 'file' || button[key] === PLAIN_BUTTON[key]) continue
      attempt(withList(now(), n, (list) => ({
        ...list,
        buttons: list.buttons.map((one, k) =>
          (k === b ? { ...one, [key]: PLAIN_BUTTON[key] } : one)),
      })))
    }
  })
  // A button that nothing names may go; the last of the last list does not change other names.
  const last = now().lists.length - 1
  while (n === last && now().lists[last]!.buttons.length > 1) {
    const before = now()
    attempt(withList(before, last, (list) => ({ ...list, buttons: list.buttons.slice(0, -1) })))
    if (now() === before) return
  }
}

const withList = (scenario: Scenario, n: number, change: (list: ListSpec) => ListSpec): Scenario =>
  ({ ...scenario, lists: scenario.lists.map((list, k) => (k === n ? change(list) : list)) })

/** The same operation with less in it. */
const simplerOps = (op: Op): readonly Op[] => {
  const found: Op[] = []
  if (op.gap !== 0) found.push({ ...op, gap: 0 })
  if (op.gap > 48) found.push({ ...op, gap: Math.round(op.gap / 48_000) * 48_000 })
  if (op.again === true) found.push({ ...op, again: false })
  if ('options' in op && Object.keys(op.options).length > 0) {
    found.push({ ...op, options: {} })
    for (const key of Object.keys(op.options)) {
      const rest = Object.entries(op.options).filter(([name]) => name !== key)
      found.push({ ...op, options: Object.fromEntries(rest) })
    }
  }
  if ('fadeMs' in op && op.fadeMs !== null) found.push({ ...op, fadeMs: null })
  if ('busyFor' in op && op.busyFor !== 0) found.push({ ...op, busyFor: 0 })
  return found
}

export const shrink = (argv: readonly string[]): number => {
  const flags = flagsOf(argv, ['ops'], ['json'])
  const seed = Number(flags.words[0])
  if (!Number.isSafeInteger(seed)) {
    process.stderr.write('shrink takes a seed\n')
    return 2
  }
  const scenario = generate(seed, flags.number('ops', OPS))
  const rule = brokenRule(scenario)
  if (rule === null) {
    process.stderr.write(`seed ${seed} breaks no rule\n`)
    return 0
  }
  const small = shrinkScenario(scenario, brokenRule)
  const { wrong } = judgeScenario(small, new Judge())
  process.stderr.write(`${small.ops.length} operations: ${String(wrong)}\n`)
  process.stdout.write(scenarioText({ ...small, note: String(wrong) }))
  return 1
}
