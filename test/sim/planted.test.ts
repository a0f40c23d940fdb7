// Real bugs, planted in copies: found in generated seeds, shrunk to a handful, told plainly.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MUTANTS } from '../../sim/mutants/mutant-list.js'
import { openTree, type MutantTree } from '../../sim/mutants/mutant-tree.js'
import { parseScenario } from '../../sim/scenario/scenario.js'
import { spendRecorded } from './recorded-house.js'
// @ts-expect-error a plain script
import { compile } from '../../sim/start.mjs'

const ROOT = resolve(import.meta.dirname, '../..')
const OPS = '200'
/** Found by a state, by a sound, by an answer. */
const BUGS = [
  'natural_end after stop', 'a fade that is taken over begins at full gain',
  'a newer run makes a resume stale',
]

let folder = ''
let tree: MutantTree

beforeAll(async () => {
  await (compile as () => Promise<string>)()
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  folder = mkdtempSync(join(ROOT, '.cache', 'planted-test-'))
  tree = await openTree(ROOT, join(folder, 'tree'))
}, 60_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The command line of a copy, as `npm run sim --` starts it in the tree. */
const simIn = (copy: string) => (...words: readonly string[]) => {
  const main = pathToFileURL(join(copy, 'sim', 'main.js')).href
  const code = `import { main } from ${JSON.stringify(main)}
    process.exitCode = await main(process.argv.slice(1), ${JSON.stringify(ROOT)})`
  const { status, stdout, stderr } = spawnSync(
    process.execPath, ['--input-type=module', '-e', code, '--', ...words], { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

const planted = (name: string): string =>
  tree.plant(MUTANTS.find((one) => one.name === name)!)

/** The first seed at which a range breaks off, with the rule that it breaks. */
const firstFailure = (sim: ReturnType<typeof simIn>): { seed: string; rule: string } => {
  for (let from = 1; from < 400; from += 8) {
    const { status, stderr } = sim('run', '--seeds', '8', '--from', String(from), '--ops', OPS)
    if (status === 0) continue
    const [, seed = '', rule = ''] = /^seed (\d+): (\S+) at frame/.exec(stderr) ?? []
    return { seed, rule }
  }
  throw new Error('no seed found it')
}

describe('a planted bug', () => {
  test.each(BUGS.map((name, n) => [name, n] as const))(
    '"%s" is found, told, shrunk to five operations or fewer, and gone with the bug', (name, n) => {
      const sick = simIn(planted(name))
      const well = simIn(tree.base)
      const { seed, rule } = firstFailure(sick)
      const told = sick('run', '--seeds', '1', '--from', seed, '--ops', OPS)
      const again = `npm run sim -- run --seeds 1 --from ${seed} --ops ${OPS}`
      expect(told.status).toBe(1)
      expect(told.stderr).toMatch(new RegExp(
        `^seed ${seed}: ${rule} at frame \\d+ \\(\\d+:\\d\\d:\\d\\d\\.\\d{3}\\): .+\n` +
        `  the rule: .+\n  replay: ${again}\n` +
        `  shrink: npm run sim -- shrink ${seed} --ops ${OPS}\n`,
      ))
      expect(well('run', '--seeds', '1', '--from', seed, '--ops', OPS).status).toBe(0)

      const { status, stdout, stderr } = sick('shrink', seed, '--ops', OPS)
      expect([status, stderr]).toEqual([1, expect.stringContaining('shrunk to')])
      const small = parseScenario(stdout)
      expect(small.ops.length).toBeLessThanOrEqual(5)
      expect(small.note).toContain(`${rule} at frame `)
      const file = join(folder, `${String(n)}.json`)
      writeFileSync(file, stdout)
      const replayed = sick('replay', file)
      expect([replayed.status, replayed.stderr]).toEqual([1, expect.stringContaining(rule)])
      expect(well('replay', file)).toMatchObject({ status: 0, stderr: '' })
    }, 60_000,
  )

  test('that exhaust finds is told with its rule, and what is told replays', () => {
    const { status, stderr } = simIn(planted(BUGS[0]!))('exhaust', '--depth', '1')
    const [first, rule, again, ...rest] = stderr.split('\n')
    expect([status, first, rule, again]).toEqual([1,
      expect.stringMatching(/^plain: 3\.2\/stop-fade at frame 4800 \(0:00:00\.100\): /),
      expect.stringMatching(/^ {2}the rule: stop with a fade/),
      '  replay: npm run sim -- replay FILE, of this as FILE:'])
    const file = join(folder, 'exhausted.json')
    writeFileSync(file, rest.slice(0, rest.indexOf('}') + 1).join('\n'))
    const replayed = simIn(planted(BUGS[0]!))('replay', file)
    expect(replayed.status).toBe(1)
    expect(replayed.stderr).toContain('3.2/stop-fade')
  }, 60_000)

  test('that the year finds is told on stderr, with the line that plays it again', () => {
    const sick = simIn(planted('a fade lasts a frame too long'))
    const { status, stderr } = sick('year', '--days', '1')
    expect([status, stderr]).toEqual([1, expect.stringMatching(
      /^year of 1 days: \S+ at frame \d+: .+\nagain: npm run sim -- year --days 1\n$/,
    )])
  }, 60_000)

  test('shows in the replay of a night that was recorded without it', async () => {
    const file = join(folder, 'night')
    await spendRecorded(parseScenario(JSON.stringify({
      version: 1, seed: 3, files: [{ frames: 96_000 }],
      lists: [{ buttons: [{ file: 0 }] }],
      ops: [
        { gap: 0, op: 'play', button: 0, options: {} },
        { gap: 48_000, op: 'stop', button: 0, run: null, fadeMs: 3_000 },
        { gap: 96_000, op: 'wait' },
      ],
    })), file, { partBytes: 1_000_000, parts: 2 })
    expect(simIn(tree.base)('replay', file)).toMatchObject({ status: 0, stderr: '' })
    const { status, stderr } = simIn(planted(BUGS[0]!))('replay', file)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^different: until frame 96\d{3} \(0:00:02\.\d{3}\) after frame /)
    expect(stderr).toMatch(/, and not the same:\n {2}frame 96\d{3} .*: completed, natural_end, /)
  })
})
