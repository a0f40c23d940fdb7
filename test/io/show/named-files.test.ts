// Which files a show names is read also where the show has faults.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { namedFiles } from '../../../src/io/show/named-files.js'
import { readNamedFiles, readShowHere } from '../../../src/io/show/show-read.js'

const named = (buttons: unknown): unknown => {
  const { media, lights } = namedFiles({ playlists: [{ id: 5, buttons }] }, '/show')
  return [...media, ...lights].map(({ place, path, button }) =>
    `${place.replace('playlists[0].buttons', '')} ${path} ${button.kind} ${button.startMs}`)
}

it.each([
  ['a fade that is wrong', { kind: 'audio', media: 'a.wav', fadeInMs: -1 },
    ['[0].media /show/a.wav audio 0']],
  ['a Start that is wrong', { kind: 'video', media: '../a.mp4', startMs: 'x' },
    ['[0].media /a.mp4 video 0']],
  ['a Start that is right', { kind: 'audio', media: '/a.wav', startMs: 5 },
    ['[0].media /a.wav audio 5']],
  ['media that are none', { kind: 'image', media: 5, dmx: { timeline: 'l.json', loop: 'x' } },
    ['[0].dmx.timeline /show/l.json image 0']],
  ['lights that are none', { kind: 'audio', media: 'a.wav', dmx: { timeline: '' } },
    ['[0].media /show/a.wav audio 0']],
  ['media without a meaning', { kind: 'dmx', media: 'a.wav', dmx: { timeline: 'l' } },
    ['[0].dmx.timeline /show/l dmx 0']],
  ['a link to a playlist', { kind: 'navigation', media: 'a', dmx: { timeline: 'l' } }, []],
  ['a kind that there is not', { kind: 'sound', media: 'a.wav' }, []],
  ['no button', null, []],
])('%s', (_, button, files) => expect(named([button])).toEqual(files))

it('a show without the shape of one names nothing', () => {
  const none = { media: [], lights: [] }
  for (const raw of [null, [], 'x', {}, { playlists: {} }, { playlists: [null, { buttons: 1 }] }]) {
    expect(namedFiles(raw, '/show')).toEqual(none)
  }
})

describe('of a show file that is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-named-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'show.json')
  const namedIn = async (text: string): Promise<readonly string[]> => {
    writeFileSync(file, text)
    const { media, lights } = await readNamedFiles(file)
    return [...media, ...lights].map(({ path }) => path)
  }

  it('they are named from its folder; of one that is no JSON, or too large, none', async () => {
    const buttons = [{ kind: 'audio', media: 'a.wav', fadeInMs: -1 }, { kind: 'image', media: 'b' }]
    const text = JSON.stringify({ playlists: [{ buttons }] })
    expect(await namedIn(text)).toEqual([join(folder, 'a.wav'), join(folder, 'b')])
    expect(await namedIn(`{"playlists":[],${text.slice(1)}`)).toHaveLength(2)
    expect(await namedIn(text.slice(0, -1))).toEqual([])
    const lists = Array.from({ length: 10_001 }, () => ({ buttons: [] }))
    const large = JSON.stringify({ playlists: [{ buttons }, ...lists] })
    expect(await namedIn(large)).toEqual([])
    // What is wrong with each entry of it nobody is told: it is too large.
    expect(await readShowHere(file)).toEqual({
      ok: false, faults: [{ place: 'playlists', message: 'must have at most 10000 entries' }],
    })
  })
})
