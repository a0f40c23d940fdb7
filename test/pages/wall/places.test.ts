// Where the operator is on the wall: what Tab reaches, also where a page has become shorter.
import { signal, type Signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { ShowPage } from '../../../src/contract/show-page.js'
import { Places } from '../../../src/pages/wall/places.js'
import { aButton } from './show-parts.js'

const showOf = (count: number): ShowPage => ({
  title: 'Night', version: '1', settings: { panicFadeMs: 1_500, guardMs: 300, stageOffsetMs: 0 },
  playlists: [{
    id: 'l1', title: 'Beds', mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0,
    crossfadeCurve: 'linear', columns: null,
    buttons: Array.from({ length: count }, (_, n) => aButton({ id: `b${n}`, title: `b${n}` })),
  }],
})

/** The titles of the buttons of the page that Tab reaches. */
const reached = ({ cells, tabStop }: Places): readonly string[] =>
  cells.value.filter(({ place }) => place === tabStop.value).map(({ button }) => button.title)

const placesOf = (count: number): { readonly show: Signal<ShowPage>; readonly places: Places } => {
  const show = signal(showOf(count))
  const places = new Places(show)
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
