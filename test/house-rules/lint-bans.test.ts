// The lint rules bite: every ban has a planted fault that it must find, and honest code passes.
import { ESLint } from 'eslint'
import { beforeAll, describe, expect, test } from 'vitest'

const eslint = new ESLint()
const ENGINE = 'src/engine/ports.ts'
const TEST = 'test/house-rules/lint-bans.test.ts'

/** The rules that a piece of code breaks when it stands in that file. */
const faults = async (code: string, filePath: string): Promise<string[]> => {
  const [result] = await eslint.lintText(`${code}\n`, { filePath })
  return result === undefined ? ['not linted'] : result.messages.map((each) => `${each.ruleId}`)
}

type FaultsOf = ReadonlyMap<string, readonly string[]>

/**
 * The same of each of several pieces. They stand in that file one below the other, since to lint it
 * once takes as long as one piece alone; a semicolon keeps each apart from the one before.
 */
const faultsOfEach = async (pieces: readonly string[], filePath: string): Promise<FaultsOf> => {
  const text = pieces.map((piece) => `;${piece}\n`).join('')
  const [result] = await eslint.lintText(text, { filePath })
  const found = new Map(pieces.map((piece) => [piece, result === undefined ? ['not linted'] : []]))
  for (const { line, ruleId } of result?.messages ?? []) {
    found.get(pieces[line - 1] ?? '')?.push(`${ruleId}`)
  }
  return found
}

const GLOBALS = [
  'Date.now()', 'performance.now()', 'setTimeout(() => undefined, 1)', 'setInterval(() => 1, 1)',
  'queueMicrotask(() => undefined)', 'Promise.resolve(1)', 'process.pid', 'crypto.randomUUID()',
  'globalThis.name', 'new WeakRef({})', 'structuredClone({})', 'console.log(1)', 'fetch("x")',
  'new Intl.Collator()', 'Buffer.alloc(1)', 'new Function("return 1")',
]

const SYNTAX = [
  'Math.random()', 'Math.pow(2, 3)', 'Math.exp(1)', 'Math.log(1)', 'Math.sin(1)',
  'Math.hypot(1, 2)', 'Math["sin"](1)', 'const { sin } = Math', 'const m = Math',
  '2 ** 3', 'let a = 2; a **= 3',
  'const a = async () => 1', 'async function a() { return 1 }', 'import("zod")',
  '[1].sort()', '[1].toSorted()', '"a".localeCompare("b")', '(1).toLocaleString()',
  'for (const k in {}) void k', 'import.meta.url', 'export default 1',
  'export * from "./events.js"', 'enum A { B }', 'export const f = (a?: number) => a',
  'const a: string | null = "a"; a!.trim()',
]

const IMPORTS = [
  'import { readFile } from "node:fs"', 'import { x } from "../io/wav.js"',
  'import { x } from "../api/server.js"', 'import { x } from "../../sim/run.js"',
  'import { x } from "../clock/real.js"',
]

describe('what the engine may not do', () => {
  let found: FaultsOf = new Map()
  beforeAll(async () => {
    found = await faultsOfEach([...GLOBALS, ...SYNTAX, ...IMPORTS], ENGINE)
  })

  test.each(GLOBALS)('global: %s', (code) => {
    expect(found.get(code)).toContain('no-restricted-globals')
  })

  test.each(SYNTAX)('syntax: %s', (code) => {
    expect(found.get(code)).toContain('no-restricted-syntax')
  })

  test.each(IMPORTS)('import: %s', (code) => {
    expect(found.get(code)).toContain('@typescript-eslint/no-restricted-imports')
  })

  test('exact maths, compared sorts, indices and types of promises are fine', async () => {
    const honest = [
      'export const a = (xs: Float32Array): number => Math.floor(xs[0]!) + Math.sqrt(4)',
      'export const b = (xs: readonly number[]): number[] => xs.toSorted((x, y) => x - y)',
      'export interface C { execute(): Promise<number> }',
    ].join('\n')
    expect(await faults(honest, ENGINE)).toEqual([])
  })
})

const TIMES: readonly [string, string][] = [
  ['setTimeout(() => undefined, 1)', 'no-restricted-globals'],
  ['setInterval(() => undefined, 1)', 'no-restricted-globals'],
  ['export const now = performance.now()', 'no-restricted-properties'],
  ['export const now = Date.now()', 'no-restricted-properties'],
  ['import { setTimeout as wait } from "node:timers/promises"',
    '@typescript-eslint/no-restricted-imports'],
]
const WITH_TIME = ['src/clock/real.ts', 'src/client/time.ts']
const WITHOUT_TIME = [
  'src/api/server.ts', 'src/daemon/daemon.ts', 'src/io/output/feeder.ts', 'src/client/watch.ts',
  'src/pages/wall/ticker.ts', 'src/cli.ts',
]

describe('time is injected', () => {
  const codes = TIMES.map(([code]) => code)

  test.each(WITHOUT_TIME)('and not read or waited for in %s', async (path) => {
    const found = await faultsOfEach(codes, path)
    for (const [code, rule] of TIMES) expect(found.get(code), code).toContain(rule)
  })

  test.each(WITH_TIME)('from %s', async (path) => {
    const found = await faultsOfEach(codes, path)
    for (const [code, rule] of TIMES) expect(found.get(code), code).not.toContain(rule)
  })
})

describe('what holds everywhere', () => {
  test.each([
    ['a floating promise', 'export const f = (): void => { Promise.reject(new Error("x")) }',
      '@typescript-eslint/no-floating-promises'],
    ['any', 'export const f = (a: any): string => a.b', '@typescript-eslint/no-explicit-any'],
    ['a switch with a hole',
      'export const f = (a: "x" | "y"): void => { switch (a) { case "x": break } }',
      '@typescript-eslint/switch-exhaustiveness-check'],
    ['a value import of a type',
      'import { Frame } from "../src/clock/frame.js"\nexport type A = Frame',
      '@typescript-eslint/consistent-type-imports'],
    ['a semicolon', 'export const a = 1;', 'semi'],
    ['double quotes', 'export const a = "1"', 'quotes'],
    ['loose equality', 'export const f = (a: unknown): boolean => a == 1', 'eqeqeq'],
  ])('%s', async (_name, code, rule) => {
    expect(await faults(code, TEST)).toContain(rule)
  })

  test('the bans of the engine end at its door', async () => {
    expect(await faults('export const a = async () => Date.now()', TEST)).toEqual([])
  })
})
