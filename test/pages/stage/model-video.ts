// A video element as a model: refreshes, frames, late callbacks, slow seeks, a clock of its own.
import { createPrng, type Prng } from '../../../src/engine/prng.js'

export interface ModelTraits {
  readonly framesPerSecond: number
  readonly refreshHz: number
  /** Standard deviation of what is measured, in ms. */
  readonly noiseMs: number
  /** The share of callbacks that come a refresh late. */
  readonly lateShare: number
  /** How much its clock is too fast. */
  readonly drift: number
  readonly seekMs: number
  /** How long a change of rate takes to show. */
  readonly rateMs: number
  /** How far a change of rate throws it back. */
  readonly rateCostMs: number
  /** Where it is at time 0, as against what is heard: positive is behind. */
  readonly behindMs: number
}

/** What a callback tells, and what only the model knows. */
export interface ModelFrame {
  /** When the page is told. */
  readonly toldAt: number
  /** When the frame was shown. */
  readonly shownAt: number
  readonly mediaMs: number
  readonly measuredError: number
  readonly trueError: number
}

export const drawTraits = (seed: number): ModelTraits => {
  const prng = createPrng(seed).fork('traits')
  const pick = <T>(of: readonly T[]): T => of[Math.floor(prng.next() * of.length)]!
  const between = (low: number, high: number): number => low + (high - low) * prng.next()
  return {
    framesPerSecond: pick([25, 29.97, 30, 50, 59.94, 60]),
    refreshHz: pick([30, 50, 59.94, 60]),
    noiseMs: between(2, 6),
    lateShare: pick([0, 0.1, 0.5, 1]),
    drift: between(-2e-4, 2e-4),
    seekMs: between(40, 250),
    rateMs: between(0, 40),
    rateCostMs: 0,
    behindMs: between(-150, 150),
  }
}

/** Heard time is the model's own time: a video in step has shown media time t at time t. */
export class ModelVideo {
  readonly #prng: Prng
  readonly #phase: number
  #now = 0
  #position: number
  #rate = 1
  #pendingRate: { readonly at: number; readonly rate: number } | null = null
  #seek: { readonly doneAt: number; readonly to: number } | null = null
  #shown = -1
  #refresh = 0

  constructor(private readonly traits: ModelTraits, seed: number) {
    this.#prng = createPrng(seed).fork('video')
    this.#phase = this.#prng.next() * 20
    this.#position = -traits.behindMs
  }

  setRate(at: number, rate: number): void {
    this.#pendingRate = { at: at + this.traits.rateMs, rate }
  }

  seek(at: number, to: number): void {
    this.#rate = 1
    this.#pendingRate = null
    this.#seek = { doneAt: at + this.traits.seekMs * (0.8 + 0.4 * this.#prng.next()), to }
  }

  /** The frames that the next refresh brings: one or none. */
  step(): ModelFrame | null {
    const { refreshHz, framesPerSecond, noiseMs, lateShare } = this.traits
    this.#refresh += 1
    const shownAt = this.#phase + (this.#refresh * 1000) / refreshHz
    this.#moveTo(shownAt)
    if (this.#seek !== null) return null
    const frame = Math.floor((this.#position * framesPerSecond) / 1000 + 1e-6)
    if (frame === this.#shown) return null
    this.#shown = frame
    const mediaMs = (frame * 1000) / framesPerSecond
    const trueError = shownAt - mediaMs
    const isLate = this.#prng.next() < lateShare
    return {
      shownAt,
      toldAt: isLate ? shownAt + 1000 / refreshHz : shownAt - 500 / refreshHz,
      mediaMs,
      trueError,
      measuredError: trueError + noiseMs * this.#normal(),
    }
  }

  #moveTo(to: number): void {
    if (this.#seek !== null) {
      if (to < this.#seek.doneAt) {
        this.#now = to
        return
      }
      this.#now = this.#seek.doneAt
      this.#position = this.#seek.to
      this.#seek = null
      this.#shown = -1
    }
    if (this.#pendingRate !== null && this.#pendingRate.at <= to) {
      this.#play(Math.max(this.#now, this.#pendingRate.at))
      this.#rate = this.#pendingRate.rate
      this.#position -= this.traits.rateCostMs
      this.#pendingRate = null
    }
    this.#play(to)
  }

  #play(to: number): void {
    this.#position += (to - this.#now) * this.#rate * (1 + this.traits.drift)
    this.#now = to
  }

  #normal(): number {
    const u = Math.max(this.#prng.next(), 1e-9)
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.#prng.next())
  }
}
