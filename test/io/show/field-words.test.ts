// What an editor shows of each key of a show and of a configuration: what the README says of it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configSchema, showSchema } from '../../../src/io/show/file-schemas.js'

interface Schema {
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Every key by its path. */
const keysIn = ({ properties, items, anyOf = [] }: Schema, path = ''): [string, Schema][] => [
  ...Object.entries(properties ?? {}).flatMap(([key, below]): [string, Schema][] =>
    [[path + key, below], ...keysIn(below, `${path}${key}.`)]),
  ...[...items === undefined ? [] : [items], ...anyOf].flatMap((one) => keysIn(one, path)),
]

const show = keysIn(showSchema('1.2.3'))
const config = keysIn(configSchema('1.2.3'))

it('no key of a show or a configuration is without words', () => {
  expect(show.length).toBeGreaterThan(30)
  expect(config.length).toBeGreaterThan(15)
  const silent = [...show, ...config].filter(([, key]) =>
    keysIn(key).length === 0 && (key.description ?? '') === '')
  expect(silent).toEqual([])
})

interface Row {
  readonly key: string
  readonly usual: unknown
  readonly meaning: string
}

/** What stands in code marks. */
const marked = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

/** The rows `| keys | default | meaning |` of one table; a default in words is none: null. */
const rowsOf = (heading: string): Row[] => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const table = readme.slice(readme.indexOf(heading)).split('\n\n', 1)[0]!
  return table.split('\n').slice(2).flatMap((row): Row[] => {
    const [keys = '', told = '', meaning = ''] = row.split('|').slice(1).map((cell) => cell.trim())
    const [first = 'null', ...others] = marked(told)
    return marked(keys).map((key, n): Row =>
      ({ key, usual: JSON.parse([first, ...others][n] ?? first) as unknown, meaning }))
  })
}

/** What the README tells in sentences: what a button or a playlist cannot be without. */
const IN_SENTENCES = ['id', 'title', 'buttons', 'kind', 'media', 'target']

describe.each([
  ['| Playlist setting |', 'playlists.', show],
  ['| Button setting |', 'playlists.buttons.', show],
  ['| Key | Default |', '', config],
] as const)('the README\'s table %j', (heading, path, all) => {
  const rows = rowsOf(heading)
  const known = new Map(all)

  it('has a row for each key, and no other', () => {
    const depth = path === '' ? 2 : path.split('.').length
    const keys = all.map(([key]) => key)
      .filter((key) => key.startsWith(path) && key.split('.').length === depth)
      .map((key) => key.slice(path.length)).filter((key) => !IN_SENTENCES.includes(key))
    expect(rows.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
  })

  it('tells the defaults as they are', () => {
    expect(rows.map(({ key, usual }) => [key, usual]))
      .toEqual(rows.map(({ key }) => [key, known.get(path + key)?.default]))
  })

  it('has the words that an editor shows', () => {
    // What lights alone are is a line of its own there.
    const told = rows.filter(({ key }) => key !== 'dmx')
    expect(told.map(({ key, meaning }) => [key, meaning]))
      .toEqual(told.map(({ key }) => [key, known.get(path + key)?.description]))
  })
})
