// docs/reliability.md names a test for each promise: each of them exists, in the file it names.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const rows = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8').split('\n')
  .flatMap((line) => {
    const [, file, title] = /^\|.*\| `([a-z/-]+)`: (.+) \|$/.exec(line) ?? []
    return file === undefined || title === undefined ? [] : [{ file, title }]
  })

it('has its rows read', () => {
  expect(rows.length).toBeGreaterThan(35)
})

it.each(rows)('$file: $title', ({ file, title }) => {
  const path = join(ROOT, 'test/devices', `${file}.test.ts`)
  expect(existsSync(path), path).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain(title)
})
