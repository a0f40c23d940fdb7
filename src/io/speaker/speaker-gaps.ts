// Finds the gaps that a device does not tell, by where it stands against the clock.
//
// A sound server's word on what it still has is as old as its last message. When the machine stalls
// for 20 ms the server runs dry, plays silence and takes what comes next, and whoever asks
// afterwards is told first of 870 frames left and then of new ones: the queue was never seen empty.
// What gives it away is the frame that is heard: it advances with the clock, 48 a millisecond, and
// after a gap it is later than before by the gap's length, for good.
//
// Judged are only looks that agree with each other, because a device that tells its delay in coarse
// steps says nothing finer than those. Such devices (plain hardware) report their underruns. One
// that tells its place in whole periods is not judged at all: looks that keep step with its period
// (2.67 ms) would agree about any place, each time about another.
import { FRAMES_PER_MS } from '../../clock/frame.js'

/** Looks in a row that must agree, so far apart at least: looks at one moment always agree. */
const LOOKS = 6
const APART_MS = 1.5
/** They agree when they lie within half a millisecond of each other. */
const AGREE_FRAMES = 24
/** A step back of more than this is a gap: what a server tells trembles by half of that. */
const GAP_FRAMES = 32
/** Moves by other than whole periods: so many make a device a fine one, more are not counted. */
const FINE = 3
const FINE_MOST = 8

/** `coarse`: it tells its place in whole periods; `unsure`: its looks do not agree yet. */
export type Found = 'coarse' | 'unsure' | 'none' | 'gap'

export class GapWatch {
  private heard = 0
  /** How sure it is that the device tells its place by the frame. */
  private fineness = 0
  private readonly offsets = new Float64Array(LOOKS)
  private looks = 0
  private lookedMs = -Infinity
  /** Where the frame heard stood against the clock when the looks last agreed. */
  private settled: number | null = null
  /** Frames by which it stepped back where a gap was found last. */
  stepFrames = 0

  /** Sound ended: what comes next begins anew. */
  restart(): void {
    this.looks = 0
    this.settled = null
  }

  /**
   * Whether a gap lies between the last moment that was sure and this one.
   *
   * @param heard the frame that is heard now, counted from any beginning.
   * @param period frames that the device says it reads in one go.
   */
  observe(heard: number, period: number, nowMs: number): Found {
    if (this.isFine(heard, period)) return this.compare(heard, nowMs)
    this.restart()
    return 'coarse'
  }

  private isFine(heard: number, period: number): boolean {
    const moved = heard - this.heard
    this.heard = heard
    if (moved !== 0) {
      const step = moved % period === 0 ? -2 : 1
      this.fineness = Math.max(0, Math.min(FINE_MOST, this.fineness + step))
    }
    return this.fineness >= FINE
  }

  private compare(heard: number, nowMs: number): Found {
    if (nowMs - this.lookedMs < APART_MS) return 'unsure'
    this.lookedMs = nowMs
    this.offsets[this.looks % LOOKS] = heard - nowMs * FRAMES_PER_MS
    this.looks += 1
    if (this.looks < LOOKS) return 'unsure'
    let least = Infinity
    let most = -Infinity
    for (const offset of this.offsets) {
      least = Math.min(least, offset)
      most = Math.max(most, offset)
    }
    if (most - least > AGREE_FRAMES) return 'unsure'
    const before = this.settled
    this.settled = (least + most) / 2
    this.stepFrames = before === null ? 0 : before - this.settled
    return this.stepFrames > GAP_FRAMES ? 'gap' : 'none'
  }
}
