// Lengths that are guessed are counted by packets; what cannot be counted keeps its guess.
import { beforeEach, expect, it, vi } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { VideoFacts } from '../../../src/contract/show-page.js'
import { withCountedLength } from '../../../src/io/media/probe/counted-length.js'
import type { FfprobeAnswer, FfprobeOutput } from '../../../src/io/media/probe/ffprobe.js'
import { probeWhole } from '../../../src/io/media/probe/keyframes.js'
import type { MediaFacts } from '../../../src/io/media/probe/probe-file.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** What ffprobe says, question by question. */
const answers: FfprobeAnswer[] = []
const asked: (readonly string[])[] = []
vi.mock('../../../src/io/media/probe/ffprobe.js', () => ({
  askFfprobe: (
    _path: string, args: readonly string[], takes: FfprobeOutput,
  ): Promise<FfprobeAnswer> => {
    asked.push(args)
    const answer = answers.shift() ?? { ok: false, message: 'not asked for' }
    // It comes in pieces, which end anywhere.
    if (typeof takes === 'function' && answer.ok) for (const sign of answer.output) takes(sign)
    return Promise.resolve(answer)
  },
}))
const said = (output: string, errors = ''): FfprobeAnswer => ({ ok: true, output, errors })

beforeEach(() => {
  answers.length = 0
  asked.length = 0
})

const FACTS: MediaFacts = {
  duration: frame(99_000), isEstimate: true, soundEnd: null, picturesEnd: null, isInterlaced: false,
  container: 'mp3', video: null,
  audio: { codec: 'mp3', channels: 2, sampleRate: 44_100 },
}
const VIDEO = { codec: 'vp8' } as VideoFacts
const timers = new VirtualTimers(0)
const MONTH = 31 * 24 * 3_600

it.each<[string, Partial<MediaFacts>, FfprobeAnswer, number, boolean]>([
  ['a guess', {}, said('24000\n24000\n1/48000\n'), 48_000, false],
  ['a length that is told', { isEstimate: false }, said('24000\n1/48000\n'), 99_000, false],
  ['a guess, where nothing is counted', {}, said('1/48000\n'), 99_000, true],
  ['a guess, where ffprobe fails', {}, { ok: false, message: 'killed' }, 99_000, true],
  ['a guess, by packets that are followed by a comma', {}, said('16000,\n16000\n1/32000\n'),
    48_000, false],
  ['a guess, where their unit is not told', {}, said('320\n'), 99_000, true],
  ['a guess of a month', {}, said(`${MONTH}\n1/1\n`), MONTH * 48_000, false],
  ['a guess of more than any medium has', {}, said(`${MONTH}\n1\n1/1\n`), 99_000, true],
  ['a guess, by a last line that is not ended', {}, said('24000\n24000\n1/48000'), 48_000, false],
])('%s', async (_what, change, answer, duration, isEstimate) => {
  answers.push(answer)
  const facts = { ...FACTS, ...change }
  expect(await withCountedLength(facts, '/a', true, timers)).toEqual({
    ...facts, duration, isEstimate,
  })
  expect(asked).toHaveLength(facts.isEstimate ? 1 : 0)
})

it.each<[string, Partial<MediaFacts>, FfprobeAnswer, number, string | null]>([
  ['sound of no told length', {}, said('0,20\n980,20\n1/1000\n'), 48_000, 'a:0'],
  ['a film without sound', { audio: null, video: VIDEO }, said('0,33\n967,33\n1/1000\n'),
    48_000, 'V:0'],
  ['a film whose last packet is not its last picture', { audio: null, video: VIDEO },
    said('0,40\n960,40\n920,40\n1/1000\n'), 48_000, 'V:0'],
  ['sound whose time begins after an hour', {},
    said('3600500,20\n3601480,20\n\n1/1000\n3600.500000\n'), 48_000, 'a:0'],
  ['one whose packets tell no lengths', {}, said('0,N/A\n500,N/A\n\n1/1000\n'), 48_000, 'a:0'],
  ['one whose packets tell nothing', {}, said('N/A,N/A\n1/1000\n'), 0, 'a:0'],
  ['a still picture', { audio: null }, said(''), 0, null],
])('counted to its last moment: %s', async (_what, change, answer, duration, stream) => {
  answers.push(answer)
  const facts = { ...FACTS, duration: frame(0), isEstimate: false, ...change }
  expect(await withCountedLength(facts, '/a', true, timers)).toEqual({ ...facts, duration })
  expect(asked.map((args) => args[1] ?? null)).toEqual(stream === null ? [] : [stream])
})

it('an MP3 that was cut off is as long as its packets, whatever its header says', async () => {
  const raw = { format: { format_name: 'mp3', duration: '12' }, streams: [{ codec_type: 'audio' }] }
  const cut = '[mp3 @ 0x55] filesize and duration do not match (growing file?)\n'
  answers.push(said(JSON.stringify(raw), cut), said('384000\n1/48000\n'))
  expect(await probeWhole('/a', true, timers)).toMatchObject({
    ok: true, facts: { duration: 384_000, isEstimate: false },
  })
})

it('packets are asked for where the length is guessed, and of a video its keyframes', async () => {
  const format = { format_name: 'avi', duration: '2' }
  const streams = [
    { codec_type: 'audio', channels: 2 }, { codec_type: 'video', codec_name: 'mpeg4' },
  ]
  answers.push(
    said(JSON.stringify({ format, streams }), 'Estimating duration from bitrate\n'),
    said('48000\n1/48000\n'), said('0.000000,K__\n1.5,K__\n'),
  )
  expect(await probeWhole('/a', true, timers)).toMatchObject({
    ok: true,
    facts: { duration: 48_000, isEstimate: false, video: { codec: 'mpeg4', keyframesMs: 1_500 } },
  })
  expect(asked).toHaveLength(3)
  // Where the keyframes are not known the rest of it is.
  answers.push(said(JSON.stringify({ format, streams })), { ok: false, message: 'killed' })
  expect(await probeWhole('/a', true, timers)).toMatchObject({
    ok: true, facts: { duration: 96_000, video: { codec: 'mpeg4', keyframesMs: null } },
  })
  answers.push({ ok: false, message: 'a: no sound' })
  expect(await probeWhole('/a', true, timers)).toEqual({ ok: false, message: 'a: no sound' })
})
