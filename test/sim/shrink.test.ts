// Shrinking: a failure of two hundred operations becomes a handful, and stays the same failure.
import { describe, expect, test } from 'vitest'
import { generate } from '../../sim/scenario/generate.js'
import { Judge } from '../../sim/oracle/judge.js'
import { playPlainly } from '../../sim/play/play.js'
import { parseScenario, type Scenario } from '../../sim/scenario/scenario.js'
import { shortText } from '../../sim/scenario/scenario-text.js'
import { judgeScenario } from '../../sim/play/seeds.js'
import { failingOf, shrinkScenario, type Breaks, type Failing } from '../../sim/shrink/shrink.js'

/** Stands in for a fault of the engine: something was stopped that was paused before. */
const stopsPaused: Breaks = (scenario) => {
  const paused = new Set<string>()
  for (const record of playPlainly(scenario, null).records) {
    const [at, kind, , run = '', state] = record.split(' ')
    if (kind !== 'run') continue
    if (state === 'paused') paused.add(run)
    else if (state === 'stopped' && paused.has(run)) {
      return { rule: 'a paused run was stopped', at: Number(at), told: record }
    } else paused.delete(run)
  }
  return null
}

const failing = (scenario: Scenario): Failing[] => {
  const failure = stopsPaused(scenario)
  return failure === null ? [] : [{ failure, breaks: stopsPaused }]
}

describe('shrinking', () => {
  const long = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => generate(seed, 200))
    .filter((scenario) => failing(scenario).length > 0)

  test('there are failures to shrink', () => {
    expect(long.length).toBeGreaterThan(2)
  })

  test.each(long.map((scenario) => [scenario.seed, scenario] as const))(
    'seed %i: at most five operations are left, they still fail, and nothing in them is idle',
    (_, scenario) => {
      const { scenario: small, failure } = shrinkScenario(scenario, failing(scenario)[0]!)
      expect(stopsPaused(small)).toEqual(failure)
      expect(small.ops.length).toBeLessThanOrEqual(5)
      for (let n = 0; n < small.ops.length; n += 1) {
        const without = { ...small, ops: small.ops.filter((__, k) => k !== n) }
        expect(stopsPaused(without)).toBeNull()
      }
      const named = small.ops.flatMap((op) => ('button' in op ? [op.button] : []))
      const buttons = small.lists.reduce((sum, { buttons: own }) => sum + own.length, 0)
      expect(buttons).toBe(new Set(named).size)
      expect(small.files.length).toBeLessThanOrEqual(buttons)
    },
  )

  test('it is deterministic', () => {
    const [scenario] = long
    const texts = [1, 2].map(() =>
      shortText(shrinkScenario(scenario!, failing(scenario!)[0]!).scenario))
    expect(texts[0]).toBe(texts[1])
  })

  test('what does not fail has nothing to shrink', () => {
    expect(failingOf(generate(3, 10))).toBeNull()
  })
})

describe('the text of a scenario', () => {
  test('one operation a line, without what is plain; read back it is the same scenario', () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const scenario = generate(seed, 30)
      const text = shortText(scenario)
      expect(parseScenario(text)).toEqual(scenario)
      const lines = text.split('\n').filter((line) => line.includes('"op": '))
      expect(lines.length).toBe(scenario.ops.length)
      expect(text.split('"lists"')[0]).not.toContain('"missing": false')
    }
  })

  test('a scenario that was read back is judged alike', () => {
    const scenario = generate(11, 40)
    const again = parseScenario(shortText(scenario))
    expect(judgeScenario(again, new Judge()).hash)
      .toBe(judgeScenario(scenario, new Judge()).hash)
  })
})
