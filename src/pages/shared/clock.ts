// The engine's clock as a page reads it: from time messages, each with its round trip.

/** One answered time message; moments are the page's milliseconds, frames the engine's. */
export interface TimeSample {
  readonly sentAt: number
  readonly receivedAt: number
  /** The engine's frame at the moment of answering. */
  readonly frame: number
  /** What the output is behind that, at that moment. */
  readonly latencyFrames: number
}

export const FRAMES_PER_MS = 48

export const TIMING = {
  /** A connection begins with so many messages, so far apart; then one a second. */
  openingMessages: 8,
  openingEveryMs: 50,
  everyMs: 1_000,
  /** A picture follows what wanders, by a median that is a second old. */
  stageEveryMs: 250,
  /** Samples that may be wrong by so much more than the best one say too little. */
  slackMs: 1,
  /**
   * By so many ms of each one what is heard may wander from the page's clock: a crystal by 0.0001,
   * PulseAudio's null sink by 0.0006.
   */
  drift: 0.0005,
  bestOfMs: 30_000,
  /** The clock is the median of so many. */
  median: 8,
  /** Beyond this, so many times running, the engine's time itself has jumped: a stall, a device. */
  jumpMs: 30,
  jumps: 3,
  /** Beyond this it is asked again at once: what is heard was put off, by an underrun, say. */
  doubtMs: 8,
  /** A page that loads is slow: for so long it is asked on, until an answer is as sure as this. */
  firstMs: 3_000,
  sureMs: 2,
} as const

interface Kept {
  readonly at: number
  readonly tripMs: number
  /** What is heard, in the engine's milliseconds, minus the page's milliseconds. */
  readonly offsetMs: number
}

/** By how much it may be wrong by now: by half of its trip, and by what has wandered since. */
const doubtOf = ({ at, tripMs }: Kept, now: number): number =>
  tripMs / 2 + (now - at) * TIMING.drift

/**
 * A frame and the latency of the same answer belong together: when the output lengthens its queue
 * the engine leaps ahead and the latency grows by as much, so that what is heard goes on evenly.
 * Filtered apart, the newest latency with a median of frames, they would be wrong by that leap for
 * as long as the median takes. So the filter is over their difference.
 */
export class EngineClock {
  #kept: readonly Kept[] = []
  #offsetMs: number | null = null
  #latencyFrames = 0
  #strays = 0
  #beganAt: number | null = null

  /** The newest one, to be shown. */
  get latencyFrames(): number {
    return this.#latencyFrames
  }

  /** Whether it leaves the clock so far that more samples are wanted soon. */
  note(sample: TimeSample): boolean {
    const tripMs = sample.receivedAt - sample.sentAt
    if (!(tripMs >= 0) || !Number.isFinite(sample.frame)) return false
    const at = (sample.sentAt + sample.receivedAt) / 2
    const heardMs = (sample.frame - sample.latencyFrames) / FRAMES_PER_MS
    const kept = { at, tripMs, offsetMs: heardMs - at }
    this.#latencyFrames = sample.latencyFrames
    const isOff = this.#isOff(kept, TIMING.doubtMs)
    this.#beganAt ??= at
    this.#keep(kept)
    this.#offsetMs = median(this.#believed(at).map((one) => one.offsetMs))
    return isOff || (at - this.#beganAt < TIMING.firstMs && !this.#isSure(at))
  }

  /** The frame that a person hears at a moment of the page, not rounded; null before a sample. */
  heardFrameAt(ms: number): number | null {
    return this.#offsetMs === null ? null : (ms + this.#offsetMs) * FRAMES_PER_MS
  }

  /** The page's moment at which a frame is heard. */
  heardAt(frame: number): number | null {
    if (this.#offsetMs === null) return null
    return frame / FRAMES_PER_MS - this.#offsetMs
  }

  /** Another daemon has another time: nothing of what was known holds. */
  reset(): void {
    this.#kept = []
    this.#offsetMs = null
    this.#strays = 0
    this.#beganAt = null
  }

  #isSure(now: number): boolean {
    return this.#kept.some((one) => doubtOf(one, now) <= TIMING.sureMs)
  }

  /** A stray is passed over, until so many in a row show that all before them is void. */
  #keep(kept: Kept): void {
    const isStray = this.#isOff(kept, TIMING.jumpMs)
    this.#strays = isStray ? this.#strays + 1 : 0
    if (this.#strays >= TIMING.jumps) {
      this.#kept = [kept]
      this.#strays = 0
    } else if (!isStray) {
      const recent = this.#kept.filter((one) => kept.at - one.at <= TIMING.bestOfMs)
      this.#kept = [...recent, kept]
    }
  }

  /** A slow answer may be wrong by half of its trip, and is not off for that. */
  #isOff({ offsetMs, tripMs }: Kept, boundMs: number): boolean {
    if (this.#offsetMs === null) return false
    return Math.abs(offsetMs - this.#offsetMs) > boundMs + tripMs / 2
  }

  /**
   * A page that got busy has slow answers from then on: by the quick ones of before alone it would
   * be as far behind as what is heard has wandered since, 18 ms after half a minute.
   */
  #believed(now: number): readonly Kept[] {
    const doubts = this.#kept.map((one) => doubtOf(one, now))
    const most = Math.min(...doubts) + TIMING.slackMs
    return this.#kept.filter((_, n) => doubts[n]! <= most).slice(-TIMING.median)
  }
}

/** The middle one, or the mean of the two in the middle; of nothing there is none. */
export const median = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('the median of nothing')
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half]!
  return sorted.length % 2 === 1 ? upper : (sorted[half - 1]! + upper) / 2
}
