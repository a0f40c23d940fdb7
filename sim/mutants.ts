// Plants one bug at a time in a frozen copy of the engine, and tells whether the oracle finds it.
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { flagsOf, Usage } from './arguments.js'
import { hunt, type Fate } from './mutant-hunt.js'
import { MUTANTS } from './mutant-list.js'
import type { Mutant } from './mutant-shape.js'
import { Nursery, Unfit, type Seedling } from './mutant-tree.js'
import { OPS } from './seeds.js'

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
    const nursery = await Nursery.open(root, folder)
    const { fit, unfit } = sort(bugs, nursery)
    for (const { n, mutant, fate } of unfit) say(lineOf(n, mutant, fate, 0))
    if (unfit.length > 0) return { fates: unfit, clean: true }
    const clean = await isClean(nursery, plan)
    const fates: (Numbered & { fate: Fate })[] = []
    const queue = [...fit]
    const work = async (slot: number): Promise<void> => {
      const plot = nursery.plot(slot)
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { n, seedling: { mutant } } = next
        const begin = Date.now()
        const planted = plot.plant(next.seedling)
        const onSpoiled = (seed: number, told: string): void =>
          say(`   ${String(n)}. seed ${String(seed)} fails without the bug too: ${told}`)
        const fate = await hunt(
          { ...plan, planted: plot.folder, base: nursery.base, ops: OPS, onSpoiled },
        )
        planted.uproot()
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
const sort = (bugs: readonly Numbered[], nursery: Nursery) => {
  const fit: { n: number; seedling: Seedling }[] = []
  const unfit: (Numbered & { fate: Fate })[] = []
  for (const { n, mutant } of bugs) {
    try {
      fit.push({ n, seedling: nursery.prepare(mutant) })
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      unfit.push({ n, mutant, fate: { kind: 'unfit', told: error.message } })
    }
  }
  return { fit, unfit }
}

const isClean = async (nursery: Nursery, plan: HuntPlan): Promise<boolean> => {
  const seeds = Math.min(BASELINE, plan.seeds)
  const failed: number[] = []
  const onSpoiled = (seed: number, told: string): void => {
    failed.push(seed)
    plan.say(`without any bug seed ${String(seed)} fails: ${told}`)
  }
  const { base } = nursery
  const fate = await hunt({ ...plan, planted: base, base, seeds, ops: OPS, onSpoiled })
  if (fate.kind === 'unfit') throw new Error(`the code without a bug: ${fate.told}`)
  if (fate.kind === 'killed') onSpoiled(fate.seed, fate.told)
  if (failed.length > 0) return false
  plan.say(`without any bug ${String(seeds)} seeds from ${String(plan.from)} are clean`)
  return true
}

const lineOf = (n: number, { name }: Mutant, fate: Fate, seconds: number): string => {
  const told = fate.kind === 'killed'
    ? `seed ${String(fate.seed)}, ${fate.rule}, ${seconds.toFixed(1)} s: ${short(fate)}`
    : fate.kind === 'lives' ? `LIVES, ${seconds.toFixed(1)} s` : `CANNOT BE PLANTED: ${fate.told}`
  return `${String(n)}. ${name}: ${told}`
}

const short = ({ rule, told }: Extract<Fate, { kind: 'killed' }>): string =>
  told.replace(`${rule} at frame `, '').slice(0, 100)

/** The rows of `docs/simulation.md`. */
const tableOf = (fates: Catch['fates']): string => [
  '| File | Bug | Killed by | Seed |', '|---|---|---|---:|',
  ...fates.map(({ mutant: { file, name }, fate }) => fate.kind === 'killed'
    ? `| \`${file}\` | ${name} | \`${fate.rule}\` | ${String(fate.seed)} |`
    : `| \`${file}\` | ${name} | ${fate.kind} | |`),
].join('\n')

export const mutants = async (argv: readonly string[], root: string): Promise<number> => {
  const flags = flagsOf(argv, ['seeds', 'from', 'only', 'jobs'], ['json', 'table'])
  const wanted = [...flags.words.map(Number), flags.number('only', 0)].filter((n) => n !== 0)
  if (wanted.some((n) => MUTANTS[n - 1] === undefined)) throw new Usage('no bug has this number')
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
  if (flags.has('table')) process.stdout.write(`${tableOf(fates)}\n`)
  const result = { mutants: bugs.length, killed, survived }
  process.stdout.write(flags.has('json')
    ? `${JSON.stringify(result)}\n`
    : `${String(bugs.length)} mutants, ${String(killed)} killed, ${String(survived)} survived\n`)
  return survived === 0 && clean ? 0 : 1
}
