// How faults are told: each by its place, and of very many in one line the number of the rest.
import { expect, it } from 'vitest'
import { faultLine, faultsText, objectPlace, placeOf } from '../../../src/io/files/fault.js'

it.each([
  [[], 'file'], [['title'], 'title'], [['playlists', 0, 'buttons', 12, 'endMs'],
    'playlists[0].buttons[12].endMs'],
  [['x-y', 'a b', 3], 'x-y["a b"][3]'], [['ä', '1st', ''], 'ä["1st"][""]'],
])('the place of %j is %s', (path, place) => expect(placeOf(path)).toBe(place))

it('a key of the whole file stands for itself', () => {
  expect([objectPlace('', 'a'), objectPlace('', 'a b'), objectPlace('a', 'b')])
    .toEqual(['a', '["a b"]', 'a.b'])
})

const MANY = [[1, 0], [19, 0], [20, 0], [21, 1], [1_000, 980]] as const

it.each(MANY)('of %i faults %i are counted only', (n, rest) => {
  const faults = Array.from({ length: n }, (_, at) => ({ place: `p${at}`, message: 'is wrong' }))
  const told = faultsText(faults).split('; ')
  const shown = faults.slice(0, 20).map(({ place }) => `${place}: is wrong`)
  expect(told).toEqual(rest === 0 ? shown : [...shown, `and ${rest} more`])
  expect(faultLine('the show', 'show.json', faults))
    .toBe(`the show show.json is refused: ${faultsText(faults)}`)
})
