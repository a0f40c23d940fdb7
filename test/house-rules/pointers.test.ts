// What a comment points at is there: the file that it names, and the heading of a page.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** Every file of code below these folders, and the rules at the top. */
const paths = ['src', 'sim', 'test', 'bench', 'scripts']
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name)))
  .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
  .concat('.dependency-cruiser.cjs', 'eslint.config.js', 'vitest.config.ts')

const names = new Set(paths.map((path) => basename(path)))

const commentsOf = (path: string): string =>
  (readFileSync(join(ROOT, path), 'utf8').match(/^\s*(\/\/|\/?\*).*$/gm) ?? []).join('\n')

const comments = paths.map((path) => [path, commentsOf(path)] as const)

test('a file that a comment names is there', () => {
  const lost = comments.flatMap(([path, text]) =>
    [...text.matchAll(/[\w-][\w.-]*\.tsx?\b/g)].map(([name]) => name)
      .filter((name) => !names.has(name)).map((name) => `${path}: ${name}`))
  expect(lost).toEqual([])
})

test('a heading that a comment names stands in its page', () => {
  const named = comments.flatMap(([path, text]) =>
    [...text.matchAll(/docs\/(\w+\.md), "([^"]+)"/g)].map(([, page = '', title = '']) =>
      ({ path, page, title })))
  const lost = named.filter(({ page, title }) =>
    !new RegExp(`^#+ ${title}`, 'm').test(readFileSync(join(ROOT, 'docs', page), 'utf8')))
  expect(lost).toEqual([])
  expect(named.length).toBeGreaterThan(3)
})
