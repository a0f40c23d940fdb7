// The master stage: passes the sum bit for bit, and limits it only where it would be too loud.
//
// The sum leaves one look-ahead (48 frames, 1 ms) later than it came. An over is a frame whose
// louder channel exceeds -1 dBFS. While none lies within the last 200 ms or the look-ahead, the
// stage is a delay line and nothing else. Otherwise it multiplies both channels by one gain:
//
//   attack   the gain bends down in a straight line over the look-ahead, so that it arrives where
//            the over needs it on the over's own frame, and no corner is steeper than that line;
//   release  from there it rises smoothly to exactly 1, reached 200 ms after the last over. An over
//            that needs less than is turned down already lets it rise on: a loud bed under a sting
//            that was far too loud comes back to its own level, and does not hold the sting's.
//
// The bound. Every frame at t gets a gain of at most `need(u) + (1 - need(u)) * |u - t| / 48` for
// each over u in (t, t + 48], and of at most need(t) for itself: so |y(t)| <= 1. Nothing depends on
// how time is cut into blocks: state is counted in frames, and each frame does the same arithmetic.
import type { StereoBlock } from '../ports.js'

/** -1 dBFS: 10^(-1/20), as f32 rounds it. */
export const MASTER_THRESHOLD = Math.fround(0.8912509381337456)
/** Frames after the last over until the gain is exactly 1 again: 200 ms. */
export const MASTER_RELEASE = 9_600
/** Frames by which the sum leaves later: 1 ms. */
export const MASTER_LOOK_AHEAD = 48
/** Finite stand-in for a sum that overflowed: loud beyond doubt, and arithmetic stays finite. */
const CEILING = 3.4028234663852886e38
const NEVER = -1_000_000_000
/** The gain stays down this long before it rises, so that a low note's next crest meets no dip. */
const HOLD = 480
/**
 * An over begins the hold anew where it asks for no more than this, a quarter of a decibel, above
 * the gain that it leaves with: the crests of one note differ by less.
 */
const NEARLY = 1.03
/** A power of two that holds the look-ahead and the frame itself. */
const RING = 64
const MASK = RING - 1

export class Master {
  readonly lookAhead = MASTER_LOOK_AHEAD
  private readonly left = new Float32Array(RING)
  private readonly right = new Float32Array(RING)
  /** What each frame in the line asks of its own gain; 1 where it is no over. */
  private readonly need = new Float64Array(RING).fill(1)
  /** The lowest attack line over each frame in the line. */
  private readonly attack = new Float64Array(RING).fill(1)
  /** Frames that came in so far. */
  private came = 0
  /** The last over that left and held the gain down, and the gain it left with. */
  private overAt = NEVER
  private overGain = 1
  /** No over is in the line or was within the release once this many frames came in. */
  private clearAt = NEVER

  /** From here on it does what `other` would do with the same frames. */
  copy(other: Master): void {
    this.left.set(other.left)
    this.right.set(other.right)
    this.need.set(other.need)
    this.attack.set(other.attack)
    this.came = other.came
    this.overAt = other.overAt
    this.overGain = other.overGain
    this.clearAt = other.clearAt
  }

  /** Limits and delays frames [offset, offset + count) of a block in place. */
  process(block: StereoBlock, offset: number, count: number): void {
    const { left, right } = block
    if (offset < 0 || offset + count > left.length || offset + count > right.length) {
      throw new RangeError('master: outside of its block')
    }
    for (let i = offset; i < offset + count; i += 1) {
      const slot = this.came & MASK
      const l = sane(left[i] ?? 0)
      const r = sane(right[i] ?? 0)
      const peak = Math.max(Math.abs(l), Math.abs(r))
      if (peak > MASTER_THRESHOLD) this.meet(peak)
      this.left[slot] = l
      this.right[slot] = r
      const out = (this.came - MASTER_LOOK_AHEAD) & MASK
      if (this.came >= this.clearAt) {
        left[i] = this.left[out] ?? 0
        right[i] = this.right[out] ?? 0
      } else {
        const gain = this.leave(out, this.came - MASTER_LOOK_AHEAD)
        left[i] = (this.left[out] ?? 0) * gain
        right[i] = (this.right[out] ?? 0) * gain
      }
      this.came += 1
    }
  }

  /** An over comes in: it lays its attack line over the frames before it. */
  private meet(peak: number): void {
    const need = MASTER_THRESHOLD / peak
    this.need[this.came & MASK] = need
    for (let back = 0; back < MASTER_LOOK_AHEAD; back += 1) {
      const slot = (this.came - back) & MASK
      const line = need + (1 - need) * (back / MASTER_LOOK_AHEAD)
      if (line < (this.attack[slot] ?? 1)) this.attack[slot] = line
    }
    this.clearAt = this.came + MASTER_LOOK_AHEAD + MASTER_RELEASE
  }

  /** The gain of the frame that leaves; its slot is made ready for the frame that takes it next. */
  private leave(slot: number, at: number): number {
    const gain = Math.min(this.attack[slot] ?? 1, released(this.overGain, at - this.overAt))
    const need = this.need[slot] ?? 1
    if (need < 1 && need <= gain * NEARLY) {
      this.overAt = at
      this.overGain = gain
    }
    this.need[slot] = 1
    this.attack[slot] = 1
    return gain
  }
}

/** NaN is silence; what overflowed is as loud as a number can be. */
const sane = (sample: number): number => {
  if (sample - sample === 0) return sample
  if (sample !== sample) return 0
  return sample > 0 ? CEILING : -CEILING
}

/** The release: flat for the hold, then a parabola that lands on 1 without a corner. */
const released = (from: number, since: number): number => {
  if (since >= MASTER_RELEASE) return 1
  if (since <= HOLD) return from
  const left = (MASTER_RELEASE - since) / (MASTER_RELEASE - HOLD)
  return 1 - (1 - from) * left * left
}
