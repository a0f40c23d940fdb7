// A show’s way to the sound thread: whatever its size, it comes as it was sent.
import { expect, it } from 'vitest'
import type { Playlist, Show } from '../../src/engine/catalogue.js'
import { ShowReceiver, ShowSender, type ShowPart } from '../../src/sound/show-transfer.js'

const showOf = (title: string, ...counts: readonly number[]): Show => ({
  title,
  playlists: counts.map((count, list) => ({
    id: `list ${list}`,
    title: `List ${list}`,
    buttons: Array.from({ length: count }, (_, n) => ({ id: `${list}-${n}`, title: `B ${n}` })),
  }) as unknown as Playlist),
})

/** All parts, each taken before the next one comes; as they are on the other thread. */
const partsOf = (show: Show): readonly ShowPart[] => {
  const parts: ShowPart[] = []
  const sender = new ShowSender((part) => parts.push(structuredClone(part)))
  sender.begin(show)
  while (sender.isSending) {
    const before = parts.length
    sender.taken(1)
    expect(parts.length).toBe(before + 1)
  }
  return parts
}

it.each([[[]], [[0]], [[1, 0, 99]], [[100, 101, 200]], [[3, 250]]])(
  'lists of %j buttons come as they were sent', (counts) => {
    const show = showOf('A show', ...counts)
    const parts = partsOf(show)
    expect(Math.max(...parts.map(({ buttons }) => buttons.length))).toBeLessThanOrEqual(100)
    const receiver = new ShowReceiver()
    const came = parts.map((part) => receiver.add(part))
    const whole = came.at(-1)
    expect(came.slice(0, -1).every((each) => each === null)).toBe(true)
    expect({ title: whole?.title, playlists: whole?.playlists }).toEqual(show)
    for (const playlist of show.playlists) {
      expect(whole?.playlist(playlist.id)).toEqual(playlist)
      for (const button of playlist.buttons) expect(whole?.button(button.id)).toEqual(button)
    }
    expect(whole?.button('another')).toBeNull()
  },
)

it('of a show that another one overtook on its way nothing is kept', () => {
  const receiver = new ShowReceiver()
  const parts: ShowPart[] = []
  const sender = new ShowSender((part) => parts.push(structuredClone(part)))
  sender.begin(showOf('first', 250))
  sender.taken(1)
  expect(sender.abandon()).toBe(1)
  expect(sender.abandon()).toBeNull()
  sender.begin(showOf('second', 1))
  sender.taken(1)
  sender.taken(2)
  const shows = parts.flatMap((part) => receiver.add(part) ?? [])
  expect(shows.map(({ title, playlists }) => [title, playlists[0]?.buttons.length]))
    .toEqual([['second', 1]])
  expect(shows[0]?.button('0-200')).toBeNull()
})
