// Every kind of media plays from its first to its last frame, and Start and End hold to the frame.
import { realTimers } from '../../src/clock/real.js'
import { waited } from '../../src/clock/waiting.js'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DecoderJob } from '../../src/io/media/decoder/decoder-job.js'
import type { JobMessage } from '../../src/io/media/decoder/decoder-messages.js'
import { lookAtFile } from '../../src/io/media/look/file-look.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../../src/io/media/media-port.js'
import { probeFile } from '../../src/io/media/probe/probe-file.js'
import {
  convert,
  fullDecode,
  mediaFolder,
  positionOf,
  type Sound,
  writeCodedWav,
  writeSweep,
  writeVideo,
} from './media-files.js'
import { firstDifference, MediaListener, part } from './media-listener.js'
import { processesWith } from './media-processes.js'

/** What the daemon runs with. */
const AS_DAEMON = { ...MEDIA_DEFAULTS, timers: realTimers() }

const SECONDS = 12.345
const FRAMES = 592_560
const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const listener = new MediaListener()
let media: FfmpegMedia

/** [name, source, options, tail]: how many frames the codec may add at the end. */
const KINDS: readonly (readonly [string, string, readonly string[], number])[] = [
  ['t48.flac', 's48.wav', [], 0],
  ['t44.flac', 's44.wav', [], 1],
  ['c48.mp3', 's48.wav', ['-b:a', '192k'], 0],
  ['c44.mp3', 's44.wav', ['-b:a', '192k'], 1],
  ['v44.mp3', 's44.wav', ['-q:a', '3'], 1],
  ['t48.opus', 's48.wav', ['-c:a', 'libopus'], 0],
  ['t44.ogg', 's44.wav', ['-c:a', 'libvorbis'], 1],
  ['t48.m4a', 's48.wav', ['-c:a', 'aac'], 0],
  ['t44.m4a', 's44.wav', ['-c:a', 'aac'], 1],
]

beforeAll(() => {
  writeSweep(file('s48.wav'), 48_000, SECONDS)
  writeSweep(file('s44.wav'), 44_100, SECONDS)
  writeCodedWav(file('coded.wav'), 300_000)
  for (const [name, source, options] of KINDS) convert(file(source), file(name), options)
  writeVideo(file('t44.mp4'), SECONDS, file('s44.wav'))
  convert(file('s48.wav'), file('mono.wav'), ['-af', 'pan=mono|c0=c0'])
  convert(file('s48.wav'), file('short.m4a'), ['-t', '0.3', '-c:a', 'aac'])
  media = new FfmpegMedia({ post: listener.post, env: process.env, ...AS_DAEMON })
})

afterAll(async () => {
  await media.closeAll()
  rmSync(folder, { recursive: true })
})

const play = (name: string, from: number, to: number | null, block = 480) =>
  listener.play(media, listener.request(file(name), from, to), block)

describe('whole files', () => {
  it.each([
    ['s48.wav', 0] as const,
    ['s44.wav', 1] as const,
    ['t44.mp4', 1] as const,
    ...KINDS.map(([name, , , tail]) => [name, tail] as const),
  ])('%s plays every frame of a full decode', async (name, tail) => {
    const heard = await play(name, 0, null)
    heard.stream.close()
    const oracle = fullDecode(file(name))
    expect(heard.broken).toBeNull()
    expect(heard.ended?.end).toBe(heard.sound.left.length)
    expect(heard.ended?.source).toBe(heard.sound.left.length)
    expect(heard.sound.left.length - FRAMES).toBe(tail)
    expect(firstDifference(heard.sound, part(oracle, 0, heard.sound.left.length))).toBeNull()
    // What the full decode has beyond it is an MP4's padding, not sound.
    const padded = /m4a|mp4/.test(name) ? 1_024 : 0
    expect(oracle.left.length - heard.sound.left.length).toBeLessThanOrEqual(padded)
  })

  it('a sting that is decoded before its container has told where it ends', async () => {
    const told: JobMessage[] = []
    const path = file('short.m4a')
    const request = { path, origin: 0, from: 0, to: null, until: 48_000, background: false }
    await new Promise<void>((over) => {
      const job = new DecoderJob(1, request, {
        timers: AS_DAEMON.timers, looks: { lookLately: lookAtFile },
        send: (message) => told.push(message),
        factsOf: async () => {
          while (processesWith(path, process.pid).length > 0) await waited(AS_DAEMON.timers, 20)
          // Its end was heard of, too.
          await waited(AS_DAEMON.timers, 100)
          return probeFile(path, false, AS_DAEMON.timers)
        },
      }, over)
      void job.run()
    })
    const lengths = told.map((each) => each.kind === 'pcm' ? each.left.length : 0)
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(14_400)
    expect(told.at(-1)).toEqual({ kind: 'done', job: 1, end: 14_400, source: 14_400 })
  })

  it.each([[48_000, 14_400], [44_100, 14_400], [22_050, 14_400]])(
    'a sting of Vorbis that is one page, at %i Hz, begins and ends where its sound does',
    async (rate, frames) => {
      const seconds = ['-t', '0.3', '-ar', String(rate)]
      convert(file('s48.wav'), file('page.wav'), seconds)
      convert(file('page.wav'), file('page.ogg'), ['-c:a', 'libvorbis'])
      const heard = await play('page.ogg', 0, null)
      heard.stream.close()
      expect([heard.broken, heard.sound.left.length, heard.ended?.source])
        .toEqual([null, frames, frames])
      const { left } = fullDecode(file('page.wav'))
      const power = (of: (n: number) => number): number =>
        left.reduce((sum, _, n) => sum + of(n) ** 2, 0)
      const lost = power((n) => (heard.sound.left[n] ?? 0) - (left[n] ?? 0))
      expect(lost).toBeLessThan(power((n) => left[n] ?? 0) / 30)
      // A Start is where it is in the whole.
      const later = await play('page.ogg', 4_801, null)
      later.stream.close()
      expect(firstDifference(later.sound, part(heard.sound, 4_801, frames))).toBeNull()
    })

  it('a sound in MP4 that was replaced plays to the end of the new one', async () => {
    for (const [seconds, frames] of [['0.3', 14_400], ['1.5', 72_000], ['0.7', 33_600]] as const) {
      convert(file('s48.wav'), file('replaced.m4a'), ['-t', seconds, '-c:a', 'aac'])
      // A start looks at the file first.
      expect(await listener.check(media, file('replaced.m4a'))).toBe(true)
      const heard = await play('replaced.m4a', 0, null)
      heard.stream.close()
      expect([heard.broken, heard.sound.left.length, heard.ended?.source])
        .toEqual([null, frames, frames])
    }
  })

  it('mono is heard in both channels at its own level', async () => {
    const heard = await play('mono.wav', 0, null)
    heard.stream.close()
    const stereo = fullDecode(file('s48.wav'))
    const both = { left: stereo.left, right: stereo.left }
    expect(firstDifference(heard.sound, both)).toBeNull()
  })

  it.each(['FL', 'FR'])('so it is where its one channel is called %s', async (side) => {
    convert(file('s48.wav'), file(`${side}.wav`), ['-af', `pan=${side}|c0=c0`])
    const heard = await play(`${side}.wav`, 0, null)
    heard.stream.close()
    const { left } = fullDecode(file('s48.wav'))
    expect(firstDifference(heard.sound, { left, right: left })).toBeNull()
    const later = await play(`${side}.wav`, 100_001, 200_000)
    later.stream.close()
    const there = part({ left, right: left }, 100_001, 200_000)
    expect(firstDifference(later.sound, there)).toBeNull()
  })
})

describe('ranges', () => {
  it('every frame of a coded file is the frame it says it is', async () => {
    for (const [from, to] of [
      [0, 300_000],
      [1, 2],
      [47_999, 48_001],
      [95_999, 150_001],
      [123_457, null],
    ] as const) {
      const heard = await play('coded.wav', from, to, 331)
      heard.stream.close()
      expect(heard.sound.left.length).toBe((to ?? 300_000) - from)
      heard.sound.left.forEach((left, n) => {
        const right = heard.sound.right[n] ?? 0
        const heardAt = positionOf(left, right)
        if (heardAt !== from + n) throw new Error(`${String(heardAt)} at ${String(from + n)}`)
      })
    }
  })

  it.each(['s44.wav', 't48.flac', 't44.flac', 'c48.mp3', 'v44.mp3', 't48.opus', 't44.ogg'])(
    '%s honours random Starts and Ends to the frame',
    async (name) => {
      const oracle = fullDecode(file(name))
      for (const [from, to] of randomRanges(6)) {
        const heard = await play(name, from, to)
        heard.stream.close()
        expect(heard.ended?.end).toBe(to)
        expect(firstDifference(heard.sound, part(oracle, from, to)), `${name} ${from}`).toBeNull()
      }
    },
  )

  it.each(['t48.m4a', 't44.mp4'])('%s starts and ends in its place', async (name) => {
    // AAC replaces noise by noise of the decoder's own, so the waveform is compared, not the bits.
    const oracle = fullDecode(file(name))
    for (const [from, to] of randomRanges(6)) {
      const heard = await play(name, from, to)
      heard.stream.close()
      expect(heard.sound.left.length).toBe(to - from)
      expect(offsetOf(heard.sound, oracle, from)).toBe(0)
    }
  })

  it('an End past the source means the source end; a Start past it leaves nothing', async () => {
    const late = await play('t44.flac', 480_000, 9_000_000)
    late.stream.close()
    expect(late.ended?.end).toBe(FRAMES + 1)
    expect(late.ended?.source).toBe(FRAMES + 1)
    for (const name of ['t44.flac', 'c44.mp3', 't48.m4a', 't48.opus', 's48.wav', 't44.mp4']) {
      const heard = await play(name, 900_000, null)
      heard.stream.close()
      expect(heard.broken).toBeNull()
      expect(heard.ended?.end, name).toBeLessThanOrEqual(900_000)
    }
  })
})

/** Ranges from a fixed series (a linear congruence), so that a failure comes back. */
const randomRanges = (count: number): (readonly [number, number])[] => {
  let seed = 12_345
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  return Array.from({ length: count }, () => {
    const from = next(FRAMES - 60_000)
    return [from, from + 4_801 + next(50_000)] as const
  })
}

/** Which shift within 20 frames fits best. */
const offsetOf = (sound: Sound, oracle: Sound, from: number): number => {
  let best = Number.POSITIVE_INFINITY
  let at = Number.NaN
  for (let shift = -20; shift <= 20; shift += 1) {
    let error = 0
    for (let n = 0; n < 4_800; n += 1) {
      error += Math.abs((sound.left[n] ?? 0) - (oracle.left[from + n + shift] ?? 0))
    }
    if (error < best) [best, at] = [error, shift]
  }
  return at
}
