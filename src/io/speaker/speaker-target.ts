// How much the device has in its own buffer while something sounds: the least that has proved safe.
//
// It bridges a device that asks late, and this process where it comes late; a late owner is bridged
// by the stock that the process keeps. It starts at 15 ms. Ten seconds in which more than 3 ms were
// always left make it shrink by a millisecond, to 4 ms at least; ten in which it was nearly empty
// make it grow by two. An underrun makes it grow by half, to 40 ms at most, and it never again
// shrinks below what it grew to. A stall that no permitted buffer would have bridged teaches
// nothing.

export interface TargetLimits {
  readonly startFrames: number
  readonly floorFrames: number
  readonly ceilingFrames: number
}

export const TARGET_LIMITS: TargetLimits = {
  startFrames: 720, floorFrames: 192, ceilingFrames: 1_920,
}

const WINDOW_MS = 10_000
/** A buffer that sank no lower than this had more than it needed: 3 ms. */
const AMPLE_FRAMES = 144
/** One that sank below this was lucky: half a millisecond. */
const SCARCE_FRAMES = 24
const SHRINK_FRAMES = 48
const GROW_FRAMES = 96

export class QueueTarget {
  private wanted: number
  private floor: number
  private lowest = Infinity
  private windowMs: number | null = null

  constructor(private readonly limits: TargetLimits) {
    this.wanted = limits.startFrames
    this.floor = limits.floorFrames
  }

  frames(): number {
    return this.wanted
  }

  /** @param fill what the device still had; told only while something sounds. */
  observe(fill: number, nowMs: number): void {
    this.windowMs ??= nowMs
    this.lowest = Math.min(this.lowest, fill)
    if (nowMs - this.windowMs < WINDOW_MS) return
    if (this.lowest > AMPLE_FRAMES) this.aim(this.wanted - SHRINK_FRAMES)
    else if (this.lowest < SCARCE_FRAMES) this.aim(this.wanted + GROW_FRAMES)
    this.restart()
  }

  /** @param stalledMs for how long nobody looked at the device. */
  underrun(stalledMs: number): void {
    this.restart()
    if (stalledMs * 48 > this.limits.ceilingFrames) return
    this.aim(Math.ceil(this.wanted * 1.5))
    this.floor = this.wanted
  }

  /** Silence: a window spans sound only. */
  restart(): void {
    this.windowMs = null
    this.lowest = Infinity
  }

  private aim(frames: number): void {
    this.wanted = Math.min(this.limits.ceilingFrames, Math.max(this.floor, frames))
  }
}
