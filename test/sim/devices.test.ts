// The sound path with a virtual device: a fixed range breaks no rule, and planted bugs are found.
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tallyDevices } from '../../sim/devices/devices.js'
import { MUTANTS } from '../../sim/mutants/mutant-list.js'
import { scopeOf } from '../../sim/mutants/mutant-tree.js'
import { huntAll } from '../../sim/mutants/mutants.js'
// @ts-expect-error a plain script
import { compile } from '../../sim/start.mjs'

const ROOT = resolve(import.meta.dirname, '../..')
let folder = ''

beforeAll(async () => {
  await (compile as () => Promise<string>)()
  folder = mkdtempSync(join(ROOT, '.cache', 'devices-test-'))
}, 60_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the sound path with a virtual device', () => {
  test('breaks no rule in a range of seeds, and is the same again', () => {
    const { wrong, gaps, hash } = tallyDevices(1, 16)
    expect(wrong).toEqual([])
    expect(gaps).toBeGreaterThan(5)
    expect(tallyDevices(1, 16).hash).toBe(hash)
  }, 120_000)

  // Some of the list take up to a hundred seeds; `npm run sim -- mutants` finds them.
  test('shows planted bugs of feeder, queue, output and process in its first seeds', async () => {
    const bugs = MUTANTS.map((mutant, n) => ({ n: n + 1, mutant }))
      .filter(({ mutant }) => scopeOf(mutant) === 'device')
    const hunted = await huntAll(bugs, {
      root: ROOT, folder: join(folder, 'hunt'), from: 1, seeds: 8, jobs: 2, hangMs: 60_000,
      say: () => undefined,
    })
    const killed = hunted.filter(({ verdict }) => verdict.kind === 'killed')
    expect(killed.length).toBeGreaterThanOrEqual(12)
  }, 400_000)
})
