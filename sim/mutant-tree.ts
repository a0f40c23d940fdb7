// Frozen copies of the compiled simulation: one as it is, others in which one bug is planted.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModuleKind, ScriptTarget } from 'typescript'
import type { Mutant } from './mutant-shape.js'

const ENGINE = join('src', 'engine')

/** Why a bug cannot be planted: an error of the list, and no death. */
export class Unfit extends Error {}

/** A bug as it stands in a compiled file, ready to be planted. */
export interface Seedling {
  readonly mutant: Mutant
  readonly file: string
  readonly code: string
}

type Transpile = (file: string, source: string) => string

/**
 * The engine's sources as they were at one moment. Others may edit them while bugs are hunted for
 * an hour: every bug is planted in the same engine, and every death is compared with it.
 */
export class Nursery {
  private constructor(
    private readonly compiled: string,
    private readonly folder: string,
    private readonly sources: ReadonlyMap<string, string>,
    private readonly transpile: Transpile,
  ) {}

  static async open(root: string, folder: string): Promise<Nursery> {
    const engine = join(root, ENGINE)
    const names = readdirSync(engine).filter((name) => name.endsWith('.ts'))
    const sources = new Map(names.map((name) => [name, readFileSync(join(engine, name), 'utf8')]))
    const nursery = new Nursery(join(root, '.cache', 'sim'), folder, sources, await transpiler())
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

  /** The compiled bug; the words that it changes must stand in the source exactly once. */
  prepare(mutant: Mutant): Seedling {
    const { file, find, put } = mutant
    const pieces = this.sources.get(file)?.split(find) ?? []
    if (pieces.length !== 2) {
      const times = Math.max(0, pieces.length - 1)
      throw new Unfit(`its words stand ${String(times)} times in ${file}`)
    }
    return { mutant, file, code: this.transpile(file, pieces.join(put)) }
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

const transpiler = async (): Promise<Transpile> => {
  const { default: ts } = await import('typescript')
  return (file, source) => {
    const { outputText, diagnostics = [] } = ts.transpileModule(source, {
      fileName: file, reportDiagnostics: true,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022 satisfies ScriptTarget,
        module: ts.ModuleKind.ESNext satisfies ModuleKind, verbatimModuleSyntax: true,
      },
    })
    const [first] = diagnostics
    if (first === undefined) return outputText
    throw new Unfit(`${file} does not compile: ${ts.flattenDiagnosticMessageText(
      first.messageText, ' ',
    )}`)
  }
}
