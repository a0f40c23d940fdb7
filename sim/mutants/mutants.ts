// Plants one bug at a time in a frozen copy of the engine; the rule it stands for must find it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { flagsOf, Usage } from '../commands/arguments.js'
import { hunt } from './mutant-hunt.js'
import { MUTANTS } from './mutant-list.js'
import { Unfit, type Mutant } from './mutant-place.js'
import { openTree, scopeOf, type MutantTree } from './mutant-tree.js'
import type { Verdict } from './mutant-worker.js'
import { DEVICE_RULES } from '../devices/device-rules.js'
import { RULE_NAMES } from '../oracle/rules.js'
import { THREADS_RULES } from '../threads/threads-rules.js'

export interface HuntPlan {
  readonly root: string
  /** Copies are made here, and removed at the end. */
  readonly folder: string
  readonly from: number
  readonly seeds: number
  /** How many bugs are hunted at a time. */
  readonly jobs: number
  readonly hangMs: number
  readonly say: (line: string) => void
}

export interface Hunted {
  readonly mutant: Mutant
  readonly verdict: Verdict
}

const HANG_MS = 30_000

/** What became of each bug, in the order of the list. */
export const huntAll = async (
  bugs: readonly Mutant[], plan: HuntPlan,
): Promise<readonly Hunted[]> => {
  const { root, folder, from, seeds, say } = plan
  try {
    const tree = await openTree(root, folder)
    const unfit = bugs.flatMap((mutant) => unfitOf(mutant, tree))
    for (const one of unfit) say(lineOf(one, 0))
    if (unfit.length > 0) return unfit
    const all: Hunted[] = []
    const queue = [...bugs]
    const work = async (): Promise<void> => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const begin = Date.now()
        const planted = tree.plant(mutant)
        const order = { planted, base: tree.base, rule: mutant.rule, from, seeds }
        const scope = scopeOf(mutant)
        const one = { mutant, verdict: await hunt({ ...order, scope }, plan.hangMs) }
        rmSync(planted, { recursive: true })
        all.push(one)
        say(lineOf(one, (Date.now() - begin) / 1000))
      }
    }
    await Promise.all(Array.from({ length: plan.jobs }, work))
    return all.sort((a, b) => a.mutant.n - b.mutant.n)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All are tried before the first hunt: one that cannot be planted is told at once. */
const unfitOf = (mutant: Mutant, tree: MutantTree): readonly Hunted[] => {
  try {
    tree.prepare(mutant)
    return []
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return [{ mutant, verdict: { kind: 'unfit', told: error.message } }]
  }
}

const lineOf = ({ mutant: { n, rule, name }, verdict }: Hunted, seconds: number): string =>
  `${n}. ${rule}: ${name}: ${seconds.toFixed(1)} s, ${toldOf(verdict)}`

const toldOf = (verdict: Verdict): string => {
  if (verdict.kind === 'unfit') return `PROVES NOTHING: ${verdict.told}`
  if (verdict.kind === 'killed') return `seed ${verdict.seed}, ${verdict.told.slice(0, 120)}`
  return verdict.found === null ? 'LIVES' : `LIVES: found, but by ${verdict.found}`
}

const BEGIN = '<!-- npm run sim -- mutants --write writes from here -->'
const END = '<!-- to here -->'

/** Puts what was found into the documentation; a rule that finds no bug stands there too. */
const writeTable = (hunted: readonly Hunted[], root: string): void => {
  const rows = [
    ...RULE_NAMES, ...Object.keys(DEVICE_RULES), ...Object.keys(THREADS_RULES),
  ].map((rule) => {
    const found = hunted.filter(({ mutant, verdict }) =>
      mutant.rule === rule && verdict.kind === 'killed' && verdict.rule === rule)
    return `| \`${rule}\` | ${found.map(({ mutant }) => mutant.name).join('; ')} |`
  })
  const page = join(root, 'docs', 'simulation.md')
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(BEGIN)
  const table = ['', '', '| Rule | Finds |', '|---|---|', ...rows, '', ''].join('\n')
  writeFileSync(page, before + BEGIN + table + END + (rest.split(END)[1] ?? ''))
}

/** Those of these numbers and rules; all where none is named. */
const chosen = (words: readonly string[]): readonly Mutant[] => {
  const isMeant = (word: string, { n, rule }: Mutant): boolean =>
    word === rule || Number(word) === n
  const nobody = words.find((word) => !MUTANTS.some((mutant) => isMeant(word, mutant)))
  if (nobody !== undefined) {
    throw new Usage(`no bug has the number or the rule ${nobody}: there are ${MUTANTS.length}, ` +
      'and each begins with its rule, such as 3.2/stop-fade')
  }
  return MUTANTS.filter((mutant) =>
    words.length === 0 || words.some((word) => isMeant(word, mutant)))
}

export const mutants = async (argv: readonly string[], root: string): Promise<number> => {
  const cores = availableParallelism()
  const usual = { seeds: 10_000, from: 1, jobs: cores, write: false }
  const { seeds, from, jobs, write, words, report } = flagsOf(argv, usual, Infinity)
  if (write && words.length > 0) throw new Usage('--write takes all bugs')
  const bugs = chosen(words)
  const hunted = await huntAll(bugs, {
    root, folder: join(root, '.cache', `mutants-${process.pid}`),
    from, seeds, jobs: Math.max(1, Math.min(jobs, cores)), hangMs: HANG_MS,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  const killed = hunted.filter(({ verdict }) => verdict.kind === 'killed').length
  const survived = bugs.length - killed
  if (write) writeTable(hunted, root)
  return report(survived === 0, { mutants: bugs.length, killed, survived },
    `${bugs.length} mutants, ${killed} killed, ${survived} survived`)
}
