// Frozen copies of the compiled simulation: one as it is, others in which one bug is planted.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type TypeScript from 'typescript'
import {
  placeOf, tokenizer, Unfit, type Mutant, type Token, type Tokenize,
} from './mutant-place.js'

const ENGINE = join('src', 'engine')

/** A bug as it stands in a compiled file, ready to be planted. */
export interface Seedling {
  readonly mutant: Mutant
  readonly file: string
  readonly code: string
}

type Transpile = (file: string, source: string) => string

/** The engine's files by their paths within it. */
export const engineSources = (root: string): ReadonlyMap<string, string> => {
  const engine = join(root, ENGINE)
  const names = readdirSync(engine, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
  return new Map(names.map((name) => [name, readFileSync(join(engine, name), 'utf8')]))
}

/**
 * The engine's sources as they were at one moment. Others may edit them while bugs are hunted for
 * an hour: every bug is planted in the same engine, and every death is compared with it.
 */
export class Nursery {
  readonly #tokens: ReadonlyMap<string, readonly Token[]>

  private constructor(
    private readonly compiled: string,
    private readonly folder: string,
    private readonly sources: ReadonlyMap<string, string>,
    private readonly tokenize: Tokenize,
    private readonly transpile: Transpile,
  ) {
    this.#tokens = new Map([...sources].map(([file, source]) => [file, tokenize(source)]))
  }

  static async open(root: string, folder: string): Promise<Nursery> {
    const { default: ts } = await import('typescript')
    const nursery = new Nursery(
      join(root, '.cache', 'sim'), folder, engineSources(root), tokenizer(ts), transpiler(ts),
    )
    nursery.#copyTo(nursery.base)
    return nursery
  }

  /** The folder of the copy without a bug. */
  get base(): string {
    return join(this.folder, 'base')
  }

  #copyTo(folder: string): void {
    mkdirSync(folder, { recursive: true })
    cpSync(this.compiled, folder, { recursive: true })
    for (const [name, source] of this.sources) {
      writeFileSync(join(folder, ENGINE, jsOf(name)), this.transpile(name, source))
    }
  }

  /** The compiled bug. */
  prepare(mutant: Mutant): Seedling {
    const { file, begin, end, put } = placeOf(mutant.change, this.#tokens, this.tokenize)
    const source = this.sources.get(file) ?? ''
    const code = this.transpile(file, source.slice(0, begin) + put + source.slice(end))
    return { mutant, file, code }
  }

  /** A copy of its own for each hunter, in which one bug after another is planted. */
  plot(n: number): Plot {
    const folder = join(this.folder, `plot-${String(n)}`)
    cpSync(this.base, folder, { recursive: true })
    return new Plot(folder)
  }
}

export class Plot {
  constructor(readonly folder: string) {}

  plant({ file, code }: Seedling): { readonly uproot: () => void } {
    const path = join(this.folder, ENGINE, jsOf(file))
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, code)
    return { uproot: () => writeFileSync(path, before) }
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
