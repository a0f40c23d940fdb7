// Starts the simulation: compiles what changed into .cache/sim, then runs it from there.
//
// TypeScript's own transpiler, one file at a time and without types, takes half a second for the
// whole tree and nothing where nothing changed; the code that runs is what the daemon's build would
// run.
import {
  existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync,
  utimesSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const OUT = join(ROOT, '.cache', 'sim')
/** What the simulation reaches; the rest of the program is not even looked at. */
const REACHED = [
  'src/clock', 'src/contract', 'src/engine', 'src/recording', 'src/api',
  'src/testing', 'src/io', 'src/sound', 'sim',
]

/** The paths of all modules, without their ending. */
const modulesIn = (root, ending) => REACHED.flatMap((room) => {
  mkdirSync(join(root, room), { recursive: true })
  return readdirSync(join(root, room), { recursive: true })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
    .map((name) => join(room, name.slice(0, -ending.length)))
})

const stamp = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1

/**
 * What was compiled has the time of its source. Any other time is another source, an earlier one
 * too: a copy that is moved back brings its own time with it.
 */
const isStale = ([from, to]) => Math.abs(stamp(to) - stamp(from)) >= 1

export const compile = async () => {
  const names = new Set(modulesIn(ROOT, '.ts'))
  for (const name of modulesIn(OUT, '.js')) {
    if (!names.has(name)) rmSync(join(OUT, `${name}.js`), { force: true })
  }
  const found = [...names].map((name) => [join(ROOT, `${name}.ts`), join(OUT, `${name}.js`)])
    .filter(isStale)
  if (found.length === 0) return OUT
  const { default: ts } = await import('typescript')
  for (const [from, to] of found) {
    const seconds = stamp(from) / 1000
    const { outputText } = ts.transpileModule(readFileSync(from, 'utf8'), {
      fileName: from,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
      },
    })
    mkdirSync(dirname(to), { recursive: true })
    // Another start may be reading it: a file is there whole or not at all.
    writeFileSync(`${to}.${process.pid}`, outputText)
    utimesSync(`${to}.${process.pid}`, seconds, seconds)
    renameSync(`${to}.${process.pid}`, to)
  }
  return OUT
}

/** By its real path: a checkout that is reached through a link is started all the same. */
const isStarted = () => {
  const path = process.argv[1] ?? ''
  return existsSync(path) && realpathSync(path) === fileURLToPath(import.meta.url)
}

/** Null where the folder cannot be written, e.g. of a checkout that is mounted read-only. */
const compiled = async () => {
  try {
    return await compile()
  } catch (error) {
    if (error.syscall === undefined) throw error
    process.stderr.write(`what changed cannot be compiled into ${OUT}: ${error.message}\n` +
      'start it once where the checkout can be written; after that it need not be\n')
    return null
  }
}

if (isStarted()) {
  const out = await compiled()
  if (out === null) process.exitCode = 2
  else {
    const { main } = await import(pathToFileURL(join(out, 'sim', 'main.js')).href)
    process.exitCode = await main(process.argv.slice(2), ROOT)
  }
}
