// Frozen copies of the compiled simulation, in which one bug at a time is planted.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type TypeScript from 'typescript'
import {
  placeOf, tokenizer, Unfit, type Mutant, type Token, type Tokenize,
} from './mutant-place.js'

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

/** A bug as it stands in a compiled file, ready to be planted. */
export interface PreparedMutant {
  readonly mutant: Mutant
  readonly file: string
  readonly code: string
}

/**
 * Others may edit the sources while bugs are hunted for an hour: every bug is planted in the code
 * of one moment, and every death is compared with it.
 */
export class MutantTree {
  readonly #sources: ReadonlyMap<string, string>
  readonly #tokens: Readonly<Record<Scope, ReadonlyMap<string, readonly Token[]>>>
  readonly #tokenize: Tokenize

  private constructor(
    private readonly ts: typeof TypeScript, root: string, private readonly folder: string,
  ) {
    this.#tokenize = tokenizer(ts)
    const [scenario, device] = [sourcesOf(root, 'scenario'), sourcesOf(root, 'device')]
    this.#sources = new Map([...scenario, ...device])
    const tokens = (sources: ReadonlyMap<string, string>) =>
      new Map([...sources].map(([file, code]) => [file, this.#tokenize(code)]))
    this.#tokens = { scenario: tokens(scenario), device: tokens(device) }
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

  /** The folder of a copy of its own for each hunter. */
  copy(n: number): string {
    const folder = join(this.folder, `copy-${n}`)
    cpSync(this.base, folder, { recursive: true })
    return folder
  }

  /** The compiled bug. */
  prepare(mutant: Mutant): PreparedMutant {
    const { ts } = this
    const tokens = this.#tokens[scopeOf(mutant)]
    const { file, begin, end, put } = placeOf(mutant.change, tokens, this.#tokenize)
    const source = this.#sources.get(file) ?? ''
    const { outputText: code, diagnostics = [] } = ts.transpileModule(
      source.slice(0, begin) + put + source.slice(end), {
        fileName: file, reportDiagnostics: true,
        compilerOptions: {
          target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
        },
      })
    const [first] = diagnostics
    if (first === undefined) return { mutant, file, code }
    const told = ts.flattenDiagnosticMessageText(first.messageText, ' ')
    throw new Unfit(`${file} does not compile: ${told}`)
  }
}

/** Answers what takes the bug out again. */
export const plant = (folder: string, { file, code }: PreparedMutant): () => void => {
  const path = join(folder, file.replace(/\.ts$/, '.js'))
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, code)
  return () => writeFileSync(path, before)
}
