// A gain as a closed form of the absolute frame: it cannot depend on how time was cut into blocks.
import { add, type Frame } from '../../clock/frame.js'
import type { CrossfadeCurve } from '../../contract/vocabulary.js'

export interface Ramp {
  readonly begin: Frame
  /** From here on the gain is `to`; equal to `begin` for a cut. */
  readonly end: Frame
  readonly from: number
  readonly to: number
  readonly curve: CrossfadeCurve
}

export const steady = (gain: number, at: Frame): Ramp => ({
  begin: at, end: at, from: gain, to: gain, curve: 'linear',
})

/** A ramp from the gain heard at `begin`; zero frames are a cut, there is no hidden minimum. */
export const rampTo = (
  heard: Ramp, to: number, begin: Frame, frames: Frame, curve: CrossfadeCurve,
): Ramp => ({ begin, end: add(begin, frames), from: gainAt(heard, begin), to, curve })

/**
 * sin(x) for 0 <= x <= pi/2 by its Taylor series to x^21 (error < 1e-15): the same bits everywhere.
 */
const quarterSine = (x: number): number => {
  const s = x * x
  let sum = 1
  for (let k = 20; k >= 2; k -= 2) sum = 1 - (s / (k * (k + 1))) * sum
  return x * sum
}

const HALF_PI = 1.5707963267948966

/**
 * How far along its way a curve is at t in 0..1; a fall mirrors a rise, so that powers add up to 1.
 */
const bend = (t: number, rising: boolean): number =>
  rising ? quarterSine(t * HALF_PI) : 1 - quarterSine((1 - t) * HALF_PI)

/** The way that a ramp goes in one frame: a mixer multiplies by it where a division would cost. */
export const perFrame = (ramp: Ramp): number => 1 / (ramp.end - ramp.begin)

/** Gain at `now`: linear by the frame, or equal-power where a crossfade asks for it. */
export const gainAt = (ramp: Ramp, now: Frame): number => {
  if (now >= ramp.end) return ramp.to
  if (now <= ramp.begin) return ramp.from
  const t = (now - ramp.begin) * perFrame(ramp)
  const way = ramp.curve === 'linear' ? t : bend(t, ramp.to > ramp.from)
  return ramp.from + (ramp.to - ramp.from) * way
}

const LOG2_OF_10_OVER_20 = 0.16609640474436813
const LN_2 = 0.6931471805599453

/** 10^(db/20) by powers of two and the exponential series, for the same bits on every machine. */
export const decibelsToGain = (db: number): number => {
  const exponent = db * LOG2_OF_10_OVER_20
  const whole = Math.floor(exponent)
  const x = (exponent - whole) * LN_2
  let sum = 1
  for (let k = 18; k >= 1; k -= 1) sum = 1 + (x / k) * sum
  let gain = sum
  for (let k = 0; k < whole; k += 1) gain *= 2
  for (let k = 0; k > whole; k -= 1) gain /= 2
  return gain
}
