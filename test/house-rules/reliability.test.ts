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
  // Those with devices by their own name, any other by its folder too.
  const paths = ['test/devices', 'test'].map((room) => join(ROOT, room, `${file}.test.ts`))
  const path = paths.find((one) => existsSync(one)) ?? ''
  expect(path, paths.join(' or ')).not.toBe('')
  expect(readFileSync(path, 'utf8')).toContain(title)
})
