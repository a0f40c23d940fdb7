// A shuffled round can come in every order there is, and its draw prefers none of them; what it
// names is an item of the show of now.
import { expect, it } from 'vitest'
import { Catalogue, type Button, type Playlist } from '../../../src/engine/catalogue.js'
import { PlaylistOrder } from '../../../src/engine/playlists/playlist-order.js'
import { createPrng } from '../../../src/engine/prng.js'

const item = (id: string): Button => ({
  id, title: id, kind: 'audio', playlistId: 'list', media: `/${id}`, startMs: 0, endMs: null,
  fadeInMs: 0, fadeOutMs: 0, fadeOutAtEnd: false, isLoopEnabled: false, pauseWhenReplaced: false,
  allowOverlap: false, gainDb: 0, dmx: null, own: null,
})
const LIST: Playlist = {
  id: 'list', title: 'list', mode: 'shuffle', wrap: true, mixOnTransition: false, crossfadeMs: 0,
  crossfadeCurve: 'linear', buttons: ['a', 'b', 'c', 'd'].map(item),
}

/** Two rounds: the first begins with `a`, since that was started by hand. */
const played = (seed: number): string => {
  const order = new PlaylistOrder(createPrng(seed))
  order.began(LIST, 'a', false)
  let told = 'a'
  while (told.length < 2 * LIST.buttons.length) {
    const next = order.pick(LIST, told.at(-1)!, () => false)!
    order.began(LIST, next.id, true)
    told += next.id
  }
  return told
}

it('every order of the rest of a round comes, none far more often than another', () => {
  const rounds = Array.from({ length: 600 }, (_, seed) => played(seed))
  for (const [part, orders] of [[0, 6], [4, 24]] as const) {
    const counts = new Map<string, number>()
    for (const round of rounds) {
      const order = round.slice(part, part + 4)
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(orders)
    expect(Math.max(...counts.values())).toBeLessThan((600 / orders) * 3)
  }
})

it('an item that was edited in mid-round comes as it is now', () => {
  const order = new PlaylistOrder(createPrng(1))
  order.began(LIST, 'a', false)
  const before = order.pick(LIST, 'a', () => false)!
  const edited = { ...LIST, buttons: LIST.buttons.map((it) => ({ ...it, media: `/new/${it.id}` })) }
  const next = order.pick(edited, 'a', () => false)
  expect(next).toMatchObject({ id: before.id, media: `/new/${before.id}` })
})

/** What is played in a round, after another show without the list, or with it, came and went. */
const nextAfter = (between: readonly Playlist[]): string[] => {
  const order = new PlaylistOrder(createPrng(1))
  order.began(LIST, 'a', false)
  for (const id of ['b', 'c']) order.began(LIST, id, true)
  order.replaced(new Catalogue({ title: '', playlists: between }))
  const told: string[] = []
  const next = (): string => order.pick(LIST, told.at(-1) ?? 'c', () => false)!.id
  while (told.length < 3) {
    told.push(next())
    order.began(LIST, told.at(-1)!, true)
  }
  return told
}

it('the round of a list that left the show is forgotten, and none of the others', () => {
  expect(nextAfter([LIST])[0]).toBe('d')
  expect(nextAfter([]).sort()).toEqual(['a', 'b', 'd'])
})

it('an item that left its list is not kept in the round: back again it comes last, as new', () => {
  const order = new PlaylistOrder(createPrng(1))
  order.began(LIST, 'a', false)
  const first = order.pick(LIST, 'a', () => false)!
  const without = { ...LIST, buttons: LIST.buttons.filter(({ id }) => id !== first.id) }
  let last = 'a'
  const told = [without, { ...LIST }, LIST].map((list) => {
    last = order.pick(list, last, () => false)!.id
    order.began(list, last, true)
    return last
  })
  expect(told[2]).toBe(first.id)
  expect([...told].sort()).toEqual(['b', 'c', 'd'])
})
