// How faults are told: each by its place, and only of very many the number of the rest.
import { expect, it } from 'vitest'
import {
  faultLine, faultsText, faultsTold, objectPlace, placeOf,
} from '../../../src/io/files/fault.js'

it.each([
  [[], 'file'], [['title'], 'title'], [['playlists', 0, 'buttons', 12, 'endMs'],
    'playlists[0].buttons[12].endMs'],
  [['x-y', 'a b', 3], 'x-y["a b"][3]'], [['ä', '1st', ''], 'ä["1st"][""]'],
])('the place of %j is %s', (path, place) => expect(placeOf(path)).toBe(place))

it('a key of the whole file stands for itself', () => {
  expect([objectPlace('', 'a'), objectPlace('', 'a b'), objectPlace('a', 'b')])
    .toEqual(['a', '["a b"]', 'a.b'])
  // From a chat: it would look like the key that is meant.
  expect(objectPlace('a', 'title\u200B')).toBe('a["title\\u200b"]')
  expect(objectPlace('a', '\u2066a\u2069')).toBe('a["\\u2066a\\u2069"]')
})

const many = (n: number) =>
  Array.from({ length: n }, (_, at) => ({ place: `p${at}`, message: 'is wrong' }))
const MANY = [[1, 0], [20, 0], [21, 0], [1_000, 0], [1_001, 1], [3_000, 2_000]] as const

it.each(MANY)('of %i faults of a file all are named in its line but %i', (n, rest) => {
  const told = faultsText(many(n)).split('; ')
  const shown = many(n - rest).map(({ place }) => `${place}: is wrong`)
  expect(told).toEqual(rest === 0 ? shown : [...shown, `and ${rest} more`])
  expect(faultLine('the show', 'show.json', many(n)))
    .toBe(`the show show.json is refused: ${faultsText(many(n))}`)
})

it.each([[1, 0], [19, 0], [20, 0], [21, 1], [1_000, 980]])(
  'of %i faults apps are told all but %i', (n, rest) => {
    const shown = many(n - rest).map(({ place }) => `${place}: is wrong`)
    expect(faultsTold(many(n)).split('; '))
      .toEqual(rest === 0 ? shown : [...shown, `and ${rest} more`])
  })
