// A show that is made from a folder: it names the schema beside it, and keeps what is there.
import { execFileSync } from 'node:child_process'
import {
  cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { schemaText, showSchema } from '../../../src/io/show/file-schemas.js'
import { kindOf, newShow, writeNewShow } from '../../../src/io/show/new-show.js'
import { loadShow } from '../../../src/io/show/show-file.js'
import { TIMELINE_LIMITS } from '../../../src/io/timeline/timeline-faults.js'

const SCHEMA = schemaText(showSchema('1.2.3'))
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-new-'))
  writeFileSync(join(folder, 'a.mp3'), 'sound')
})
afterEach(() => rmSync(folder, { recursive: true }))

const made = async () => {
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  return writeNewShow(join(folder, 'show.json'), answer.show, SCHEMA)
}
const textOf = (name: string, where = folder): string => readFileSync(join(where, name), 'utf8')

/** What an editor does: the schema is where the file says, seen from the file. */
const editorFinds = (file: string): boolean => {
  const show = JSON.parse(readFileSync(file, 'utf8')) as { $schema: string }
  const schema = JSON.parse(readFileSync(resolve(file, '..', show.$schema), 'utf8')) as object
  const ajv = new Ajv2020({ strict: false })
  ;(formats as unknown as (on: Ajv2020) => void)(ajv)
  return ajv.validate(schema, show) && JSON.stringify(schema).includes('pauseWhenReplaced')
}

it('names a schema that lies beside it, also where the folder is copied to', async () => {
  expect(await made()).toEqual({ ok: true, isSchemaKept: false })
  expect(Object.keys(JSON.parse(textOf('show.json')) as object)[0]).toBe('$schema')
  const elsewhere = mkdtempSync(join(tmpdir(), 'cartwall-copy-'))
  cpSync(folder, elsewhere, { recursive: true })
  rmSync(join(folder, 'show.schema.json'))
  expect(editorFinds(join(elsewhere, 'show.json'))).toBe(true)
  rmSync(elsewhere, { recursive: true })
  expect(await loadShow(join(folder, 'show.json'), null)).toMatchObject({ ok: true })
})

it('takes the schema for no medium, and writes over nothing', async () => {
  await made()
  const before = textOf('show.json')
  const buttons = [{ title: 'a' }]
  expect(await newShow(folder)).toMatchObject({ ok: true, show: { playlists: [{ buttons }] } })
  expect(await made()).toMatchObject({ ok: false })
  expect([textOf('show.json'), textOf('show.schema.json')]).toEqual([before, SCHEMA])
})

it('names what it passed over; of many of a kind the number', async () => {
  for (let n = 1; n <= 22; n += 1) writeFileSync(join(folder, `note ${n}.txt`), 'words')
  writeFileSync(join(folder, '.hidden'), 'words')
  writeFileSync(join(folder, 'show.schema.json'), SCHEMA)
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  expect(answer.passedOver[0]).toBe(
    `${join(folder, 'note 1.txt')}: is no sound, video, image or timeline by its name`)
  expect(answer.passedOver).toHaveLength(21)
  expect(answer.passedOver.at(-1)).toBe('2 more like it')
})

it('says of a link where it does not lead, and of a .json why it is no timeline', async () => {
  symlinkSync('gone.wav', join(folder, 'gone too.wav'))
  symlinkSync('.', join(folder, 'here'))
  writeFileSync(join(folder, 'notes.json'), '{}')
  symlinkSync('notes.json', join(folder, 'words.txt'))
  execFileSync('mkfifo', [join(folder, 'pipe.wav')])
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  expect(answer.passedOver).toEqual([
    `${join(folder, 'gone too.wav')}: is a link to what is not there`,
    `${join(folder, 'here')}: is a link to a folder`,
    `${join(folder, 'notes.json')}: is no lighting timeline: format: must be "dmx-timeline"`,
    `${join(folder, 'words.txt')}: is no sound, video, image or timeline by its name`,
  ])
})

it('says of a picture that no browser shows what it is, and what to save it as', async () => {
  writeFileSync(join(folder, 'b.HEIC'), '\0\0\0\x18ftypheic\0\0\0\0mif1heic')
  writeFileSync(join(folder, 'c.tif'), 'II*\0\x08\0')
  const answer = await newShow(folder)
  const todo = 'which browsers do not show: save it as JPEG or PNG'
  expect(answer).toMatchObject({ ok: true, passedOver: [
    `${join(folder, 'b.HEIC')}: is HEIC, ${todo}`, `${join(folder, 'c.tif')}: is TIFF, ${todo}`,
  ] })
})

it('knows each sound that docs/media.md tells to play by its name', async () => {
  const names = ['ac3', 'au', 'caf', 'eac3', 'mka', 'mp2', 'tta', 'w64', 'wv']
  for (const name of names) writeFileSync(join(folder, `b.${name}`), 'sound')
  expect(await newShow(folder)).toMatchObject({
    ok: true, passedOver: [], show: { playlists: [{ buttons: { length: names.length + 1 } }] },
  })
})

it('a file of somebody else that has the place of the schema stays, and is not named', async () => {
  writeFileSync(join(folder, 'show.schema.json'), 'mine')
  expect(await made()).toEqual({ ok: true, isSchemaKept: true })
  expect(textOf('show.schema.json')).toBe('mine')
  expect(textOf('show.json')).not.toContain('$schema')
  // That of this version may be there already: then it is named.
  rmSync(join(folder, 'show.json'))
  writeFileSync(join(folder, 'show.schema.json'), SCHEMA)
  expect(await made()).toEqual({ ok: true, isSchemaKept: false })
})

it.each(['demo', 'examples/quiz'])('the show in %s finds that of the package', (place) => {
  const { $schema } = JSON.parse(textOf('show.json', place)) as { $schema: string }
  expect(resolve(place, $schema)).toBe(resolve('dist/show.schema.json'))
})

it('puts what is there in natural order, a playlist for each folder', async () => {
  const put = (...names: readonly string[]): void => {
    for (const name of names) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), '')
    }
  }
  rmSync(join(folder, 'a.mp3'))
  put(
    'cue 10.wav', 'cue 2.wav', 'Cue 1.wav', 'my_sting_.flac', '_.ogg', 'round 10/b.mp4',
    'round 2/a.png', 'round 2/deep/c.opus', 'node_modules/x.wav', '.git/x.wav', 'empty/notes.txt',
  )
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  const rows = answer.show.playlists.map(({ title, buttons }) => [
    title, ...buttons.map((button) => `${button.kind} ${button.title}: ${button.media ?? ''}`),
  ])
  expect(rows).toEqual([
    [
      folder.split('/').at(-1), 'audio _.ogg: _.ogg', 'audio Cue 1: Cue 1.wav',
      'audio cue 2: cue 2.wav', 'audio cue 10: cue 10.wav', 'audio my sting: my_sting_.flac',
    ],
    ['round 2', 'image a: round 2/a.png'],
    ['round 2 / deep', 'audio c: round 2/deep/c.opus'],
    ['round 10', 'video b: round 10/b.mp4'],
  ])
})

it('of folders in folders whose names are too long for a title the last ones count', async () => {
  const deep = join(folder, ...Array.from({ length: 5 }, () => 'n'.repeat(240)), 'round 7')
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'b.mp3'), 'sound')
  expect(await made()).toMatchObject({ ok: true })
  expect(await loadShow(join(folder, 'show.json'), null)).toMatchObject({ ok: true })
  const { playlists } = JSON.parse(textOf('show.json')) as { playlists: { title: string }[] }
  expect(playlists[1]?.title).toMatch(/^…n.*n \/ round 7$/)
  expect(playlists[1]?.title).toHaveLength(1_000)
})

it('goes eight folders deep, and names what is deeper', async () => {
  const deep = join(folder, 'd/d/d/d/d/d/d/d')
  mkdirSync(join(deep, 'd'), { recursive: true })
  writeFileSync(join(deep, 'b.wav'), '')
  writeFileSync(join(deep, 'd/c.wav'), '')
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  expect(answer.show.playlists.map(({ buttons }) => buttons.map(({ title }) => title)))
    .toEqual([['a'], ['b']])
  expect(answer.passedOver).toEqual([`${join(deep, 'd')}: nested too deep`])
})

it('passes over a name that cannot stand in JSON', async () => {
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9]), Buffer.from('.wav')])
  writeFileSync(bytes, '')
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  expect(answer.show.playlists[0]?.buttons.map(({ title }) => title)).toEqual(['a'])
  const passed = `${join(folder, '\uFFFD.wav')}: its name is not UTF-8: rename it`
  expect(answer.passedOver).toEqual([passed])
})

it('names a button by its file where the name alone would not be seen', async () => {
  rmSync(join(folder, 'a.mp3'))
  writeFileSync(join(folder, '\u200B.wav'), '')
  const answer = await newShow(folder)
  expect(answer).toMatchObject({ show: { playlists: [{ buttons: [{ title: '\u200B.wav' }] }] } })
})

it('takes a name that was converted badly once, and is UTF-8 now', async () => {
  writeFileSync(join(folder, 'Caf\uFFFD.wav'), '')
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  expect(answer.passedOver).toEqual([])
  expect(answer.show.playlists[0]?.buttons.map(({ media }) => media))
    .toEqual(['a.mp3', 'Caf\uFFFD.wav'])
})

it('says why a folder is not found whose name is not UTF-8', async () => {
  // The shell hands its bytes over, and Node this sign in their place.
  const bad = join(folder, 'k\uFFFDk')
  expect(await newShow(bad)).toEqual({
    ok: false, message: `${bad} does not exist: a name in its path is not UTF-8: rename it`,
  })
})

it('has both files on the disk once it is done: the stick may be pulled out then', async () => {
  const any = await open(join(folder, 'a.mp3'))
  const handles = Object.getPrototypeOf(any) as typeof any
  await any.close()
  const sync = vi.spyOn(handles, 'sync')
  try {
    expect(await made()).toEqual({ ok: true, isSchemaKept: false })
    expect(sync).toHaveBeenCalledTimes(2)
  } finally {
    sync.mockRestore()
  }
})

it('leaves nothing of a show that a full disk did not take: the next try makes it', async () => {
  const any = await open(join(folder, 'a.mp3'))
  const handles = Object.getPrototypeOf(any) as typeof any
  await any.close()
  const full = new Error('ENOSPC: no space left on device, write')
  const write = vi.spyOn(handles, 'writeFile').mockRejectedValueOnce(full)
  const told = `${join(folder, 'show.json')} cannot be written: ${full.message}`
  expect(await made()).toEqual({ ok: false, message: told })
  write.mockRestore()
  expect(await made()).toMatchObject({ ok: true })
})

it('says what it could not take, where that leaves nothing', async () => {
  rmSync(join(folder, 'a.mp3'))
  const nothing = `there is no sound, video, image or timeline in ${folder}`
  expect(await newShow(folder)).toEqual({ ok: false, message: nothing })
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9]), Buffer.from('.wav')])
  writeFileSync(bytes, '')
  const passed = `passed over ${join(folder, '\uFFFD.wav')}: its name is not UTF-8: rename it`
  expect(await newShow(folder)).toEqual({ ok: false, message: `${nothing}; ${passed}` })
})

it('says what is no folder, and where nothing can be written', async () => {
  const [file, gone] = [join(folder, 'a.mp3'), join(folder, 'gone')]
  expect(await newShow(file)).toEqual({ ok: false, message: `${file} is not a folder` })
  expect(await newShow(gone)).toEqual({ ok: false, message: `${gone} does not exist` })
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  const written = await writeNewShow(join(gone, 'show.json'), answer.show, SCHEMA)
  expect(written.ok ? '' : written.message).toMatch(/gone\/show\.json cannot be written: ENOENT/)
})

it('leaves alone what systems keep on a disk, e.g. songs that were deleted', async () => {
  const others = ['$RECYCLE.BIN/S-1-5-21', 'System Volume Information', 'lost+found', '__MACOSX']
  for (const other of others) {
    mkdirSync(join(folder, other), { recursive: true })
    writeFileSync(join(folder, other, 'gone.wav'), '')
    writeFileSync(join(folder, other, 'WPSettings.dat'), '')
  }
  const answer = await newShow(folder)
  if (!answer.ok) throw new Error(answer.message)
  const buttons = answer.show.playlists.flatMap((playlist) => playlist.buttons)
  expect(buttons.filter(({ media }) => media?.endsWith('gone.wav'))).toEqual([])
  expect(answer.passedOver).toEqual([])
})

it('knows a timeline by its format wherever that stands, e.g. with sorted keys', async () => {
  const fixtures = Array.from({ length: 20 }, (_, n) => ({ id: `lamp ${n}`, universe: 0 }))
  const timeline = { durationMs: 1_000, fixtures, format: 'dmx-timeline', tracks: [], version: 1 }
  const kindWith = (text: string): Promise<string | null> => {
    writeFileSync(join(folder, 'lights.json'), text)
    return kindOf(join(folder, 'lights.json'))
  }
  const text = JSON.stringify(timeline, null, 2)
  expect(text.indexOf('"format"')).toBeGreaterThan(512)
  expect(await kindWith(text)).toBe('dmx')
  expect(await kindWith(`\uFEFF${text}`)).toBe('dmx')
  expect(await kindWith(`\n  ${text}\n`)).toBe('dmx')
  // Somebody else's file that has one in it, or one that `cartwall dmx` would refuse for its size.
  expect(await kindWith(JSON.stringify({ fixtures, shows: [timeline] }))).toBeNull()
  expect(await kindWith(JSON.stringify([fixtures, timeline]))).toBeNull()
  expect(await kindWith(text.replace('dmx-timeline', 'other'))).toBeNull()
  expect(await kindWith(text + ' '.repeat(TIMELINE_LIMITS.bytes))).toBeNull()
})

it.each<[string, string, readonly string[]]>([
  ['audio', '', [
    'wav', 'flac', 'mp3', 'm4a', 'aac', 'ogg', 'oga', 'opus', 'wma', 'aif', 'aiff', 'WAV', 'Mp3',
    'm4b', 'aifc', 'ape', 'amr', 'dts',
  ]],
  ['video', '', [
    'mp4', 'm4v', 'mov', 'mkv', 'webm', 'avi', 'mpg', 'mpeg', 'MOV',
    'wmv', 'flv', '3gp', 'ogv', 'mts', 'm2ts', 'vob',
  ]],
  ['image', '', [
    'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'bmp', 'JPG', 'jfif', 'jpe', 'apng',
  ]],
  ['dmx', '\uFEFF{ "format" : "dmx-timeline"', ['json', 'show', 'JSON']],
  ['dmx', 'OLA Show\n1 0\n', ['show', 'json']], ['dmx', '\uFEFFOLA Show\n1 0\n', ['show']],
  ['none', 'an OLA Show', ['json', 'show', 'txt', 'pdf', 'flac2', 'm3u8', 'cue', '']],
])('of kind %s with the text %j: %j', async (kind, text, endings) => {
  for (const ending of endings) {
    const path = join(folder, `file.${ending}`)
    writeFileSync(path, text)
    expect([ending, await kindOf(path)]).toEqual([ending, kind === 'none' ? null : kind])
  }
  mkdirSync(join(folder, 'folder.wav'))
  expect([await kindOf(join(folder, 'folder.wav')), await kindOf(join(folder, 'gone.wav'))])
    .toEqual([null, null])
})
