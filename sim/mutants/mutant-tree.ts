// Frozen copies of the compiled simulation, in which one bug at a time is planted.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type TypeScript from 'typescript'
import { placeOf, tokenizer, Unfit, type Mutant, type Tokenize } from './mutant-place.js'

/** Where a bug may be planted: in the engine, or in the sound path behind it. */
const SCOPES = { scenario: ['src/engine'], device: ['src/io/output', 'src/io/speaker'] } as const
type Scope = keyof typeof SCOPES

export const scopeOf = ({ rule }: Mutant): Scope =>
  rule.startsWith('device/') ? 'device' : 'scenario'

/** The files of a scope by their paths. */
export const sourcesOf = (root: string, scope: Scope): ReadonlyMap<string, string> =>
  new Map(SCOPES[scope].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]))

/**
 * Others may edit the sources while bugs are hunted for an hour: every bug is planted in the code
 * of one moment, and every death is compared with it.
 */
export class MutantTree {
  readonly #scopes
  readonly #tokenize: Tokenize

  private constructor(
    private readonly ts: typeof TypeScript, root: string, private readonly folder: string,
  ) {
    this.#tokenize = tokenizer(ts)
    const read = (scope: Scope) => {
      const sources = sourcesOf(root, scope)
      const tokens = new Map([...sources].map(([file, code]) => [file, this.#tokenize(code)]))
      return { sources, tokens }
    }
    this.#scopes = { scenario: read('scenario'), device: read('device') }
    cpSync(join(root, '.cache', 'sim'), this.base, { recursive: true })
  }

  static async open(root: string, folder: string): Promise<MutantTree> {
    const { default: ts } = await import('typescript')
    return new MutantTree(ts, root, folder)
  }

  /** The folder of the copy without a bug. */
  get base(): string {
    return join(this.folder, 'base')
  }

  /** The compiled bug, and the file that it stands in. */
  prepare(mutant: Mutant) {
    const { ts } = this
    const { sources, tokens } = this.#scopes[scopeOf(mutant)]
    const { file, begin, end, put } = placeOf(mutant.change, tokens, this.#tokenize)
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
  plant(mutant: Mutant): string {
    const { file, code } = this.prepare(mutant)
    const folder = join(this.folder, `bug-${mutant.n}`)
    cpSync(this.base, folder, { recursive: true })
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), code)
    return folder
  }
}
