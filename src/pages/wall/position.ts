// Where a run is at a frame that is heard, and how long it still has, from its anchor.
import type { LiveRun } from '../../contract/live.js'
import { FRAMES_PER_MS } from '../shared/clock.js'

/** The position in the source, in frames, at a frame that is heard. */
export const positionAt = ({ anchor }: LiveRun, heard: number): number => {
  const { at, position, moving, until, then } = anchor
  if (!moving) return position
  const gone = Math.max(0, heard - at)
  if (until === null) return position + gone
  const left = until - position
  if (gone <= left) return position + gone
  // The seam's own anchor is on its way; until then the passes are counted by hand.
  if (then?.kind !== 'wrap' || until <= then.to) return until
  return then.to + ((gone - left) % (until - then.to))
}

/** Milliseconds up to the configured End; null while no end is known. */
export const remainingMs = (run: LiveRun, heard: number): number | null => {
  const end = endOf(run)
  return end === null ? null : Math.max(0, (end - positionAt(run, heard)) / FRAMES_PER_MS)
}

/** The frame at which it comes to its End; of what does not, e.g. a loop, after all others. */
export const endsAt = (run: LiveRun): number => {
  const end = endOf(run)
  const { at, position, moving } = run.anchor
  return end === null || run.loops || !moving ? Number.MAX_SAFE_INTEGER : at + end - position
}

/** From here on a run that ends is told by its colour, its size and its weight. */
const SOON_MS = 30_000
const VERY_SOON_MS = 10_000

/**
 * Whether it ends soon: not what goes round and round, nor what stands still, nor what fades out
 * before it comes to its End, to which the time that is shown counts.
 */
export const soonAt = (run: LiveRun, heard: number): 'no' | 'soon' | 'very' => {
  const left = remainingMs(run, heard)
  if (left === null || run.loops || !run.anchor.moving || fadesBeforeEnd(run)) return 'no'
  if (left <= VERY_SOON_MS) return 'very'
  return left <= SOON_MS ? 'soon' : 'no'
}

const fadesBeforeEnd = (run: LiveRun): boolean => {
  const end = endOf(run)
  const { until } = run.anchor
  return run.state === 'fading_out' && until !== null && end !== null && until < end
}

/** How much of the range is over, 0 to 1; 0 while no end is known. */
export const progressAt = (run: LiveRun, heard: number): number => {
  const end = endOf(run)
  if (end === null || end <= run.range.start) return 0
  const done = (positionAt(run, heard) - run.range.start) / (end - run.range.start)
  return Math.max(0, Math.min(1, done))
}

const endOf = ({ range, duration }: LiveRun): number | null => range.end ?? duration

/** How a bar moves from now on: from a share to a share, within so many ms; steady where 0. */
export interface Course {
  readonly from: number
  readonly to: number
  readonly ms: number
}

export const courseOf = (run: LiveRun, heard: number): Course => {
  const from = progressAt(run, heard)
  const end = endOf(run)
  const { moving, until } = run.anchor
  if (!moving || run.starving || end === null) return { from, to: from, ms: 0 }
  const here = positionAt(run, heard)
  const to = Math.min(end, until ?? end)
  if (to <= here) return { from, to: from, ms: 0 }
  const share = (to - run.range.start) / (end - run.range.start)
  return { from, to: Math.max(from, Math.min(1, share)), ms: (to - here) / FRAMES_PER_MS }
}

/** How much of a fade is over at a frame, 0 to 1. */
export const fadeProgress = ({ fade }: LiveRun, heard: number): number =>
  fade.end <= fade.begin
    ? 1
    : Math.max(0, Math.min(1, (heard - fade.begin) / (fade.end - fade.begin)))

/**
 * What stands in the place of a time that nobody knows, since there is no connection. The same from
 * both sides: times are set from the right, and what has no digit in it is turned round there.
 */
export const NO_TIME = '––:––'

/** A time as people read it: 1:07, 12:34, 1:02:03; below ten seconds with its tenths: 9.4. */
export const timeText = (ms: number, withTenths: boolean): string => {
  if (withTenths && ms < 9_950) return (Math.round(ms / 100) / 10).toFixed(1)
  const all = withTenths ? Math.ceil(ms / 1_000 - 0.001) : Math.floor(ms / 1_000)
  const two = (n: number): string => `${n}`.padStart(2, '0')
  const hours = Math.floor(all / 3_600)
  const minutes = Math.floor(all / 60) % 60
  const seconds = two(all % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`
}
