// Starts and lengths of media whose containers mislead: from recorders, browsers, broken downloads.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { probeWhole } from '../../src/io/media/probe/keyframes.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../../src/io/media/media-port.js'
import { convert, mediaFolder, writeSweep, writeVideo } from './media-files.js'
import { firstDifference, type Heard, MediaListener, part } from './media-listener.js'

const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const listener = new MediaListener()
const timers = realTimers()
let media: FfmpegMedia

beforeAll(() => {
  writeSweep(file('s48.wav'), 48_000, 8)
  writeVideo(file('v.mp4'), 8, null)
  media = new FfmpegMedia({ ...MEDIA_DEFAULTS, timers, post: listener.post, env: process.env })
})

afterAll(async () => {
  await media.closeAll()
  rmSync(folder, { recursive: true })
})

const play = (name: string, from: number): Promise<Heard> =>
  listener.hear(media, file(name), from, null)

describe('a WAV that holds no plain samples', () => {
  it.each([
    ['ms.wav', 'adpcm_ms'], ['ima.wav', 'adpcm_ima_wav'], ['ms.w64', 'adpcm_ms'],
    ['mulaw.wav', 'pcm_mulaw'],
  ])('%s starts at its frame', async (name, coder) => {
    convert(file('s48.wav'), file(name), ['-c:a', coder])
    const whole = await play(name, 0)
    const length = whole.sound.left.length
    for (const from of [96_011, 240_011]) {
      const later = await play(name, from)
      expect(firstDifference(later.sound, part(whole.sound, from, length))).toBeNull()
    }
  })
})

describe('sound that begins later than the pictures', () => {
  it.each([
    ['late.ts', 'mpeg2video'], ['late.mpg', 'mpeg2video'], ['late.mkv', 'copy'],
    ['late.ogv', 'libtheora'],
  ])('%s has it at its place from any Start', async (name, coder) => {
    const later = ['-itsoffset', '1.5', '-i', file('s48.wav'), '-map', '0:v', '-map', '1:a']
    const soundCoder = name === 'late.ogv' ? ['libvorbis'] : ['mp2', '-b:a', '192k']
    convert(file('v.mp4'), file(name), [...later, '-c:v', coder, '-c:a', ...soundCoder])
    const whole = await play(name, 0)
    const { left } = whole.sound
    const begin = left.findIndex((sample) => Math.abs(sample) > 0.05)
    expect(Math.abs(begin - 72_000)).toBeLessThan(1_500)
    const from = 240_011
    const { sound } = await play(name, from)
    expect(Math.abs(sound.left.length - (left.length - from))).toBeLessThan(480)
    // The coder begins anew: what it says is alike to -40 dB, a frame off is not.
    let [error, energy] = [0, 0]
    for (let n = 9_600; n < 19_200; n += 1) {
      const [a, b] = [sound.left[n] ?? 0, left[from + n] ?? 0]
      error += (a - b) * (a - b)
      energy += b * b
    }
    expect(error / energy).toBeLessThan(1e-4)
  })
})

describe('pictures that go on after their sound', () => {
  const made = (name: string, coders: readonly string[]): void => {
    const both = ['-i', file('s48.wav'), '-map', '0:v', '-map', '1:a', '-af', 'atrim=end=2']
    convert(file('v.mp4'), file(name), [...both, ...coders])
  }
  const lastOf = ({ sound: { left } }: Heard): number =>
    left.findLastIndex((sample) => Math.abs(sample) > 0.01)

  it.each([
    ['long.mp4', '-c:v', 'copy', '-c:a', 'aac'], ['long.mkv', '-c:v', 'copy', '-c:a', 'flac'],
    ['long.ts', '-c:v', 'copy', '-c:a', 'aac'], ['long.avi', '-c:v', 'mpeg4', '-c:a', 'mp3'],
  ])('%s plays to the end of its pictures, in silence', async (name, ...coders) => {
    made(name, coders)
    const probe = await probeWhole(file(name), false, timers)
    const told = probe.ok ? probe.facts.duration : 0
    expect(Math.abs(told - 384_000)).toBeLessThan(4_800)
    const whole = await play(name, 0)
    expect([whole.broken, whole.sound.left.length]).toEqual([null, told])
    expect(Math.abs(lastOf(whole) - 96_000)).toBeLessThan(4_800)
    const later = await play(name, 240_000)
    expect([later.sound.left.length, lastOf(later)]).toEqual([told - 240_000, -1])
    const part = await listener.hear(media, file(name), 48_000, 200_000)
    expect(part.sound.left.length).toBe(152_000)
  })

  it('so does one that is armed whole', async () => {
    made('armed.mp4', ['-c:v', 'copy', '-c:a', 'aac'])
    const armed = { buttonId: 'b', path: file('armed.mp4'), from: 336_000, to: null }
    media.setArmed([armed, { ...armed, buttonId: 'c', from: 72_000, to: 110_000 }])
    await expect.poll(() => media.armedHeads, { timeout: 30_000 }).toBe(2)
    const [end, middle] = [await play('armed.mp4', 336_000),
      await listener.hear(media, file('armed.mp4'), 72_000, 110_000)]
    expect([end.sound.left.length, lastOf(end)]).toEqual([48_000, -1])
    expect(middle.sound.left.length).toBe(38_000)
    expect(Math.abs(lastOf(middle) - 24_000)).toBeLessThan(4_800)
    media.setArmed([])
  })
})

/** Written to a pipe, where no length can be put in afterwards. */
const AS_RECORDED = ['-live', '1', '-f', 'webm']

describe('media that do not tell how long they are', () => {
  it('a film of a browser without sound plays as long as it is', async () => {
    const film = ['-an', '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8']
    convert(file('v.mp4'), file('film.webm'), [...film, ...AS_RECORDED])
    const probe = await probeWhole(file('film.webm'), false, timers)
    expect(probe).toMatchObject({ ok: true, facts: { duration: 384_000, audio: null } })
    const whole = await play('film.webm', 0)
    expect([whole.broken, whole.sound.left.length]).toEqual([null, 384_000])
  })

  it('its sound is as long as its last packet says', async () => {
    convert(file('s48.wav'), file('voice.webm'), ['-c:a', 'libopus', ...AS_RECORDED])
    const probe = await probeWhole(file('voice.webm'), false, timers)
    const told = probe.ok ? probe.facts.duration : 0
    const { sound } = await play('voice.webm', 0)
    expect(Math.abs(told - sound.left.length)).toBeLessThan(960)
  })
})
