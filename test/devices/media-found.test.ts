// Media as they are found: changed formats, chains, guessed lengths, rounded time stamps, lists.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { DecoderLink } from '../../src/io/media/decoder/decoder-link.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../../src/io/media/media-port.js'
import { Prober } from '../../src/io/media/probe/prober.js'
import {
  convert, fullDecode, mediaFolder, type Sound, writePicture, writeSweep, writeVideo,
} from './media-files.js'
import { firstDifference, type Heard, MediaListener, part } from './media-listener.js'

const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const listener = new MediaListener()
const timers = realTimers()
const TEN_SECONDS = 480_000
/** What coders leave empty where one file ends and the next begins. */
const HOLE = 2_400
let media: FfmpegMedia

/** One file after the other, as recorders and careless editors leave them. */
const joined = (to: string, ...names: readonly string[]): void => {
  writeFileSync(file(to), Buffer.concat(names.map((name) => readFileSync(file(name)))))
}

beforeAll(() => {
  writeSweep(file('s44.wav'), 44_100, 10)
  writeSweep(file('s48.wav'), 48_000, 10)
  convert(file('s44.wav'), file('stereo.mp3'), ['-b:a', '128k'])
  convert(file('s44.wav'), file('mono.mp3'), ['-b:a', '64k', '-ac', '1'])
  convert(file('s48.wav'), file('s48.mp3'), ['-b:a', '128k'])
  convert(file('s48.wav'), file('two.ac3'), [])
  convert(file('s48.wav'), file('six.ac3'), ['-ac', '6'])
  joined('mono-later.mp3', 'stereo.mp3', 'mono.mp3')
  joined('rate-later.mp3', 'stereo.mp3', 's48.mp3')
  joined('surround-later.ac3', 'two.ac3', 'six.ac3')
  for (const [name, codec] of [['c.opus', 'libopus'], ['c.ogg', 'libvorbis']] as const) {
    // Each encoding has a serial number of its own.
    convert(file('s48.wav'), file(`one-${name}`), ['-c:a', codec])
    convert(file('s44.wav'), file(`two-${name}`), ['-c:a', codec, '-ar', '48000'])
    joined(name, `one-${name}`, `two-${name}`)
  }
  convert(file('s48.wav'), file('o.webm'), ['-c:a', 'libopus'])
  convert(file('s48.wav'), file('v.webm'), ['-c:a', 'libvorbis'])
  writeVideo(file('v.mp4'), 10, file('s44.wav'))
  convert(file('v.mp4'), file('m.avi'), ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'])
  convert(file('v.mp4'), file('a.flv'), ['-c:v', 'flv1', '-c:a', 'aac', '-ar', '44100'])
  convert(file('s44.wav'), file('a.aac'), ['-c:a', 'aac'])
  convert(file('s44.wav'), file('a.wma'), ['-c:a', 'wmav2'])
  convert(file('s44.wav'), file('v.mp3'), ['-q:a', '4', '-write_xing', '0'])
  media = new FfmpegMedia({ ...MEDIA_DEFAULTS, timers, post: listener.post, env: process.env })
})

afterAll(async () => {
  await media.closeAll()
  rmSync(folder, { recursive: true })
})

const play = (name: string, from: number): Promise<Heard> =>
  listener.hear(media, file(name), from, null)

/** The longest stretch of digital silence, in frames. */
const longestHole = ({ left }: Sound): number => {
  let [longest, since] = [0, 0]
  left.forEach((sample, n) => {
    if (sample !== 0) since = n + 1
    longest = Math.max(longest, n + 1 - since)
  })
  return longest
}

describe('a format that changes on the way', () => {
  it.each(['mono-later.mp3', 'rate-later.mp3', 'surround-later.ac3'])(
    '%s plays in its right length, without a hole, from any Start', async (name) => {
      const whole = await play(name, 0)
      expect(whole.broken).toBeNull()
      const length = whole.sound.left.length
      // Coders begin and end with some of their own, twice here.
      expect(length).toBeGreaterThan(2 * TEN_SECONDS - 2_400)
      expect(length).toBeLessThan(2 * TEN_SECONDS + 9_600)
      expect(whole.ended?.end).toBe(length)
      expect(longestHole(whole.sound)).toBeLessThan(HOLE)
      for (const from of [144_000, TEN_SECONDS + 100_000]) {
        const later = await play(name, from)
        expect(later.broken).toBeNull()
        expect(Math.abs(later.sound.left.length - (length - from))).toBeLessThan(4_800)
        expect(longestHole(later.sound)).toBeLessThan(HOLE)
      }
    },
  )
})

/** An ffmpeg whose complaints come half a second late, as on a busy machine. */
const lateComplaints = (): NodeJS.ProcessEnv => {
  const real = execFileSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim()
  const path = file('late')
  mkdirSync(path)
  const script = `#!/usr/bin/env bash\nexec ${real} "$@" 2> >(sleep 0.5; exec cat >&2)\n`
  writeFileSync(join(path, 'ffmpeg'), script, { mode: 0o755 })
  return { ...process.env, PATH: `${path}:${process.env['PATH'] ?? ''}` }
}

describe('a format that changes, on a busy machine', () => {
  it('plays the same', async () => {
    const env = lateComplaints()
    const busy = new FfmpegMedia({ ...MEDIA_DEFAULTS, timers, post: listener.post, env })
    const name = 'mono-later.mp3'
    const heard = await listener.play(busy, listener.request(file(name), 0, null), 480)
    const usual = await play(name, 0)
    expect(firstDifference(heard.sound, usual.sound)).toBeNull()
    await busy.closeAll()
  })
})

describe('chains of OGG streams', () => {
  it.each(['c.opus', 'c.ogg'])('%s plays all links from a Start in any of them', async (name) => {
    const whole = await play(name, 0)
    const length = whole.sound.left.length
    expect(length).toBeGreaterThan(2 * TEN_SECONDS - 2_400)
    for (const from of [120_000, TEN_SECONDS + 120_000]) {
      const later = await play(name, from)
      expect(later.broken).toBeNull()
      expect(firstDifference(later.sound, part(whole.sound, from, length))).toBeNull()
    }
  })
})

describe('time stamps that are rounded', () => {
  const ROUNDED = ['o.webm', 'v.webm', 'm.avi', 'a.flv', 'a.wma']
  it.each(ROUNDED)('%s starts at its frame', async (name) => {
    const whole = await play(name, 0)
    const length = whole.sound.left.length
    for (const from of [96_000, 240_011]) {
      const later = await play(name, from)
      expect(firstDifference(later.sound, part(whole.sound, from, length))).toBeNull()
    }
  })
})

/** By how many frames a length that is told differs from that of what is decoded. */
const lengthErrors = async (names: readonly string[]): Promise<number[]> => {
  const files = new DecoderLink({ timers, env: process.env })
  const prober = new Prober({ timers, files, cacheFile: null, concurrency: 1 })
  const told: number[] = []
  await prober.probe(names.map(file), new Set(), {
    looked: () => undefined,
    facts: (path, { duration, isEstimate }) => {
      expect(isEstimate).toBe(false)
      told.push(Math.abs(duration - fullDecode(path).left.length))
    },
    fault: (_, message) => expect.fail(message),
    progress: () => undefined,
  })
  await prober.close()
  await files.close()
  expect(told).toHaveLength(names.length)
  return told
}

describe('lengths', () => {
  it('that a container does not tell are counted, of all streams of a chain', async () => {
    const errors = await lengthErrors(['a.aac', 'v.mp3', 'c.opus', 'c.ogg'])
    expect(Math.max(...errors)).toBeLessThan(30 * 48)
  })

  it('of a recording from the middle of a stream, e.g. of a radio, are its own', async () => {
    // The time stamps of such a stream go on from when it began, here an hour before.
    const later = ['-c', 'copy', '-output_ts_offset', '3600']
    convert(file('one-c.opus'), file('radio.opus'), later)
    convert(file('one-c.ogg'), file('radio.ogg'), later)
    convert(file('o.webm'), file('radio.webm'), later)
    convert(file('o.webm'), file('radio-live.webm'), [...later, '-live', '1'])
    convert(file('s48.wav'), file('d.mpd'), ['-c:a', 'aac', '-f', 'dash', '-seg_duration', '4'])
    joined('radio.m4a', 'init-stream0.m4s', 'chunk-stream0-00003.m4s')
    const errors = await lengthErrors([
      'radio.opus', 'radio.ogg', 'radio.webm', 'radio-live.webm', 'radio.m4a',
    ])
    expect(Math.max(...errors)).toBeLessThan(30 * 48)
  })

  it('of an MP3 are without what its coder padded, e.g. 170 ms at 8 kHz', async () => {
    writePicture(file('cover.png'))
    convert(file('s44.wav'), file('8k.mp3'), ['-b:a', '32k', '-ar', '8000'])
    convert(file('s44.wav'), file('tagged.mp3'), [
      '-i', file('cover.png'), '-map', '0:a', '-map', '1:v', '-c:v', 'copy',
      '-metadata', `comment=${'long '.repeat(2_000)}`,
    ])
    expect(await lengthErrors(['stereo.mp3', 's48.mp3', '8k.mp3', 'tagged.mp3']))
      .toEqual([0, 0, 0, 0])
  })

  it('of Opus in OGG are without what its coder put in front, also beside a picture', async () => {
    convert(file('s44.wav'), file('44.opus'), ['-c:a', 'libopus'])
    convert(file('s44.wav'), file('16k.opus'), ['-c:a', 'libopus', '-ar', '16000', '-ac', '1'])
    convert(file('s48.wav'), file('film.ogv'), [
      '-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=10', '-map', '1:v', '-map', '0:a',
      '-c:v', 'libtheora', '-c:a', 'libopus',
    ])
    expect(await lengthErrors(['one-c.opus', '44.opus', '16k.opus', 'film.ogv']))
      .toEqual([0, 0, 0, 0])
  })
})

describe('lengths that a container only guesses', () => {

  it('are no reason to fail: an MP3 that ends with a complaint ends naturally', async () => {
    // Quiet and so at a low bit rate first: the guess is several times too long.
    const quiet = ['-af', "volume=enable='lt(t,5)':volume=0", '-q:a', '4', '-write_xing', '0']
    convert(file('s44.wav'), file('quiet.mp3'), quiet)
    const bytes = readFileSync(file('quiet.mp3'))
    const rubbish = Buffer.alloc(3_000, 'no frame of it ')
    writeFileSync(file('odd-end.mp3'), Buffer.concat([bytes.subarray(0, -150), rubbish]))
    const heard = await play('odd-end.mp3', 0)
    expect(heard.broken).toBeNull()
    expect(heard.ended?.end).toBe(heard.sound.left.length)
    expect(heard.sound.left.length).toBeGreaterThan(TEN_SECONDS - 9_600)
  })
})

describe('a file that is a list of others', () => {
  it.each([
    ['HLS', '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\ns48.wav\n'],
    ['ffconcat', 'ffconcat version 1.0\nfile s48.wav\n'],
  ])('%s is refused, and so are others', async (_, text) => {
    for (const name of ['list.mp3', 'list.m3u8', 'list.ffconcat']) {
      writeFileSync(file(name), text)
      const heard = await play(name, 0)
      expect(heard.sound.left.length).toBe(0)
      expect(heard.broken).toMatch(/^list\.\w+: /)
    }
    copyFileSync(file('list.m3u8'), file('hidden.m3u8'))
    expect((await play('hidden.m3u8', 0)).broken).toMatch(/of no kind that is played|Invalid data/)
  })
})
