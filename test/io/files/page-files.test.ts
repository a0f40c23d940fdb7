// The built pages as they are served: each by its path, its type, and as small as it was made.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPages, tagged } from '../../../src/io/files/page-files.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-pages-'))
  mkdirSync(join(folder, 'assets'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (...names: readonly string[]): void => {
  for (const name of names) writeFileSync(join(folder, name), `bytes of ${name}`)
}

it('each file is there by its path, with its type and its smaller forms', async () => {
  put(
    'index.html', 'index.html.br', 'index.html.gz', 'stage.html', 'other.html',
    'assets/a.js', 'assets/a.js.br', 'assets/b.css', 'assets/b.css.gz', 'assets/c.svg',
    'assets/d.png', 'assets/e.json', 'assets/f.mp4', 'assets/g.webm', 'assets/a.js.map',
    'assets/gone.js.br',
  )
  const pages = await readPages(folder)
  const told = Array.from(pages, ([path, { type, plain, brotli, gzip }]) =>
    [path, type, ...[plain, brotli, gzip].map((one) => one?.bytes.toString() ?? null)])
  const form = (path: string, type: string, name: string, brotli = false, gzip = false) => [
    path, type, `bytes of ${name}`, brotli ? `bytes of ${name}.br` : null,
    gzip ? `bytes of ${name}.gz` : null,
  ]
  expect(told.sort()).toEqual([
    form('/', 'text/html; charset=utf-8', 'index.html', true, true),
    form('/assets/a.js', 'text/javascript; charset=utf-8', 'assets/a.js', true),
    form('/assets/b.css', 'text/css; charset=utf-8', 'assets/b.css', false, true),
    form('/assets/c.svg', 'image/svg+xml', 'assets/c.svg'),
    form('/assets/d.png', 'image/png', 'assets/d.png'),
    form('/assets/e.json', 'application/json; charset=utf-8', 'assets/e.json'),
    form('/assets/f.mp4', 'video/mp4', 'assets/f.mp4'),
    form('/assets/g.webm', 'video/webm', 'assets/g.webm'),
    form('/stage', 'text/html; charset=utf-8', 'stage.html'),
  ])
})

it('none are there where they were not built', async () => {
  expect(await readPages(join(folder, 'nowhere'))).toEqual(new Map())
})

it('the tag is that of the bytes, and of no other', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((text) => tagged(Buffer.from(text)))
  expect(one).toEqual(same)
  expect(one!.etag).toMatch(/^"[\w-]{22}"$/)
  expect(other!.etag).not.toBe(one!.etag)
})
