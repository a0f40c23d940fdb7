// Keeps a playing video in step with what is heard: a pure function of the errors of its frames.
import { median } from '../../shared/clock.js'

/** Milliseconds unless the name says otherwise. */
export const FOLLOW = {
  /** Errors in the filter; it is asked as soon as it holds a few. */
  filter: 8,
  least: 3,
  every: 240,
  /** A frame can only come at a refresh, so it is a little late at best. */
  aim: 4,
  alone: 6,
  /**
   * Frames and refreshes keep one phase where their ratio is a whole number, within this: browsers
   * tell moments in tenths of a millisecond, so 60 Hz is measured as 16.6 or 16.7 ms.
   */
  locked: 0.006,
  stepSlack: 1,
  /**
   * A nudge that moved the picture to the other side, by so many steps at once, shows a stride; by
   * fewer, but so many at least, that it moves by single steps.
   */
  strideLeast: 1.5,
  strideMost: 2.5,
  stepLeast: 0.5,
  /** So fast what hops by frames else is seen to move by single steps. */
  stepDeviationMost: 0.03,
  /** Of the last so many frames the middle one never lies half way in a hop. */
  latest: 3,
  /** Beyond an edge it goes on no faster: 5 ms in one period. */
  past: 0.02,
  /**
   * A deviation is made good within about this time, a start's sooner. By 400 it shoots past (33 of
   * 10,000 model videos were out of step then, 9 by 530); and what hops, and is hurried later too,
   * went on to the next place.
   */
  slope: 800,
  slopeEarly: 530,
  deviationMost: 0.12,
  /** Chromium ignores less than 1/882. */
  deviationLeast: 0.002,
  early: 1_000,
  seekFromEarly: 120,
  seekFrom: 300,
  seekPause: 1_000,
  seekPauseMost: 8_000,
  /** So many seeks within so long are too many. */
  seeksMost: 3,
  seeksWithin: 5_000,
  /** Without a seek for so long it is trusted again. */
  calm: 10_000,
  /** So many changes of rate are remembered, and what they cost by the middle one of them. */
  costs: 5,
  /** Less is within what errors tremble by. */
  costLeast: 10,
} as const

export interface Follower {
  /** Since the last change of rate or seek; positive where the picture is behind. */
  readonly errors: readonly number[]
  readonly rate: number
  /** The error that the last nudge was to mend, and its rate; null where there was none. */
  readonly nudged: { readonly from: number; readonly rate: number } | null
  /** By how much the picture was seen to hop at once; 0: by single steps; null: not seen yet. */
  readonly stride: number | null
  /** The largest change from one frame to the next since the last nudge. */
  readonly jump: number
  /** It hopped to where it belongs, and is nudged on for a moment: see past(). */
  readonly isPast: boolean
  readonly decidedAt: number
  /** Until here it is in its first second after a start, resume, seam, reload or return. */
  readonly earlyUntil: number
  /** When the seeks of the last seconds were asked for. */
  readonly seeks: readonly number[]
  readonly seekPause: number
  readonly seekingSince: number | null
  /** What the last seek took, from the call to its first frame. */
  readonly seekTook: number
  /** The last change of rate, until the next decision tells what it cost. */
  readonly changed: Change | null
  /** By how much the last changes of rate threw the picture back: costOf(). */
  readonly rateCosts: readonly number[]
}

interface Change {
  readonly at: number
  readonly rate: number
  readonly error: number
}

/** How a picture moves on the screen, in ms. */
export interface Motion {
  /** By so much, or a multiple of it; 0: freely. See stepOf(). */
  readonly step: number
  /** By so much at once, where that is more than a step; 0: it is not known to. */
  readonly stride: number
}

export type Advice =
  | { readonly kind: 'none' }
  | { readonly kind: 'rate'; readonly rate: number }
  /** To what is heard now plus `ahead`. */
  | { readonly kind: 'seek'; readonly ahead: number }

export const newFollower = (now: number, seekTook: number): Follower => ({
  errors: [],
  rate: 1,
  nudged: null,
  stride: null,
  jump: 0,
  isPast: false,
  decidedAt: Number.NEGATIVE_INFINITY,
  earlyUntil: now + FOLLOW.early,
  seeks: [],
  seekPause: FOLLOW.seekPause,
  seekingSince: null,
  seekTook,
  changed: null,
  rateCosts: [],
})

/** A resume, a seam, a return: it is in its first second anew, and what was measured is void. */
export const begunAnew = (follower: Follower, now: number): Follower => ({
  ...follower,
  errors: [],
  rate: 1,
  nudged: null,
  decidedAt: Number.NEGATIVE_INFINITY,
  earlyUntil: now + FOLLOW.early,
  seekingSince: null,
  changed: null,
})

/** True while seeks do not help: the walls are told that the stage cannot keep up. */
export const cannotKeepUp = (follower: Follower): boolean =>
  follower.seekPause > FOLLOW.seekPause

/**
 * By how much the picture can move at all. Where every frame meets the refreshes at the same phase
 * (30 in the second at 60 Hz, 25 at 50), it moves by whole steps: between two of them a nudge would
 * only make it hop. Else (25 at 60) the phases differ, and their median moves freely.
 */
export const stepOf = (frameMs: number, refreshMs: number): number => {
  const ratio = Math.max(frameMs, refreshMs) / Math.min(frameMs, refreshMs)
  const isLocked = Math.abs(ratio - Math.round(ratio)) < FOLLOW.locked * ratio
  return isLocked ? Math.min(frameMs, refreshMs) : 0
}

/** A frame was shown at `now`, `error` ms later than it should have been. */
export const follow = (
  before: Follower, now: number, error: number, motion: Motion,
): { readonly next: Follower; readonly advice: Advice } => {
  const seen = landed(before, now)
  const jump = Math.max(seen.jump, Math.abs(error - (seen.errors.at(-1) ?? error)))
  const follower = { ...seen, jump, errors: [...seen.errors, error].slice(-FOLLOW.filter) }
  const isDue = now - follower.decidedAt >= FOLLOW.every && follower.errors.length >= FOLLOW.least
  if (!isDue) return { next: follower, advice: { kind: 'none' } }
  const middle = median(follower.errors)
  if (wantsSeek(follower, now, middle)) return seek(follower, now)
  return nudge(follower, now, middle, motion)
}

/** The first frame after a seek tells what it took. */
const landed = (follower: Follower, now: number): Follower => {
  if (follower.seekingSince === null) return follower
  const seekTook = Math.min(Math.max(0, now - follower.seekingSince), FOLLOW.seekPause)
  return { ...follower, seekingSince: null, seekTook }
}

const wantsSeek = (follower: Follower, now: number, middle: number): boolean => {
  const from = now < follower.earlyUntil ? FOLLOW.seekFromEarly : FOLLOW.seekFrom
  const last = follower.seeks.at(-1) ?? Number.NEGATIVE_INFINITY
  return Math.abs(middle) >= from && now - last >= follower.seekPause
}

const seek = (follower: Follower, now: number) => {
  const seeks = [...follower.seeks.filter((at) => now - at < FOLLOW.seeksWithin), now]
  const pause = calmedPause(follower, now)
  const isTooMuch = seeks.length >= FOLLOW.seeksMost || pause > FOLLOW.seekPause
  const next: Follower = {
    ...follower,
    errors: [],
    rate: 1,
    nudged: null,
    decidedAt: now,
    seeks,
    seekPause: isTooMuch ? Math.min(pause * 2, FOLLOW.seekPauseMost) : pause,
    seekingSince: now,
    changed: null,
  }
  return { next, advice: { kind: 'seek', ahead: follower.seekTook } as const }
}

const nudge = (follower: Follower, now: number, middle: number, motion: Motion) => {
  const { step } = motion
  const rateCosts = costsSeen(follower, now, middle)
  const cost = costOf(rateCosts)
  const isEarly = now < follower.earlyUntil
  const seenStride = strideSeen(follower, step)
  const stride = step === 0 ? 0 : seenStride ?? motion.stride
  const rate = cost > 0
    ? costlyRate(follower.rate, middle - FOLLOW.aim, reachOf(step), cost)
    : rateFor(step > 0 ? middle : middle - gainedBy(follower.rate), step, stride, isEarly)
  const seekPause = calmedPause(follower, now)
  const next = {
    ...follower, stride: seenStride, rateCosts, changed: null, decidedAt: now, seekPause,
  }
  if (rate === follower.rate) return { next, advice: { kind: 'none' } as const }
  if (cost === 0 && rate === 1 && !follower.isPast && stride > step) return past(next)
  const nudged = rate === 1 ? null : { from: latestOf(follower.errors), rate }
  const changed = { at: now, rate, error: middle - gainedBy(follower.rate) }
  const advice = { kind: 'rate', rate } as const
  const begun = { ...next, rate, nudged, changed, isPast: false, errors: [], jump: 0 }
  return { next: begun, advice }
}

/** The middle one of the errors is of a while ago: so much nearer a nudge has brought it since. */
const gainedBy = (rate: number): number => ((rate - 1) * FOLLOW.every) / 2

/**
 * GStreamer (WebKitGTK, WPE) empties its pipeline at each change of rate, which throws the picture
 * back by 25 ms and more: four nudges in the second kept it 100 ms behind for good. Seen where the
 * error is larger than the new rate explains. Where it slows down a hop looks the same, so that
 * is left out.
 */
const costsSeen = (
  { changed, rateCosts }: Follower, now: number, middle: number,
): readonly number[] => {
  if (changed === null || changed.rate < 1) return rateCosts
  // The middle one of the errors since lies halfway.
  const expected = changed.error - ((changed.rate - 1) * (now - changed.at)) / 2
  return [...rateCosts, middle - expected].slice(-FOLLOW.costs)
}

/** In ms; 0 where a change costs nothing that could be told from chance. */
const costOf = (costs: readonly number[]): number => {
  if (costs.length < 2) return 0
  const cost = median(costs)
  return cost < FOLLOW.costLeast ? 0 : cost
}

/**
 * Each nudge is two changes, there and back: one rate, held until the picture is so far ahead that
 * the change back to 1 throws it to its place.
 */
const costlyRate = (rate: number, off: number, reach: number, cost: number): number => {
  const { alone, slope, deviationMost, deviationLeast } = FOLLOW
  if (rate === 1) {
    if (Math.abs(off) <= Math.max(alone, reach, cost / 2)) return 1
    const way = off + 2 * cost
    const size = Math.min(Math.max(Math.abs(way) / slope, deviationLeast), deviationMost)
    return 1 + Math.sign(way) * size
  }
  // Where it is by now, and no nearer at the next decision.
  const left = Math.sign(rate - 1) * (off - gainedBy(rate) + cost)
  return left <= Math.abs(gainedBy(rate)) ? 1 : rate
}

/**
 * A picture that has just hopped is at the very edge of its place: left there, the least drift lets
 * it hop back. One more period of a nudge takes it some ms beyond; of a strong one, to the next.
 */
const past = (follower: Follower) => {
  const deviation = Math.min(Math.max(follower.rate - 1, -FOLLOW.past), FOLLOW.past)
  const rate = 1 + deviation
  const advice: Advice = rate === follower.rate ? { kind: 'none' } : { kind: 'rate', rate }
  return { next: { ...follower, rate, isPast: true }, advice }
}

/**
 * Where a picture hops by a whole frame a nudge moves nothing for a while, and then too much at
 * once: from 8 ms early to 25 ms late, whence it was nudged back, for as long as it played. Such a
 * hop is remembered, and what lies within half of it is as near as the picture comes. Two single
 * steps, one after the other, come as far, and are none.
 */
const strideSeen = ({ nudged, stride, errors, jump }: Follower, step: number) => {
  if (nudged === null || step === 0) return stride
  const hasCrossed = (nudged.from - FOLLOW.aim) * (latestOf(errors) - FOLLOW.aim) < 0
  const steps = jump / step
  if (!hasCrossed || steps < FOLLOW.stepLeast || steps > FOLLOW.strideMost) return stride
  if (steps >= FOLLOW.strideLeast) return jump
  return Math.abs(nudged.rate - 1) > FOLLOW.stepDeviationMost ? stride : 0
}

const latestOf = (errors: readonly number[]): number => median(errors.slice(-FOLLOW.latest))

const calmedPause = (follower: Follower, now: number): number => {
  const last = follower.seeks.at(-1) ?? Number.NEGATIVE_INFINITY
  return now - last >= FOLLOW.calm ? FOLLOW.seekPause : follower.seekPause
}

const rateFor = (middle: number, step: number, stride: number, isEarly: boolean): number => {
  // Of two places a stride apart the nearer one is right, early or late.
  const off = stride > 0 ? middle : middle - FOLLOW.aim
  if (Math.abs(off) <= Math.max(FOLLOW.alone, reachOf(Math.max(step, stride)))) return 1
  const { deviationMost, deviationLeast } = FOLLOW
  const slope = isEarly ? FOLLOW.slopeEarly : FOLLOW.slope
  const deviation = Math.min(Math.max(off / slope, -deviationMost), deviationMost)
  return Math.abs(deviation) < deviationLeast ? 1 : 1 + deviation
}

/** Nearer to its place than this no nudge brings what moves by whole steps. */
const reachOf = (step: number): number => step / 2 + FOLLOW.stepSlack
