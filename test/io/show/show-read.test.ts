// A show file that is refused names all that is wrong with it, also where a key stands twice.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readShowHere } from '../../../src/io/show/show-read.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-read-'))
afterAll(() => rmSync(folder, { recursive: true }))

const placesIn = async (text: string): Promise<readonly string[]> => {
  const file = join(folder, 'show.json')
  writeFileSync(file, text)
  const read = await readShowHere(file)
  return read.ok ? [] : read.faults.map(({ place }) => place)
}

it('names keys that stand twice among the others, each once', async () => {
  const button = '{"kind":"audio","media":"a","endMs":-1,"gainDb":99,"gainDb":999,"loop":true}'
  const list = `{"title":"A","title":5,"buttons":[${button}]}`
  expect(await placesIn(`{"title":"T","titel":1,"playlists":[${list}]}`)).toEqual([
    'titel', 'playlists[0].title', 'playlists[0].id', 'playlists[0].buttons[0].gainDb',
    'playlists[0].buttons[0].id', 'playlists[0].buttons[0].title',
    'playlists[0].buttons[0].endMs', 'playlists[0].buttons[0].loop',
  ])
})

it('looks no further into what is no JSON, or is nested without an end', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(await placesIn(`{"title":5,"title":6,"x-a":${deep}}`))
    .toEqual(['title', 'line 1, column 92'])
  expect(await placesIn('{"title":5,"title":6,}')).toEqual(['title', 'line 1, column 21'])
})
