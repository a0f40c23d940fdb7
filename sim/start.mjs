// Starts the simulation: compiles what changed file by file into .cache/sim, then runs it from
// there.
//
// TypeScript's own transpiler, one file at a time and without types, takes half a second for the
// whole
// tree and nothing where nothing changed; the code that runs is what the daemon's build would run.
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

const folders = (under) => [
  under,
  ...readdirSync(join(ROOT, under), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => folders(`${under}/${entry.name}`)),
]

const stamp = (file) => {
  try {
    return statSync(file).mtimeMs
  } catch {
    return -1
  }
}

const sources = (room) =>
  readdirSync(join(ROOT, room)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))

const stale = () => {
  const found = []
  for (const room of REACHED.flatMap(folders)) {
    const names = sources(room)
    mkdirSync(join(OUT, room), { recursive: true })
    for (const name of readdirSync(join(OUT, room))) {
      const source = name.replace(/\.js$/, '.ts')
      if (name.endsWith('.js') && !names.includes(source)) {
        rmSync(join(OUT, room, name), { force: true })
      }
    }
    for (const name of names) {
      const from = join(ROOT, room, name)
      const to = join(OUT, room, name.replace(/\.ts$/, '.js'))
      if (stamp(to) < stamp(from)) found.push({ from, to })
    }
  }
  return found
}

export const compile = async () => {
  const found = stale()
  if (found.length === 0) return OUT
  const { default: ts } = await import('typescript')
  for (const { from, to } of found) {
    const { outputText } = ts.transpileModule(readFileSync(from, 'utf8'), {
      fileName: from,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
      },
    })
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
