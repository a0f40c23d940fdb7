// What a show may say is handed on: no key is taken from the file and then lost on the way.
import { expect, it } from 'vitest'
import { builtShow } from '../../../src/io/show/show-file.js'
import { parseShape, showShape } from '../../../src/io/show/show-shape.js'

const A = '11111111-2222-3333-4444-aaaaaaaaaaaa'
const B = '11111111-2222-3333-4444-bbbbbbbbbbbb'

const { shape } = parseShape({
  title: 'T',
  playlists: [
    { id: A, title: 'P', columns: 4, buttons: [{ id: B, title: 'b', kind: 'audio', media: 'm' }] },
  ],
})
const { show, looks } = builtShow(shape!, '/show', new Map())

it('each key of a button reaches the engine, or the pages as its look', () => {
  const keys = Object.keys(showShape.shape.playlists.unwrap().element.shape.buttons.unwrap()
    .element.shape)
  const [button] = show.playlists[0]!.buttons
  const reached = { ...button, ...looks.buttons.get(B) }
  expect(keys.filter((key) => !(key in reached))).toEqual([])
  expect(keys.length).toBeGreaterThan(15)
})

it('each key of a playlist reaches the engine, but its columns: they are for the pages', () => {
  const keys = Object.keys(showShape.shape.playlists.unwrap().element.shape)
  expect(keys.filter((key) => !(key in show.playlists[0]!))).toEqual(['columns'])
  expect(looks.columns.get(A)).toBe(4)
})
