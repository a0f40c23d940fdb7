// What CONTRIBUTING.md tells to type does what it says, and where it leads there is something.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

test('the one test that is run by its name is there', () => {
  const [, args = ''] = /\| one test file \| `npx vitest run ([^`]+)` \|/.exec(page) ?? []
  const [, name = ''] = /\| one test of it \| the same with `-t "([^"]+)"`/.exec(page) ?? []
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const { stdout } = spawnSync(
    process.execPath, [vitest, 'list', ...args.split(' '), '-t', name],
    { cwd: ROOT, encoding: 'utf8' })
  const found = stdout.split('\n').filter((line) => line.startsWith('['))
  expect(found).toEqual([expect.stringContaining(name)])
})

test.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/simulation.md'])(
  'each file and folder that %s names is there', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8')
    const named = [...text.matchAll(/`((?:src|sim|test|scripts|bench)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
