// A file that is missing while another of nearly its name is there: what is said of that.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nearName } from '../../../src/io/files/near-name.js'
import { lookAtFile } from '../../../src/io/media/look/file-look.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-near-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'Media'))
mkdirSync(join(folder, 'Act 2'))
for (const name of [
  'Song.MP3', '曲(1).mp3', '🖼️.png', 'Für Élise.flac'.normalize('NFD'), 'Media/Bed.mp3',
  'Act 2/Bed - it\'s "on".wav',
]) {
  writeFileSync(join(folder, name), 'sound')
}

// As an old archive of Windows leaves it.
mkdirSync(join(folder, 'Old'))
writeFileSync(Buffer.from(join(folder, 'Old/caf\u00E9.mp3'), 'latin1'), 'sound')
mkdirSync(join(folder, 'Loud'))
writeFileSync(Buffer.from(join(folder, 'Loud/CAF\u00C9.MP3'), 'latin1'), 'sound')

const ENCODING = ': a name in its path is not UTF-8: rename it'
const BESIDE = ', but for names beside it that are not UTF-8, e.g. caf\uFFFD.mp3: rename them'
const UNSEEN = 'they differ by a sign that cannot be seen'
const ACCENTS = ', but for one that has its accents as another system writes them: rename it'

it.each([
  ['song.mp3', ', but for Song.MP3'], ['Für Élise.flac', ACCENTS],
  ['Song.MP3', ''], ['other.mp3', ''], ['none/song.mp3', ''],
  ['media/Bed.mp3', ', but for the folder Media'],
  ['media/deep/Bed.mp3', ', but for the folder Media'],
  ['Media/deep/Bed.mp3', ''],
  ['Media\\Bed.mp3', ', but for Media/Bed.mp3: write / and not \\'],
  ['C:\\Media\\Bed.mp3', ''],
  ['Song.MP3 ', ', but for "Song.MP3": its spaces differ'],
  ['Act 2/Bed -\u00A0it\'s "on".wav', ', but for "Bed - it\'s "on".wav": its spaces differ'],
  ['Act 2/Bed  - it\'s "on".wav\u200B', ', but for "Bed - it\'s "on".wav": its spaces differ'],
  ['Act 2/Bed – it’s “on”.wav', ', but for "Bed - it\'s "on".wav": its dashes or quotes differ'],
  ['\u202ASong.MP3', `, but for "Song.MP3": ${UNSEEN}`],
  ['\u2068曲(1).mp3\u2069', `, but for "曲(1).mp3": ${UNSEEN}`],
  ['Song.\u2060MP3', ', but for "Song.MP3": its spaces differ'],
  ['🖼\uFE0E.png', `, but for "🖼️.png": ${UNSEEN}`],
  ['🖼.png', `, but for "🖼️.png": ${UNSEEN}`],
  ['曲（１）．mp3', ', but for "曲(1).mp3": some of its signs are of another width'],
  ['Act 2/Bed - it´s "on".wav', ', but for "Bed - it\'s "on".wav": its dashes or quotes differ'],
  ...['Bed \u2010 it\'s "on"', 'Bed \u2212 it\'s "on"', 'Bed - it`s \u2033on\u2033'].map((name) =>
    [`Act 2/${name}.wav`, ', but for "Bed - it\'s "on".wav": its dashes or quotes differ']),
  ['Act\u00A02/Bed.wav', ', but for the folder "Act 2": its spaces differ'],
  ['https:/example.org/Song.MP3', ': it is an address (https:), and only files are played'],
  ['HTTP:/example.org/Song.MP3', ': it is an address (HTTP:), and only files are played'],
  ['file:/Song.MP3', ': it is an address (file:), and only files are played'],
  ['Old/caf\uFFFD.mp3', ENCODING], ['k\uFFFDk/a.mp3', ENCODING],
  ['Old/café.mp3', BESIDE], ['Old/音楽.mp3', BESIDE], ['Old/cafe.mp3', ''],
  ['Loud/café.mp3', BESIDE.replace('caf\uFFFD.mp3', 'CAF\uFFFD.MP3')],
  ['Old/café.wav', ''], ['Old/nö/a.mp3', ''],
  ['~/Song.MP3', ': ~ is no folder here, write the path in full'],
])('%s%s', async (name, said) => {
  const path = join(folder, name)
  expect(await nearName(path)).toBe(said)
  if (name === 'Song.MP3') return
  expect(await lookAtFile(path)).toEqual({ kind: 'missing', message: `the file is missing${said}` })
})
