// Frozen copies of the compiled simulation: one as it is, others in which one bug is planted.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type TypeScript from 'typescript'
import {
  placeOf, tokenizer, Unfit, type Mutant, type Token, type Tokenize,
} from './mutant-place.js'

/** Where a bug may be planted: in the engine, or in the sound path behind it. */
const SCOPES = {
  scenario: ['src/engine'], device: ['src/io/output', 'src/io/speaker'],
} as const
type Scope = keyof typeof SCOPES
const ALL = Object.keys(SCOPES) as readonly Scope[]

export const scopeOf = ({ rule }: Mutant): Scope =>
  rule.startsWith('device/') ? 'device' : 'scenario'

/** A bug as it stands in a compiled file, ready to be planted. */
export interface PreparedMutant {
  readonly mutant: Mutant
  readonly file: string
  readonly code: string
}

type Transpile = (file: string, source: string) => string

/** The files of a scope by their paths. */
export const sourcesOf = (root: string, scope: Scope): ReadonlyMap<string, string> =>
  new Map(SCOPES[scope].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]))

/**
 * The sources as they were at one moment. Others may edit them while bugs are hunted for
 * an hour: every bug is planted in the same code, and every death is compared with it.
 */
export class MutantTree {
  readonly #tokens: Readonly<Record<Scope, ReadonlyMap<string, readonly Token[]>>>

  private constructor(
    private readonly compiled: string,
    private readonly folder: string,
    private readonly sources: Readonly<Record<Scope, ReadonlyMap<string, string>>>,
    private readonly tokenize: Tokenize,
    private readonly transpile: Transpile,
  ) {
    const tokens = (scope: Scope) =>
      new Map([...sources[scope]].map(([file, source]) => [file, tokenize(source)]))
    this.#tokens = { scenario: tokens('scenario'), device: tokens('device') }
  }

  static async open(root: string, folder: string): Promise<MutantTree> {
    const { default: ts } = await import('typescript')
    const tree = new MutantTree(
      join(root, '.cache', 'sim'), folder,
      { scenario: sourcesOf(root, 'scenario'), device: sourcesOf(root, 'device') },
      tokenizer(ts), transpiler(ts),
    )
    tree.#copyTo(tree.base)
    return tree
  }

  /** The folder of the copy without a bug. */
  get base(): string {
    return join(this.folder, 'base')
  }

  #copyTo(folder: string): void {
    mkdirSync(folder, { recursive: true })
    cpSync(this.compiled, folder, { recursive: true })
    for (const [name, source] of ALL.flatMap((scope) => [...this.sources[scope]])) {
      writeFileSync(join(folder, jsOf(name)), this.transpile(name, source))
    }
  }

  /** The compiled bug. */
  prepare(mutant: Mutant): PreparedMutant {
    const scope = scopeOf(mutant)
    const { file, begin, end, put } = placeOf(mutant.change, this.#tokens[scope], this.tokenize)
    const source = this.sources[scope].get(file) ?? ''
    const code = this.transpile(file, source.slice(0, begin) + put + source.slice(end))
    return { mutant, file, code }
  }

  /** A copy of its own for each hunter, in which one bug after another is planted. */
  copy(n: number): MutantCopy {
    const folder = join(this.folder, `copy-${String(n)}`)
    cpSync(this.base, folder, { recursive: true })
    return new MutantCopy(folder)
  }
}

export class MutantCopy {
  constructor(readonly folder: string) {}

  plant({ file, code }: PreparedMutant): { readonly restore: () => void } {
    const path = join(this.folder, jsOf(file))
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, code)
    return { restore: () => writeFileSync(path, before) }
  }
}

const jsOf = (name: string): string => name.replace(/\.ts$/, '.js')

const transpiler = (ts: typeof TypeScript): Transpile => (file, source) => {
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName: file, reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
    },
  })
  const [first] = diagnostics
  if (first === undefined) return outputText
  const told = ts.flattenDiagnosticMessageText(first.messageText, ' ')
  throw new Unfit(`${file} does not compile: ${told}`)
}
