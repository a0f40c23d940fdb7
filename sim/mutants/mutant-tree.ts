// Frozen copies of the compiled simulation, in which one bug at a time is planted.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf, tokenizer, Unfit, type Mutant } from './mutant-place.js'

/** Where a bug may be planted: in the engine, in the sound path behind it, between the threads. */
const FOLDERS = {
  scenario: ['src/engine'],
  device: ['src/io/output', 'src/io/speaker', 'src/sound'],
  threads: ['src/sound'],
} as const
export type Scope = keyof typeof FOLDERS
export const SCOPES = ['scenario', 'device', 'threads'] as const satisfies readonly Scope[]

export const scopeOf = ({ rule }: Mutant): Scope =>
  SCOPES.find((scope) => rule.startsWith(`${scope}/`)) ?? 'scenario'

/** The files of a scope by their paths. */
export const sourcesOf = (root: string, scope: Scope): ReadonlyMap<string, string> =>
  new Map(FOLDERS[scope].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]))

/**
 * Others may edit the sources while bugs are hunted for an hour: every bug is planted in the code
 * of one moment, and every death is compared with it.
 */
export const openTree = async (root: string, folder: string) => {
  const { default: ts } = await import('typescript')
  const tokenize = tokenizer(ts)
  const read = (scope: Scope) => {
    const sources = sourcesOf(root, scope)
    const tokens = new Map([...sources].map(([file, code]) => [file, tokenize(code)]))
    return { sources, tokens }
  }
  const scopes = { scenario: read('scenario'), device: read('device'), threads: read('threads') }
  /** The folder of the copy without a bug. */
  const base = join(folder, 'base')
  cpSync(join(root, '.cache', 'sim'), base, { recursive: true })
  /** The compiled bug, and the file that it stands in. */
  const prepare = (mutant: Mutant) => {
    const { sources, tokens } = scopes[scopeOf(mutant)]
    const { file, begin, end, put } = placeOf(mutant.change, tokens, tokenize)
    const source = sources.get(file)!
    const { outputText: code, diagnostics = [] } = ts.transpileModule(
      source.slice(0, begin) + put + source.slice(end), {
        fileName: file, reportDiagnostics: true,
        compilerOptions: {
          target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
        },
      })
    const [first] = diagnostics
    if (first === undefined) return { file, code }
    const told = ts.flattenDiagnosticMessageText(first.messageText, ' ')
    throw new Unfit(`${file} does not compile: ${told}`)
  }
  /** The folder of a copy of its own in which the bug is planted. */
  const plant = (mutant: Mutant): string => {
    const { file, code } = prepare(mutant)
    const planted = join(folder, `bug-${mutant.n}`)
    cpSync(base, planted, { recursive: true })
    writeFileSync(join(planted, file.replace(/\.ts$/, '.js')), code)
    return planted
  }
  return { base, prepare, plant }
}

export type MutantTree = Awaited<ReturnType<typeof openTree>>
