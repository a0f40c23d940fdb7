// Shrinking: a failure of two hundred operations becomes a handful, and stays the same failure.
import { describe, expect, test } from 'vitest'
import { generate } from '../../sim/generate.js'
import { playPlainly } from '../../sim/play.js'
import type { Scenario } from '../../sim/scenario.js'
import { shrinkScenario } from '../../sim/shrink.js'

/** Stands in for a fault of the engine: something was stopped that was paused before. */
const stopsPaused = (scenario: Scenario): string | null => {
  const paused = new Set<string>()
  for (const record of playPlainly(scenario, null).records) {
    const [, kind, , run = '', state] = record.split(' ')
    if (kind !== 'run') continue
    if (state === 'paused') paused.add(run)
    else if (state === 'stopped' && paused.has(run)) return 'a paused run was stopped'
    else paused.delete(run)
  }
  return null
}

describe('shrinking', () => {
  const long = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => generate(seed, 200))
    .filter((scenario) => stopsPaused(scenario) !== null)

  test('there are failures to shrink', () => {
    expect(long.length).toBeGreaterThan(2)
  })

  test.each(long.map((scenario) => [scenario.seed, scenario] as const))(
    'seed %i: at most five operations are left, and they still fail', (_, scenario) => {
      const small = shrinkScenario(scenario, stopsPaused)
      expect(stopsPaused(small)).not.toBeNull()
      expect(small.ops.length).toBeLessThanOrEqual(5)
    },
  )

  test('what does not fail is left alone', () => {
    const scenario = generate(3, 10)
    expect(shrinkScenario(scenario, () => null)).toBe(scenario)
  })
})
