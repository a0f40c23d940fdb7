// A video whose pictures go on after its sound: silence to their end, where there is one.
import { beforeEach, expect, it, vi } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import type { DecodeRequest } from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { PICTURES_ALONE } from '../../../src/io/media/pictures-after-sound.js'
import type { MediaFacts } from '../../../src/io/media/probe/probe-file.js'
import { beginAnew, decoding, FILE, known, numbers } from './decoder-rig.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())
vi.mock('../../../src/io/media/decoder/ffmpeg-process.js', async () =>
  (await import('./fake-ffmpeg.js')).ffmpegProcess)

beforeEach(beginAnew)

it.each<[string, Partial<DecodeRequest>, number | null, number, number, number | null]>([
  ['for so long', {}, 80, 20_000 - 80, 20_000, 20_000],
  ['also where only what came tells where the sound ends', {}, null, 19_900, 20_000, 20_000],
  ['to the end of the range', { to: 15_000 }, 80, 15_000 - 80, 15_000, null],
  ['not within the sound', { to: 70 }, 80, 0, 70, null],
  ['from a Start behind the sound on', { from: 5_000, origin: 5_000 }, 80, 15_000, 20_000,
    20_000],
])('pictures that go on after their sound are silent, %s', async (_what, change, ...want) => {
  const [soundEnd, silence, end, source] = want
  const facts = known({
    soundEnd: soundEnd === null ? null : frame(soundEnd), picturesEnd: frame(20_000),
    duration: frame(20_000),
  })
  const { ffmpeg, heard } = await decoding(change, { ...FILE, isMp4: true }, facts)
  if (change.from === undefined) ffmpeg.write(0, 100)
  await ffmpeg.end(0)
  const frames = numbers(0, change.from === undefined ? Math.min(end, soundEnd ?? 100) : 0)
  const done = { kind: 'done', job: 1, end, source }
  expect(heard()).toEqual({ frames, silence, end: done, overs: 1 })
})

it.each<[string, Look, Partial<MediaFacts>]>([
  ['no longer than a last packet', { ...FILE, type: 'video/webm' },
    { picturesEnd: frame(100 + PICTURES_ALONE) }],
  ['of a length that is a guess', { ...FILE, type: 'video/webm' },
    { picturesEnd: frame(20_000), isEstimate: true }],
  ['that a sound by its first bytes cannot have', FILE, { picturesEnd: frame(20_000) }],
])('it ends with the sound before pictures %s', async (_what, look, facts) => {
  const { ffmpeg, heard } = await decoding({}, look, known(facts))
  ffmpeg.write(0, 100)
  await ffmpeg.end(0)
  expect(heard()).toMatchObject({ silence: 0, end: { kind: 'done', end: 100, source: 100 } })
})
