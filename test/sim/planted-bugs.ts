// Hunts planted bugs of one scope by their names, in copies that are removed behind the tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { MUTANTS } from '../../sim/mutants/mutant-list.js'
import { scopeOf, type Scope } from '../../sim/mutants/mutant-tree.js'
import { huntAll } from '../../sim/mutants/mutants.js'
// @ts-expect-error a plain script
import { compile } from '../../sim/start.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Seeds 1 to `seeds` must find the bug. */
export const plantedBugs = (scope: Scope) => {
  let folder = ''
  beforeAll(async () => {
    await (compile as () => Promise<string>)()
    folder = mkdtempSync(join(root, '.cache', `${scope}-test-`))
  }, 60_000)
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return async (name: string, seeds: number): Promise<void> => {
    const mutant = MUTANTS.find((one) => scopeOf(one) === scope && one.name === name)
    if (mutant === undefined) expect.fail('no bug has this name')
    const [hunted] = await huntAll([mutant], {
      root, folder: join(folder, 'hunt'), from: 1, seeds, jobs: 1, hangMs: 60_000,
      say: () => undefined,
    })
    expect(hunted?.verdict).toMatchObject({ kind: 'killed' })
  }
}
