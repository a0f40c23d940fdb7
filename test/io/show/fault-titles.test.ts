// A fault in a show names the button or the playlist in which it stands.
import { expect, test } from 'vitest'
import { faultText } from '../../../src/io/files/fault.js'
import { withTitles } from '../../../src/io/show/fault-titles.js'

const show = (button: unknown, title: unknown = 'Round 1') =>
  ({ title: 'Quiz', playlists: [{}, { title, buttons: [{}, button] }] })

const told = (raw: unknown, place: string): string =>
  withTitles(raw, [{ place, message: 'is wrong' }]).map(faultText).join()

test('by its title', () => {
  const raw = show({ title: 'Doorbell "A"' })
  expect(told(raw, 'playlists[1].buttons[1].dmx.loop'))
    .toBe('playlists[1].buttons[1].dmx.loop: is wrong (button "Doorbell \\"A\\"")')
  expect(told(raw, 'playlists[1].crossfadeMs'))
    .toBe('playlists[1].crossfadeMs: is wrong (playlist "Round 1")')
})

test('nothing where there is none to name', () => {
  for (const button of [null, 7, [], {}, { title: 3 }, { title: ' ' }]) {
    expect(told(show(button, ''), 'playlists[1].buttons[1].id'))
      .toBe('playlists[1].buttons[1].id: is wrong')
  }
  for (const raw of [null, 'show', {}, { playlists: 5 }, { playlists: [null] }]) {
    expect(told(raw, 'playlists[3].buttons[1].id')).toBe('playlists[3].buttons[1].id: is wrong')
  }
  expect(told(show({}), 'title')).toBe('title: is wrong')
})

test('the beginning of a long one', () => {
  const text = told(show({ title: '🔔'.repeat(99) }), 'playlists[1].buttons[1].id')
  expect(text).toBe(`playlists[1].buttons[1].id: is wrong (button "${'🔔'.repeat(30)}…")`)
})
