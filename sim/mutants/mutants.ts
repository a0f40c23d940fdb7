// Plants one bug at a time in a frozen copy of the engine; the rule it stands for must find it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { flagsOf, Usage } from '../commands/arguments.js'
import { hunt, type Fate } from './mutant-hunt.js'
import { MUTANTS } from './mutant-list.js'
import { Unfit, type Mutant } from './mutant-place.js'
import { MutantTree, scopeOf, type PreparedMutant } from './mutant-tree.js'
import { DEVICE_RULES } from '../devices/device-rules.js'
import { RULE_NAMES } from '../oracle/rules.js'
import { OPS } from '../play/seeds.js'

/** A bug of the list with its number there, counted from 1. */
export interface Numbered {
  readonly n: number
  readonly mutant: Mutant
}

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

export interface Catch {
  /** In the order of the list. */
  readonly fates: readonly (Numbered & { readonly fate: Fate })[]
  /** The code without any bug broke no rule. */
  readonly clean: boolean
}

const SEEDS = 10_000
const HANG_MS = 30_000
/** The seeds that the code without a bug is played on first; every kill is compared with it too. */
const BASELINE = 500

export const huntAll = async (bugs: readonly Numbered[], plan: HuntPlan): Promise<Catch> => {
  const { root, folder, say } = plan
  try {
    const tree = await MutantTree.open(root, folder)
    const { fit, unfit } = sort(bugs, tree)
    for (const { n, mutant, fate } of unfit) say(lineOf(n, mutant, fate, 0))
    if (unfit.length > 0) return { fates: unfit, clean: true }
    const clean = await isClean(tree, plan)
    const fates: (Numbered & { fate: Fate })[] = []
    const queue = [...fit]
    const work = async (slot: number): Promise<void> => {
      const copy = tree.copy(slot)
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { n, prepared: { mutant } } = next
        const begin = Date.now()
        const planted = copy.plant(next.prepared)
        const onSpoiled = (seed: number, told: string): void =>
          say(`   ${String(n)}. seed ${String(seed)} fails without the bug too: ${told}`)
        const fate = await hunt({
          ...plan, planted: copy.folder, base: tree.base, rule: mutant.rule, ops: OPS,
          device: scopeOf(mutant) === 'device', onSpoiled,
        })
        planted.restore()
        fates.push({ n, mutant, fate })
        say(lineOf(n, mutant, fate, (Date.now() - begin) / 1000))
      }
    }
    const jobs = Math.min(plan.jobs, fit.length)
    await Promise.all(Array.from({ length: jobs }, (_, slot) => work(slot)))
    return { fates: fates.sort((a, b) => a.n - b.n), clean }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All patches are tried before the first hunt: one that does not apply is told at once. */
const sort = (bugs: readonly Numbered[], tree: MutantTree) => {
  const fit: { n: number; prepared: PreparedMutant }[] = []
  const unfit: (Numbered & { fate: Fate })[] = []
  for (const { n, mutant } of bugs) {
    try {
      fit.push({ n, prepared: tree.prepare(mutant) })
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      unfit.push({ n, mutant, fate: { kind: 'unfit', told: error.message } })
    }
  }
  return { fit, unfit }
}

const isClean = async (tree: MutantTree, plan: HuntPlan): Promise<boolean> => {
  const seeds = Math.min(BASELINE, plan.seeds)
  const failed: number[] = []
  const onSpoiled = (seed: number, told: string): void => {
    failed.push(seed)
    plan.say(`without any bug seed ${String(seed)} fails: ${told}`)
  }
  const { base } = tree
  const fate = await hunt({
    ...plan, planted: base, base, rule: null, device: false, seeds, ops: OPS, onSpoiled,
  })
  if (fate.kind === 'unfit') throw new Error(`the code without a bug: ${fate.told}`)
  if (fate.kind === 'killed') onSpoiled(fate.seed, fate.told)
  if (failed.length > 0) return false
  plan.say(`without any bug ${String(seeds)} seeds from ${String(plan.from)} are clean`)
  return true
}

const lineOf = (n: number, { rule, name }: Mutant, fate: Fate, seconds: number): string =>
  `${String(n)}. ${rule}: ${name}: ${seconds.toFixed(1)} s, ${toldOf(fate)}`

const toldOf = (fate: Fate): string => {
  if (fate.kind === 'unfit') return `CANNOT BE PLANTED: ${fate.told}`
  if (fate.kind === 'killed') return `seed ${String(fate.seed)}, ${fate.told.slice(0, 120)}`
  return fate.found === null ? 'LIVES' : `LIVES: found, but by ${fate.found}`
}

const BEGIN = '<!-- npm run sim -- mutants --write writes from here -->'
const END = '<!-- to here -->'

/** Puts what was found into the documentation; a rule that finds no bug stands there too. */
const writeTable = (fates: Catch['fates'], root: string): void => {
  const rows = [...RULE_NAMES, ...Object.keys(DEVICE_RULES)].map((rule) => {
    const found = fates.filter(({ mutant, fate }) =>
      mutant.rule === rule && fate.kind === 'killed' && fate.rule === rule)
    return `| \`${rule}\` | ${found.map(({ mutant }) => mutant.name).join('; ')} |`
  })
  const page = join(root, 'docs', 'simulation.md')
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(BEGIN)
  const table = ['', '', '| Rule | Finds |', '|---|---|', ...rows, '', ''].join('\n')
  writeFileSync(page, before + BEGIN + table + END + (rest.split(END)[1] ?? ''))
}

export const mutants = async (argv: readonly string[], root: string): Promise<number> => {
  const flags = flagsOf(argv, ['seeds', 'from', 'only', 'jobs'], ['json', 'write'])
  const wanted = [...flags.words.map(Number), flags.number('only', 0)].filter((n) => n !== 0)
  if (wanted.some((n) => MUTANTS[n - 1] === undefined)) throw new Usage('no bug has this number')
  if (flags.has('write') && wanted.length > 0) throw new Usage('--write takes all bugs')
  const cores = availableParallelism()
  const bugs = MUTANTS.map((mutant, n) => ({ n: n + 1, mutant }))
    .filter(({ n }) => wanted.length === 0 || wanted.includes(n))
  const { fates, clean } = await huntAll(bugs, {
    root, folder: join(root, '.cache', `mutants-${String(process.pid)}`),
    from: flags.number('from', 1), seeds: flags.number('seeds', SEEDS),
    jobs: Math.max(1, Math.min(flags.number('jobs', cores), cores)), hangMs: HANG_MS,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  const killed = fates.filter(({ fate }) => fate.kind === 'killed').length
  const survived = bugs.length - killed
  if (flags.has('write')) writeTable(fates, root)
  const result = { mutants: bugs.length, killed, survived }
  process.stdout.write(flags.has('json')
    ? `${JSON.stringify(result)}\n`
    : `${String(bugs.length)} mutants, ${String(killed)} killed, ${String(survived)} survived\n`)
  return survived === 0 && clean ? 0 : 1
}
