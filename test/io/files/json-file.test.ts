// A file that a person wrote, or what stands in its place: what is read, and why the rest is not.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readJsonFile } from '../../../src/io/files/json-file.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-json-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'ten.json'), '"12345678"')
writeFileSync(join(folder, 'marked.json'), '\uFEFF[1]')
symlinkSync('circle.json', join(folder, 'circle.json'))
execFileSync('mkfifo', [join(folder, 'pipe.json')])

const read = (name: string, bytesMax = 100) =>
  readJsonFile(join(folder, name), bytesMax, 'make one')

it('as large as may be is read, one byte more is not', async () => {
  const ten = { ok: true, value: '12345678', text: '"12345678"' }
  expect([await read('ten.json', 11), await read('ten.json', 10)]).toEqual([ten, ten])
  expect(await read('ten.json', 9)).toEqual({
    ok: false,
    faults: [{ place: 'file', message: 'is too large: 10 bytes, at most 9 are read' }],
  })
})

it('keeps the mark that some editors write in its text, and out of its value', async () => {
  expect(await read('marked.json')).toEqual({ ok: true, value: [1], text: '\uFEFF[1]' })
})

it.each([
  // Opened, it would wait for whoever writes into it.
  ['pipe.json', 'is not a regular file: make one'], ['', 'is a folder, not a file: make one'],
  ['none.json', 'does not exist: make one'], ['Ten.json', 'does not exist, but for ten.json'],
  ['ten.json/show.json', 'does not exist (a part of its path is no folder)'],
  ['circle.json', 'is a link that leads in circles'],
  [`${'n'.repeat(300)}.json`, 'has too long a name'],
])('in place of %j: %s', async (name, message) => {
  expect(await read(name)).toEqual({ ok: false, faults: [{ place: 'file', message }] })
})
