// Whether sound comes out of a file: decoded as for a press, and heard by nobody. ffprobe reads the
// beginning of a file; a download that broke off, or noise named .mp3, is found only so.
import { basename } from 'node:path'
import { FRAMES_PER_SECOND, msToFrames } from '../clock/frame.js'
import type { Timers } from '../clock/timers.js'
import type { DecodeRequest, Decoding } from '../io/media/decoder/decoder-messages.js'
import { DecoderLink } from '../io/media/decoder/decoder-link.js'
import type { NamedFile } from '../io/show/named-files.js'
import { concurrently } from './concurrently.js'
import { startProgress } from './progress.js'

/** Decoded from each Start on: as long as what the daemon keeps of it ready. */
const HEAD_FRAMES = FRAMES_PER_SECOND
/** Short ranges are decoded many by one ffmpeg. */
const HEADS_AT_ONCE = 48
const WHOLE_AT_ONCE = 2

/** `start`: where sound begins, `whole`: from each beginning to the end. */
export type Depth = 'start' | 'whole'

/** What keeps each of these from sounding: a fault, or none. */
export const decodeFaults = async (
  files: readonly NamedFile[], depth: Depth, timers: Timers,
): Promise<(file: NamedFile) => readonly string[]> => {
  const isWhole = depth === 'whole'
  const rangeOf = ({ path, button }: NamedFile): string =>
    JSON.stringify([path, isWhole ? 0 : button.startMs])
  const ranges = new Set(files.map(rangeOf))
  const progress = startProgress(isWhole ? 'decoding' : 'decoding beginnings', ranges.size, timers)
  const link = new DecoderLink({ timers, env: process.env })
  const atOnce = isWhole ? WHOLE_AT_ONCE : HEADS_AT_ONCE
  const found = await concurrently(ranges, atOnce, progress, (range) => {
    const [path, startMs] = JSON.parse(range) as [string, number]
    const from = msToFrames(startMs)
    return decodeFault(link, path, from, isWhole ? null : from + HEAD_FRAMES)
  })
  await link.close()
  progress.end()
  return (file) => found.get(rangeOf(file)) ?? []
}

/**
 * In words that go behind the path; none: all of it was decoded. Heads are decoded in company and
 * after all others: what a busy machine lets no head of through is no fault of its file, so that
 * one which fails is tried once more as a press would.
 */
const decodeFault = async (
  decoding: Pick<Decoding, 'decode'>, path: string, from: number, to: number | null,
): Promise<readonly string[]> => {
  const decoded = (background: boolean): Promise<readonly string[]> =>
    decodedOnce(decoding, { path, from, to, background })
  // What is long comes faster where somebody waits for it.
  if (to === null) return decoded(false)
  const faults = await decoded(true)
  return faults.length === 0 ? faults : decoded(false)
}

const decodedOnce = (
  decoding: Pick<Decoding, 'decode'>,
  { path, from, to, background }: Pick<DecodeRequest, 'path' | 'from' | 'to' | 'background'>,
): Promise<readonly string[]> =>
  new Promise((settle) => {
    let frames = 0
    const broken = (message: string): void => {
      const at = ((from + frames) / FRAMES_PER_SECOND).toFixed(1)
      settle([frames === 0
        ? unplayable(path, message)
        : `breaks off at ${at} s: ${withoutName(path, message)}`])
    }
    const until = to ?? Number.MAX_SAFE_INTEGER
    decoding.decode({ path, origin: from, from, to, until, background }, {
      pcm: ({ length }) => {
        frames += length
      },
      silence: (count) => {
        frames += count
      },
      done: () => settle(frames > 0 ? [] : [NOTHING]),
      died: broken,
      failed: broken,
    })
  })

/** Why a file does not play, in words that go behind its path. */
export const unplayable = (path: string, message: string): string =>
  `cannot be played: ${withoutName(path, message)}`

/** The line begins with the path: once is enough. */
const withoutName = (path: string, message: string): string =>
  message.replace(`${basename(path)}: `, '')

const NOTHING = 'cannot be played: there is no sound in it'
