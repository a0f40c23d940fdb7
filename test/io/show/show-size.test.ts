// How large a show may be, and in which order what is wrong with a large one is told.
import { expect, it } from 'vitest'
import { faultText } from '../../../src/io/files/fault.js'
import { inOrder, ruleFaults, sizeFaults } from '../../../src/io/show/show-rules.js'

const showOf = (...buttons: readonly number[]): unknown =>
  ({ playlists: buttons.map((count) => ({ buttons: Array.from({ length: count }, () => 0) })) })
const tooMany = (show: unknown): readonly string[] => sizeFaults(show).map(faultText)

it('at most 10 000 playlists, and 100 000 buttons in all of them', () => {
  const lists = (count: number): readonly number[] => Array.from({ length: count }, () => 0)
  const playlists = 'playlists: must have at most 10000 entries'
  const buttons = 'playlists: must have at most 100000 buttons altogether'
  expect(tooMany(showOf(50_000, 50_000, ...lists(9_998)))).toEqual([])
  expect(tooMany(showOf(...lists(10_001)))).toEqual([playlists])
  expect(tooMany(showOf(50_001, 50_000))).toEqual([buttons])
  expect(tooMany(showOf(100_001, ...lists(10_000)))).toEqual([playlists, buttons])
})

it('what is no playlist, or no button, breaks no rule of them', () => {
  const none = [null, 7, [], {}]
  for (const show of [...none, { playlists: {} }, { playlists: [...none, { buttons: none }] }]) {
    expect([tooMany(show), ruleFaults(show)]).toEqual([[], []])
  }
})

it('what is wrong is told as a reader meets it, by number and not by letter', () => {
  const places = [
    'playlists[10].buttons[2].id', 'playlists[2].buttons[10].id', 'playlists[2].buttons[9].id',
    'playlists[2].title', 'title', 'playlists[2].buttons[9].media', 'file',
  ]
  const told = inOrder(places.map((place) => ({ place, message: 'x' })))
  expect(told.map(({ place }) => place)).toEqual([
    'file', 'title', 'playlists[2].title', 'playlists[2].buttons[9].id',
    'playlists[2].buttons[9].media', 'playlists[2].buttons[10].id', 'playlists[10].buttons[2].id',
  ])
})
