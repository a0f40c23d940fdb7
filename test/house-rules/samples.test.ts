// Every TypeScript sample of the documents compiles as it stands, in the strictest mode.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The samples that an app is written from. */
const documents = ['README.md', 'docs/client.md', 'examples/quiz/README.md']

/** Each sample as a file that stands where the document does, with the line it begins at. */
const samples = new Map<string, string>()
for (const path of documents) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  for (const { index, 1: body = '' } of text.matchAll(/^```ts\n(.*?)^```/gms)) {
    const line = text.slice(0, index).split('\n').length
    samples.set(join(ROOT, `${path}-${line}.ts`), `${body}\nexport {}\n`)
  }
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    'cartwall/client': [join(ROOT, 'src/client/client.ts')],
    'cartwall/testing': [join(ROOT, 'src/testing/test-player.ts')],
  },
}

test('every sample compiles', () => {
  const base = ts.createCompilerHost(OPTIONS)
  const host: ts.CompilerHost = {
    ...base,
    fileExists: (path) => samples.has(path) || base.fileExists(path),
    readFile: (path) => samples.get(path) ?? base.readFile(path),
    getSourceFile: (path, ...rest) => {
      const text = samples.get(path)
      return text === undefined
        ? base.getSourceFile(path, ...rest)
        : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
    },
  }
  const program = ts.createProgram([...samples.keys()], OPTIONS, host)
  const faults = [...samples.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      .map(({ messageText }) =>
        `${path.slice(ROOT.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
  })
  expect(faults).toEqual([])
  expect(samples.size).toBe(6)
})
