// Plants one bug at a time in a copy of the engine, and tells whether the oracle finds it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ModuleKind, ScriptTarget } from 'typescript'
import { flagsOf } from './arguments.js'
import { MUTANTS, type Mutant } from './mutant-list.js'
import { OPS } from './seeds.js'

export interface Death {
  readonly mutant: Mutant
  /** Null: it lives. */
  readonly killer: { readonly seed: number; readonly told: string } | null
}

const SEEDS = 10_000
/** A mutant that hangs is found as well. */
const PATIENCE_MS = 300_000

/** The source with the bug in it; the words must stand there exactly once. */
const patched = (source: string, { name, find, put }: Mutant): string => {
  const pieces = source.split(find)
  if (pieces.length !== 2) {
    throw new Error(`mutant "${name}": its words stand ${pieces.length - 1} times in the source`)
  }
  return pieces.join(put)
}

const plant = async (mutant: Mutant, root: string, folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, '.cache', 'sim'), folder, { recursive: true })
  const source = readFileSync(join(root, 'src', 'engine', mutant.file), 'utf8')
  const { default: ts } = await import('typescript')
  const { outputText } = ts.transpileModule(patched(source, mutant), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022 satisfies ScriptTarget,
      module: ts.ModuleKind.ESNext satisfies ModuleKind, verbatimModuleSyntax: true,
    },
  })
  writeFileSync(join(folder, 'src', 'engine', mutant.file.replace(/\.ts$/, '.js')), outputText)
}

const hunt = (folder: string, from: number, seeds: number): Promise<Death['killer']> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(join(folder, 'sim', 'mutant-worker.js'), {
      workerData: { from, seeds, ops: OPS }, stdout: false, stderr: false,
    })
    const timer = setTimeout(() => {
      resolve({ seed: -1, told: 'it never comes to an end' })
      void worker.terminate()
    }, PATIENCE_MS)
    const done = (): void => clearTimeout(timer)
    worker.once('message', (killer: Death['killer']) => {
      done()
      resolve(killer)
    })
    worker.once('error', (error) => {
      done()
      reject(error)
    })
  })

export const mutants = async (argv: readonly string[], root: string): Promise<number> => {
  const flags = flagsOf(argv, ['seeds', 'from', 'only'], ['json'])
  const only = flags.number('only', 0)
  const chosen = only === 0 ? MUTANTS : MUTANTS.slice(only - 1, only)
  const folder = join(root, '.cache', `mutant-${process.pid}`)
  let killed = 0
  try {
    for (const [n, mutant] of chosen.entries()) {
      await plant(mutant, root, folder)
      const killer = await hunt(folder, flags.number('from', 1), flags.number('seeds', SEEDS))
      if (killer !== null) killed += 1
      const told = killer === null ? 'LIVES' : `seed ${killer.seed}: ${killer.told.slice(0, 100)}`
      process.stderr.write(`${only === 0 ? n + 1 : only}. ${mutant.name}: ${told}\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const survived = chosen.length - killed
  const result = { mutants: chosen.length, killed, survived }
  process.stdout.write(flags.has('json')
    ? `${JSON.stringify(result)}\n`
    : `${result.mutants} mutants, ${killed} killed, ${survived} survived\n`)
  return survived === 0 ? 0 : 1
}
