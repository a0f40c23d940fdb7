// What an editor shows of each key of a show and of a configuration: what the README says of it.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configSchema, showSchema } from '../../../src/io/show/file-schemas.js'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Every key by its path, and its words; none: ''. */
const wordsIn = ({ properties, items, anyOf = [] }: Schema, path = ''): [string, string][] => [
  ...Object.entries(properties ?? {}).flatMap(([key, below]): [string, string][] => {
    const deeper = wordsIn(below, `${path}${key}.`)
    return deeper.length > 0 ? deeper : [[path + key, below.description ?? '']]
  }),
  ...[...items === undefined ? [] : [items], ...anyOf].flatMap((one) => wordsIn(one, path)),
]

const show = wordsIn(showSchema('1.2.3'))
const config = wordsIn(configSchema('1.2.3'))

it('no key of a show or a configuration is without words', () => {
  expect(show.length).toBeGreaterThan(30)
  expect(config.length).toBeGreaterThan(15)
  expect([...show, ...config].filter(([, words]) => words === '')).toEqual([])
})

/** The rows `| keys | default | meaning |` of one table. */
const rowsOf = (heading: string): [string, string][] => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const table = readme.slice(readme.indexOf(heading)).split('\n\n', 1)[0]!
  return table.split('\n').slice(2).flatMap((row): [string, string][] => {
    const [keys = '', , meaning = ''] = row.split('|').slice(1).map((cell) => cell.trim())
    return [...keys.matchAll(/`([^`]+)`/g)].map(([, key = '']) => [key, meaning])
  })
}

it.each([
  ['| Playlist setting |', 'playlists.', show, 6],
  ['| Button setting |', 'playlists.buttons.', show, 14],
  ['| Key | Default |', '', config, 15],
] as const)('those of %j are the README\'s', (heading, path, words, least) => {
  // What lights alone are is a line of its own there.
  const rows = rowsOf(heading).filter(([key]) => key !== 'dmx')
  expect(rows.length).toBeGreaterThanOrEqual(least)
  const told = new Map(words)
  expect(rows.map(([key]) => [key, told.get(path + key)])).toEqual(rows)
})
