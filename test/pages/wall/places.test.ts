// Where the operator is on the wall: what Tab reaches, also where a page has become shorter.
import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { ShowPage, ShowPlaylist } from '../../../src/contract/show-page.js'
import { Places, type KeptPlace, type Place } from '../../../src/pages/wall/places.js'
import { aButton } from './show-parts.js'

const listOf = (id: string, name: string, count: number): ShowPlaylist => ({
  id, title: id, mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0,
  crossfadeCurve: 'linear', columns: null,
  buttons: Array.from({ length: count }, (_, n) =>
    aButton({ id: `${name}${n}`, title: `${name}${n}` })),
})

const showWith = (...playlists: readonly ShowPlaylist[]): ShowPage => ({
  title: 'Night', version: '1', settings: { panicFadeMs: 1_500, guardMs: 300, stageOffsetMs: 0 },
  playlists,
})

const showOf = (count: number): ShowPage => showWith(listOf('l1', 'b', count))

/** The titles of the buttons of the page that Tab reaches. */
const reached = ({ cells, tabStop }: Places): readonly string[] =>
  cells.value.filter(({ place }) => place === tabStop.value).map(({ button }) => button.title)

const placesOf = (count: number) => placesIn(showOf(count))

const inWindow = (): KeptPlace => {
  let kept: Place | null = null
  return { read: () => kept, write: (place) => (kept = place) }
}

const placesIn = (page: ShowPage, kept = inWindow()) => {
  const show = signal(page)
  const places = new Places(show, kept)
  places.box.value = { width: 1_000, height: 600 }
  return { show, places }
}

test('the last button, where the one that had the focus is taken out of the show', () => {
  const { show, places } = placesOf(6)
  places.focus.value = 5
  expect(reached(places)).toEqual(['b5'])
  show.value = showOf(3)
  expect(reached(places)).toEqual(['b2'])
})

test('the last one of the page, where a smaller window has fewer', () => {
  const { places } = placesOf(12)
  places.focus.value = 11
  places.box.value = { width: 300, height: 300 }
  expect(places.cells.value.length).toBeLessThan(12)
  expect(reached(places)).toHaveLength(1)
})

test('a screen that is turned shows the buttons that were seen, and again when it is turned back',
  () => {
    const { places } = placesOf(100)
    const titles = (): readonly string[] => places.cells.value.map(({ button }) => button.title)
    places.turnPage(1)
    const before = titles()
    const [first = ''] = before
    places.box.value = { width: 600, height: 1_000 }
    expect(titles()).toContain(first)
    places.box.value = { width: 300, height: 400 }
    expect(titles()).toContain(first)
    places.box.value = { width: 1_000, height: 600 }
    expect(titles()).toEqual(before)
  })

/** The second one has pages. */
const THREE = showWith(listOf('l1', 'a', 3), listOf('l2', 'b', 100), listOf('l3', 'c', 30))
const first = ({ cells }: Places): string | undefined => cells.value[0]?.button.title

test('lists are turned round and round, and each has the page that was left, not its focus', () => {
  const { places } = placesIn(THREE)
  places.turnPlaylist(1)
  places.turnPage(1)
  const { perPage } = places.grid.value
  places.move('right')
  expect([first(places), places.focus.value]).toEqual([`b${perPage}`, 1])
  places.turnPlaylist(1)
  expect([first(places), places.focus.value]).toEqual(['c0', 0])
  places.turnPlaylist(1)
  expect(first(places)).toBe('a0')
  places.turnPlaylist(-1)
  expect(first(places)).toBe('c0')
  places.turnPlaylist(-1)
  expect(first(places)).toBe(`b${perPage}`)
})

test('pages end at the first and the last one, where the focus stays', () => {
  const { places } = placesIn(showWith(listOf('l2', 'b', 100)))
  places.move('end')
  const focus = places.focus.value
  places.turnPage(-1)
  expect([first(places), places.focus.value]).toEqual(['b0', focus])
  places.turnPage(1)
  expect(places.focus.value).toBe(0)
  for (let n = 0; n < 20; n += 1) places.turnPage(1)
  expect(places.cells.value.at(-1)?.button.title).toBe('b99')
})

test('a button that is found is on the page that is open, and has the focus', () => {
  const { places } = placesIn(THREE)
  for (const id of ['b99', 'b0', 'b27', 'c29', 'a0']) {
    places.find(id)
    expect(reached(places)).toEqual([id])
  }
  places.find('of no list')
  expect(reached(places)).toEqual(['a0'])
})

test('a key presses what stands at its place on this page, a hotkey its own of any page', () => {
  const list = listOf('l1', 'b', 100)
  const buttons = list.buttons.map((one, n) => (n === 2 ? { ...one, hotkey: 'F5' } : one))
  const { places } = placesIn(showWith({ ...list, buttons }))
  places.turnPage(1)
  places.turnPage(1)
  const { perPage } = places.grid.value
  expect(places.buttonOfKey('Digit2')?.id).toBe(`b${2 * perPage + 1}`)
  expect(places.cells.value[1]).toMatchObject({ place: 1, key: 'Digit2' })
  expect(places.buttonOfKey('F5')?.id).toBe('b2')
  expect(places.buttonOfKey('F6')).toBeNull()
})

test('a list that leaves the show makes way for the first one, and is open again with its return',
  () => {
    const { show, places } = placesIn(THREE)
    places.openPlaylist('l3')
    show.value = showWith(listOf('l1', 'a', 3), listOf('l2', 'b', 100))
    expect(first(places)).toBe('a0')
    show.value = THREE
    expect(first(places)).toBe('c0')
  })

test('the list that is open, opened once more, keeps its page and the focus', () => {
  const { show, places } = placesIn(THREE)
  places.openPlaylist('l2')
  places.turnPage(1)
  places.move('right')
  const before = reached(places)
  places.openPlaylist('l2')
  expect(reached(places)).toEqual(before)
  // One that stands in for a list that left is then the one that was asked for.
  show.value = showWith(listOf('l1', 'a', 3))
  places.openPlaylist('l1')
  show.value = THREE
  expect(first(places)).toBe('a0')
})

test('the list that is open stays so where a save puts another before it', () => {
  const { show, places } = placesIn(showWith())
  show.value = THREE
  expect(first(places)).toBe('a0')
  show.value = showWith(listOf('l0', 'n', 3), ...THREE.playlists)
  expect(first(places)).toBe('a0')
})

test('a wall that is loaded anew is where it was; before another show at the first list', () => {
  const kept = inWindow()
  const { places } = placesIn(THREE, kept)
  places.turnPlaylist(1)
  places.turnPage(1)
  const anew = placesIn(THREE, kept).places
  expect(first(anew)).toBe(first(places))
  expect(anew.page.value).toBe(1)
  const other = placesIn(showWith(listOf('l8', 'x', 3), listOf('l9', 'y', 3)), kept)
  expect(first(other.places)).toBe('x0')
  other.show.value = showWith(listOf('l7', 'w', 3), listOf('l8', 'x', 3))
  expect(first(other.places)).toBe('x0')
})

test('a list has the columns that it says', () => {
  const { places } = placesIn(showWith({ ...listOf('l1', 'a', 30), columns: 3 }))
  expect(places.grid.value.columns).toBe(3)
})
