// Dead code is found: a file that nothing imports, an export that nobody uses, an idle package.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cartwall-dead-'))

const LIVING = {
  'tsconfig.json': '{}',
  'package.json': JSON.stringify({ type: 'module', dependencies: { zod: '*' } }),
  'src/cli.ts': "import { z } from 'zod'\nimport { used } from './living.js'\nconsole.log(z, used)",
  'src/living.ts': [
    'export const used = 1', 'export interface Shape { readonly a: 1 }', 'export type B = Shape',
  ].join('\n'),
  'test/a.test.ts': "import type { B } from '../src/living.js'\nexport const b: B = { a: 1 }",
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Whether the tree passes, and all that the tool says about it. */
const findDead = (): { passes: boolean; says: string } => {
  const tool = join(ROOT, 'node_modules/knip/bin/knip.js')
  const { status, stdout } = spawnSync(process.execPath, [tool], { cwd: folder, encoding: 'utf8' })
  return { passes: status === 0, says: stdout }
}

beforeAll(() => {
  for (const [path, text] of Object.entries(LIVING)) write(path, text)
  copyFileSync(join(ROOT, 'knip.json'), join(folder, 'knip.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})

afterAll(() => rmSync(folder, { recursive: true }))

test('a tree in use passes', () => {
  expect(findDead()).toMatchObject({ passes: true })
})

test.each([
  ['a file', 'src/forgotten.ts', 'export const forgotten = 1', 'src/forgotten.ts'],
  ['an export', 'src/living.ts', `${LIVING['src/living.ts']}\nexport const idle = 1`, 'idle'],
  [
    'a package', 'package.json',
    JSON.stringify({ type: 'module', dependencies: { zod: '*', pino: '*' } }), 'pino',
  ],
])('%s that nobody needs is found', (_what, path, text, name) => {
  write(path, text)
  const { passes, says } = findDead()
  const before = (LIVING as Record<string, string>)[path]
  if (before === undefined) rmSync(join(folder, path))
  else write(path, before)
  expect(passes).toBe(false)
  expect(says).toContain(name)
})
