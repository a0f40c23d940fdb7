// `cartwall add`: media come into a show, and nothing else in it changes.
import {
  chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync,
  symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addMedia } from '../../../src/io/show/add-media.js'
import { loadShow } from '../../../src/io/show/show-file.js'

const root = mkdtempSync(join(tmpdir(), 'cartwall-add-'))
afterAll(() => rmSync(root, { recursive: true }))

const A = '11111111-2222-3333-4444-aaaaaaaaaaaa'
const B = '11111111-2222-3333-4444-bbbbbbbbbbbb'
const show = join(root, 'show.json')
const media = (name: string, text = 'sound'): string => {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}
const write = (text: string): void => writeFileSync(show, text)
const TEXT = `{
  "title":  "Quiz",   "x-note": "two  spaces",
  "playlists": [ { "id": "${A}", "title": "Beds", "buttons": [] },
                 { "id": "${B}", "title": "Stings" } ]
}
`

beforeEach(() => {
  mkdirSync(join(root, 'media'), { recursive: true })
  write(TEXT)
})

const added = async (playlist: string | null, ...files: string[]) => addMedia(show, playlist, files)

describe('cartwall add', () => {
  it('puts a button for each file at the end of the playlist, of the kind that it is', async () => {
    const lights = media('bed.json', '{"format": "dmx-timeline"}')
    const files = [media('media/My_bed.flac'), media('logo.PNG'), media('v.mp4'), lights]
    expect(await added('Stings', ...files)).toEqual({ ok: true, playlist: 'Stings', count: 4 })
    const loaded = await loadShow(show, null)
    if (!loaded.ok) throw new Error('refused')
    const [beds, stings] = loaded.show.playlists
    expect(beds?.buttons).toEqual([])
    expect(stings?.buttons.map(({ title, kind, media: path }) => [title, kind, path])).toEqual([
      ['My bed', 'audio', files[0]], ['logo', 'image', files[1]], ['v', 'video', files[2]],
      ['bed', 'dmx', null],
    ])
    expect(stings?.buttons[3]?.dmx).toMatchObject({ timelineId: lights, loop: false })
    expect(new Set(stings?.buttons.map(({ id }) => id)).size).toBe(4)
    const text = readFileSync(show, 'utf8')
    expect(text).toContain('"media/My_bed.flac"')
    expect(text.startsWith(TEXT.slice(0, TEXT.indexOf('"Stings"')))).toBe(true)
  })

  it.skipIf(process.getuid?.() !== 0)('an administrator leaves the file to its owner', async () => {
    chownSync(show, 1_234, 5_678)
    chmodSync(show, 0o640)
    expect(await added('Beds', media('a.wav'))).toMatchObject({ ok: true })
    const { uid, gid, mode } = statSync(show)
    expect([uid, gid, mode & 0o777]).toEqual([1_234, 5_678, 0o640])
    chownSync(show, 0, 0)
  })

  it('takes a playlist by its id too, however that is written', async () => {
    for (const id of [B, B.toUpperCase()]) {
      expect(await added(id, media('a.wav'))).toEqual({ ok: true, playlist: 'Stings', count: 1 })
    }
    const loaded = await loadShow(show, null)
    expect(loaded.ok && loaded.show.playlists.map(({ buttons }) => buttons.length)).toEqual([0, 2])
  })

  it.each(['Round\u00A01', 'Rou\u200Bnd 1', ' Round\u30001\u200F'])(
    'takes a title with spaces that are not what they look like: %j', async (title) => {
      write(TEXT.replace('"Stings"', JSON.stringify(title)))
      expect(await added('Round 1', media('a.wav'))).toMatchObject({ ok: true, playlist: title })
    })

  it('takes a title whose accents another system wrote', async () => {
    for (const [there, asked] of [['NFD', 'NFC'], ['NFC', 'NFD']] as const) {
      write(TEXT.replace('Stings', 'Türen'.normalize(there)))
      expect(await added('Türen'.normalize(asked), media('a.wav'))).toMatchObject({ ok: true })
    }
  })

  it('asks for the id where two playlists have the title, and changes nothing', async () => {
    const twice = TEXT.replace('"Stings"', '"Beds"')
    write(twice)
    expect(await added('Beds', media('a.wav'))).toEqual({
      ok: false, messages: [`several playlists are called "Beds": say which by its id: ${A}, ${B}`],
    })
    expect(readFileSync(show, 'utf8')).toBe(twice)
    expect(await added(B, media('a.wav'))).toMatchObject({ ok: true })
    const loaded = await loadShow(show, null)
    if (!loaded.ok) throw new Error('refused')
    expect(loaded.show.playlists.map(({ buttons }) => buttons.length)).toEqual([0, 1])
  })

  it('writes into the file that a link leads to, and the link stays', async () => {
    const link = join(root, 'linked.json')
    symlinkSync(show, link)
    expect(await addMedia(link, 'Beds', [media('a.wav')])).toMatchObject({ ok: true })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(show, 'utf8')).toContain('"a.wav"')
    rmSync(link)
  })

  it('names files as seen from where the show is opened: by a link elsewhere too', async () => {
    mkdirSync(join(root, 'stage'), { recursive: true })
    const link = join(root, 'stage/linked.json')
    symlinkSync('../show.json', link)
    const files = [media('a.wav'), media('media/b.wav'), media('stage/c.wav')]
    for (const opened of [show, link]) {
      write(TEXT)
      expect(await addMedia(opened, 'Beds', files)).toMatchObject({ ok: true, count: 3 })
      const loaded = await loadShow(opened, null)
      expect(loaded.ok && loaded.media.map(({ path }) => path)).toEqual(files)
    }
  })

  it('keeps the mode of the file, and takes the only playlist by itself', async () => {
    write(`{ "title": "x", "playlists": [ { "id": "${A}", "title": "Beds" } ] }`)
    chmodSync(show, 0o640)
    expect(await added(null, media('a.wav'))).toMatchObject({ ok: true, playlist: 'Beds' })
    expect(statSync(show).mode & 0o777).toBe(0o640)
    write('{ "title": "Empty" }')
    expect(await added(null, media('a.wav'))).toMatchObject({ ok: true, playlist: 'Empty' })
    expect(await loadShow(show, null)).toMatchObject({ ok: true })
  })

  it('leaves a read-only file as it is, also for an administrator', async () => {
    chmodSync(show, 0o444)
    expect(await added('Beds', media('a.wav'))).toEqual({
      ok: false, messages: [`${show} is read-only and stays as it is`],
    })
    expect(readFileSync(show, 'utf8')).toBe(TEXT)
    chmodSync(show, 0o644)
  })

  it('leaves what an editor saved meanwhile', async () => {
    const saved = TEXT.replace('Stings', 'Jingles')
    const song = media('a.wav')
    const files = Object.assign([song], {
      *[Symbol.iterator]() {
        write(saved)
        yield song
      },
    })
    expect(await addMedia(show, 'Stings', files)).toEqual({
      ok: false, messages: [`${show} was changed by another program meanwhile: try again`],
    })
    expect(readFileSync(show, 'utf8')).toBe(saved)
  })

  it('says it of one of two that add at the same moment: no button is lost unseen', async () => {
    const files = ['a.wav', 'b.wav', 'c.wav'].map((name) => media(name))
    const answers = await Promise.all(files.map((file) => added('Beds', file)))
    const shown = await loadShow(show, null)
    const count = answers.filter(({ ok }) => ok).length
    expect([count, shown.ok && shown.media.length]).toEqual([1, 1])
    expect(answers.flatMap((each) => each.ok ? [] : each.messages)[0]).toMatch(/try again/)
  })

  it('says what to do where one that was killed left its draft', async () => {
    media('show.json.new')
    expect(await added('Beds', media('a.wav'))).toEqual({ ok: false, messages: [
      `${show} is being changed by another program: try again `
        + `(where none is, delete ${show}.new)`,
    ] })
    rmSync(join(root, 'show.json.new'))
  })

  it('keeps a byte order mark', async () => {
    write(`\uFEFF${TEXT}`)
    expect(await added('Beds', media('a.wav'))).toMatchObject({ ok: true })
    expect(readFileSync(show, 'utf8')).toMatch(/^\uFEFF\{/)
    expect(await loadShow(show, null)).toMatchObject({ ok: true })
  })

  it('says what to do where the show has no playlist yet, and one is named', async () => {
    write('{ "title": "Quiz" }')
    expect(await added('Beds', media('a.wav'))).toMatchObject({ ok: false, messages: [
      'there is no playlist "Beds"; the show has none yet: without --playlist one is made',
    ] })
    expect(await added(null, media('a.wav'))).toMatchObject({ ok: true, count: 1 })
  })

  it.each([
    [null, ['a.wav'], 'say which playlist with --playlist: "Beds", "Stings"'],
    ['beds', ['a.wav'], 'there is no playlist "beds"; say which playlist'],
    ['Beds', ['a.wav', 'gone.wav'], 'gone.wav does not exist'],
    ['Beds', ['A.wav'], 'A.wav does not exist, but for a.wav'],
    ['Beds', ['caf\uFFFD.wav'],
      'caf\uFFFD.wav does not exist: a name in its path is not UTF-8: rename it'],
    ['Beds', ['notes.txt'], 'is no sound, video, image or timeline'],
    ['Beds', ['media'], 'is a folder, not a file'],
  ] as const)('changes nothing for %s and %j', async (playlist, names, words) => {
    media('a.wav')
    media('notes.txt')
    const answer = await added(playlist, ...names.map((name) => join(root, name)))
    const told = answer.ok ? '' : answer.messages.join('\n')
    expect(told).toContain(words)
    expect(told).not.toContain('null')
    expect(readFileSync(show, 'utf8')).toBe(TEXT)
  })

  it('changes nothing in a show that has faults', async () => {
    write('{ "playlists": [ { "title": "x" } ] }')
    const answer = await added(null, media('a.wav'))
    expect(answer.ok ? '' : answer.messages.join()).toContain('playlists[0].id: is missing')
    expect(readFileSync(show, 'utf8')).toBe('{ "playlists": [ { "title": "x" } ] }')
  })
})
