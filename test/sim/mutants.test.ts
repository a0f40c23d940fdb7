// The hunt for planted bugs: what is a death, what is none, and what is an error of the list.
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hunt } from '../../sim/mutants/mutant-hunt.js'
import type { Mutant } from '../../sim/mutants/mutant-place.js'
import { openTree } from '../../sim/mutants/mutant-tree.js'
import { huntAll, type HuntPlan } from '../../sim/mutants/mutants.js'
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
}, 60_000)

afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const planOf = (said: string[]): HuntPlan => ({
  root: ROOT, folder: folder(), from: 1, seeds: 12, jobs: 2, hangMs: 6_000,
  say: (line) => said.push(line),
})

const outcomeOf = async (bugs: readonly Mutant[]) => {
  const said: string[] = []
  const hunted = await huntAll(bugs.map((one, at) => ({ ...one, n: at + 1 })), planOf(said))
  return { said, verdicts: hunted.map(({ verdict }) => verdict) }
}

const bug = (rule: string, name: string, change: string): Mutant => ({ n: 1, rule, name, change })

const MADE = 'const retention = msToFrames(options.retentionMs)'
const NOW = 'get now(): Frame { return [[this.#context.now -> NEW]] }'

const DEADLY = bug('3.2/stop-fade', 'a fade is too long',
  'begin, end: add(begin, frames [[-> + 1]]), from')

describe('a planted bug', () => {
  test('dies by its rule, a crash, a thread that goes away, by hanging; or it lives', async () => {
    const { verdicts, said } = await outcomeOf([
      DEADLY,
      bug('3.2/start', 'no engine',
        `[[-> if (options.retentionMs > 0) throw new Error('boom');]] ${MADE}`),
      bug('3.2/start', 'no thread', `[[-> process.exit(3);]] ${MADE}`),
      bug('3.2/start', 'no end', `[[-> for (;;);]] ${MADE}`),
      bug('3.2/start', 'other words', "[['bug: time does not go back' -> 'bug: back in time']]"),
      { ...DEADLY, rule: '1/navigation' },
    ])
    expect(verdicts).toMatchObject([
      { kind: 'killed', rule: '3.2/stop-fade' },
      { kind: 'killed', rule: 'crash', told: 'boom', seed: 1 },
      { kind: 'killed', rule: 'crash', seed: 1 },
      { kind: 'killed', rule: 'hung', seed: 1 },
      { kind: 'lives', found: null },
      { kind: 'lives', found: expect.stringMatching(/\//) as string },
    ])
    const told = said.join('\n')
    expect(told).toMatch(/^1\. 3\.2\/stop-fade: a fade is too long: \d+\.\d s, seed \d+, /m)
    expect(told).toMatch(/^6\. .+ LIVES: found, but by \S+\/\S+$/m)
  }, 60_000)

  test('that cannot be planted is an error of the list, and nothing is hunted', async () => {
    const { verdicts, said } = await outcomeOf([
      DEADLY,
      bug('3.2/start', 'not there', 'no [[such -> other]] words { in it'),
      bug('3.2/start', 'too often', 'return [[-> 0 *]]'),
      bug('3.2/start', 'no code', NOW.replace('NEW', '???')),
      bug('3.2/start', 'no change', 'return'),
    ])
    expect(verdicts.map(({ kind }) => kind)).toEqual(['unfit', 'unfit', 'unfit', 'unfit'])
    const told = said.join('\n')
    expect(told).toMatch(/^2\. .+ not there: .+ PROVES NOTHING: no place in .+ of no \[\[such/m)
    expect(told).toMatch(/^3\. .+ PROVES NOTHING: \d+ places have its shape, in /m)
    expect(told).toMatch(/^4\. .+ PROVES NOTHING: src\/engine\/engine\.ts does not compile/m)
    expect(said).toHaveLength(4)
  }, 60_000)

  test('that names what does not exist dies by no rule: it is an error of the list', async () => {
    const { verdicts } = await outcomeOf([
      bug('3.2/start', 'unknown name', NOW.replace('NEW', 'noSuchName')),
      bug('3.2/start', 'unknown import',
        "[[-> import './no-such-file.js';]] export class Engine { readonly"),
    ])
    expect(verdicts.map(({ kind }) => kind)).toEqual(['unfit', 'unfit'])
  }, 60_000)

  test('proves nothing by a seed that fails without it too', async () => {
    const tree = await openTree(ROOT, folder())
    const planted = tree.plant(DEADLY)
    const order = { planted, rule: DEADLY.rule, scope: 'scenario', from: 1, seeds: 12 } as const
    expect(await hunt({ ...order, base: tree.base }, 6_000)).toMatchObject({ kind: 'killed' })
    expect(await hunt({ ...order, base: planted }, 6_000)).toMatchObject({
      kind: 'unfit', told: expect.stringMatching(/^seed \d+ fails without it too/) as string,
    })
  }, 60_000)
})
