// The hunt for planted bugs: what is a death, what is none, and what is an error of the list.
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hunt } from '../../sim/mutant-hunt.js'
import { at, type Mutant } from '../../sim/mutant-shape.js'
import { Nursery } from '../../sim/mutant-tree.js'
import { huntAll, type HuntPlan } from '../../sim/mutants.js'
// @ts-expect-error a plain script
import { compile } from '../../sim/start.mjs'

const ROOT = resolve(import.meta.dirname, '../..')
const folders: string[] = []

const folder = (): string => {
  const made = mkdtempSync(join(ROOT, '.cache', 'mutants-test-'))
  folders.push(made)
  return made
}

beforeAll(async () => {
  await (compile as () => Promise<string>)()
})

afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const planOf = (said: string[]): HuntPlan => ({
  root: ROOT, folder: folder(), from: 1, seeds: 12, jobs: 2, hangMs: 2_000,
  say: (line) => said.push(line),
})

const outcomeOf = async (bugs: readonly Mutant[]) => {
  const said: string[] = []
  const { fates, clean } = await huntAll(bugs.map((mutant, n) => ({ n: n + 1, mutant })),
    planOf(said))
  return { said, clean, fates: fates.map(({ fate }) => fate) }
}

const NOW = 'get now(): Frame {\n    return this.#world.now'
const MADE = 'const retention = frame(options.retentionMs * FRAMES_PER_MS)'

const DEADLY = at('transport.ts', 'a stop is ignored', "stop: 'fade_to_stop' },\n  pausing",
  "stop: 'none' },\n  pausing")

describe('a planted bug', () => {
  test('dies by a rule, a crash, a thread that goes away, by hanging; or it lives', async () => {
    const { fates, clean, said } = await outcomeOf([
      DEADLY,
      at('engine.ts', 'no engine', MADE,
        `if (options.retentionMs > 0) throw new Error('boom')\n${MADE}`),
      at('engine.ts', 'no thread', MADE, `process.exit(3)\n${MADE}`),
      at('engine.ts', 'no end', MADE, `for (;;);\n${MADE}`),
      at('engine.ts', 'other words', "'bug: time does not go back'", "'bug: back in time'"),
    ])
    expect(clean).toBe(true)
    expect(fates).toMatchObject([
      { kind: 'killed', rule: expect.stringMatching(/^3\.2\//) as string },
      { kind: 'killed', rule: 'crash', told: 'boom', seed: 1 },
      { kind: 'killed', rule: 'crash', seed: 1 },
      { kind: 'killed', rule: 'hung', seed: 1 },
      { kind: 'lives' },
    ])
    const line = said.find((text) => text.startsWith('1. '))
    expect(line).toMatch(/^1\. a stop is ignored: seed \d+, 3\.2\/[\w-]+, \d+\.\d s: /)
  }, 30_000)

  test('that cannot be planted is an error of the list, and nothing is hunted', async () => {
    const { fates, said } = await outcomeOf([
      DEADLY,
      at('engine.ts', 'not there', 'no such words in it', ''),
      at('engine.ts', 'too often', 'return', ''),
      at('engine.ts', 'no code', NOW, `${NOW} ???`),
      at('no-such-file.ts', 'no file', 'a', 'b'),
    ])
    expect(fates.map(({ kind }) => kind)).toEqual(['unfit', 'unfit', 'unfit', 'unfit'])
    expect(said.join('\n')).toMatch(/2\. not there: CANNOT BE PLANTED: its words stand 0 times/)
    expect(said.join('\n')).toMatch(/4\. no code: CANNOT BE PLANTED: engine\.ts does not compile/)
    expect(said).toHaveLength(4)
  }, 30_000)

  test('that names what does not exist dies by no rule: it is an error of the list', async () => {
    const { fates } = await outcomeOf([
      at('engine.ts', 'unknown name', NOW, 'get now(): Frame {\n    return noSuchName'),
      at('engine.ts', 'unknown import', "from './gate.js'", "from './no-such-gate.js'"),
    ])
    expect(fates.map(({ kind }) => kind)).toEqual(['unfit', 'unfit'])
  }, 30_000)

  test('is not found by a seed that fails without it too', async () => {
    const nursery = await Nursery.open(ROOT, folder())
    const [planted, base] = [nursery.plot(0), nursery.plot(1)]
    planted.plant(nursery.prepare(DEADLY))
    const spoiled: number[] = []
    const order = {
      planted: planted.folder, from: 1, seeds: 12, ops: 40, hangMs: 2_000,
      onSpoiled: (seed: number) => spoiled.push(seed),
    }
    const fate = await hunt({ ...order, base: nursery.base })
    expect(fate.kind).toBe('killed')
    base.plant(nursery.prepare(DEADLY))
    expect(await hunt({ ...order, base: base.folder })).toEqual({ kind: 'lives' })
    expect(spoiled.length).toBeGreaterThan(0)
  }, 30_000)
})
