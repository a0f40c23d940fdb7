// A shuffled round can come in every order there is, and its draw prefers none of them; what it
// names is an item of the show of now.
import { expect, it } from 'vitest'
import type { Button, Playlist } from '../../../src/engine/catalogue.js'
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
