// Starts the simulation: compiles what changed into .cache/sim, then runs it from there.
//
// TypeScript's own transpiler, one file at a time and without types, takes half a second for the
// whole tree and nothing where nothing changed; the code that runs is what the daemon's build would
// run.
import {
  mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const OUT = join(ROOT, '.cache', 'sim')
/** What the simulation reaches; the rest of the program is not even looked at. */
const REACHED = [
  'src/clock', 'src/contract', 'src/engine', 'src/recording', 'src/api',
  'src/testing', 'src/io/output', 'src/io/speaker', 'sim',
]

/** The paths of all modules, without their ending. */
const modulesIn = (root, ending) => REACHED.flatMap((room) => {
  mkdirSync(join(root, room), { recursive: true })
  return readdirSync(join(root, room), { recursive: true })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
    .map((name) => join(room, name.slice(0, -ending.length)))
})

const stamp = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1

export const compile = async () => {
  const names = new Set(modulesIn(ROOT, '.ts'))
  for (const name of modulesIn(OUT, '.js')) {
    if (!names.has(name)) rmSync(join(OUT, `${name}.js`), { force: true })
  }
  const found = [...names].map((name) => [join(ROOT, `${name}.ts`), join(OUT, `${name}.js`)])
    .filter(([from, to]) => stamp(to) < stamp(from))
  if (found.length === 0) return OUT
  const { default: ts } = await import('typescript')
  for (const [from, to] of found) {
    const { outputText } = ts.transpileModule(readFileSync(from, 'utf8'), {
      fileName: from,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
      },
    })
    mkdirSync(dirname(to), { recursive: true })
    // Another start may be reading it: a file is there whole or not at all.
    writeFileSync(`${to}.${process.pid}`, outputText)
    renameSync(`${to}.${process.pid}`, to)
  }
  return OUT
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = await compile()
  const { main } = await import(pathToFileURL(join(out, 'sim', 'main.js')).href)
  process.exitCode = await main(process.argv.slice(2), ROOT)
}
