// Programs that run apart are named by text: each name must still be a file.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compiledProgram, programAlike } from '../../src/io/programs.js'

const ROOT = resolve(import.meta.dirname, '../..')

test('every program that the sources name is there, and is built to where it is looked for', () => {
  const names = readdirSync(resolve(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(resolve(ROOT, 'src', file), 'utf8')
      .matchAll(/\b(?:compiledProgram|forkAlike)\('([^']+)'[),]/g)])
    .map((match) => match[1]!)
  expect(names.length).toBeGreaterThanOrEqual(6)
  for (const name of names) {
    expect(existsSync(resolve(ROOT, 'src', `${name}.ts`)), name).toBe(true)
    expect(fileURLToPath(compiledProgram(name))).toBe(resolve(ROOT, 'dist', `${name}.js`))
    expect(programAlike(name).file).toBe(resolve(ROOT, 'src', `${name}.ts`))
  }
})
