// How much the device has in its own buffer while something sounds: the least that has proved safe.
//
// It bridges a device that asks late, and this process where it comes late; a late owner is bridged
// by the stock that the process keeps. It starts at 15 ms. Ten seconds in which more than 3 ms were
// always left make it shrink by a millisecond, to 4 ms at least; ten in which it was nearly empty
// make it grow by two. An underrun makes it grow by half, to 40 ms at most. Below that it shrinks
// again only after five minutes of sound without another. Where that ends in an underrun the next
// try waits twice as long: a machine that stalls every ten minutes makes three gaps in an evening,
// not twenty. A stall that no permitted buffer would have bridged teaches nothing. Where the user
// fixed the buffer (`audio.bufferMs`) all limits are one.
import { FRAMES_PER_MS } from '../../clock/frame.js'

export interface TargetLimits {
  readonly startFrames: number
  readonly floorFrames: number
  readonly ceilingFrames: number
}

export const TARGET_LIMITS: TargetLimits = {
  startFrames: 720, floorFrames: 192, ceilingFrames: 1_920,
}

export const fixedTarget = (bufferMs: number): TargetLimits => {
  const frames = Math.round(bufferMs * FRAMES_PER_MS)
  return { startFrames: frames, floorFrames: frames, ceilingFrames: frames }
}

const WINDOW_MS = 10_000
/** Windows of sound without an underrun after which what was learned by one is put to the test. */
const CALM_WINDOWS = 30
/** A buffer that sank no lower than this had more than it needed: 3 ms. */
const AMPLE_FRAMES = 144
/** One that sank below this was lucky: half a millisecond. */
const SCARCE_FRAMES = 24
const SHRINK_FRAMES = 48
const GROW_FRAMES = 96

export class QueueTarget {
  private wanted: number
  private floor: number
  private calmWindows = 0
  private patience = CALM_WINDOWS
  /** It may shrink below what an underrun had made of it. */
  private isTrying = false
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
    this.calmWindows += 1
    if (this.floor > this.limits.floorFrames && this.calmWindows >= this.patience) {
      this.floor = this.limits.floorFrames
      this.isTrying = true
    }
    if (this.lowest > AMPLE_FRAMES) this.aim(this.wanted - SHRINK_FRAMES)
    else if (this.lowest < SCARCE_FRAMES) this.aim(this.wanted + GROW_FRAMES)
    this.restart()
  }

  /** @param stalledMs for how long nobody looked at the device. */
  underrun(stalledMs: number): void {
    this.restart()
    if (stalledMs * 48 > this.limits.ceilingFrames) return
    this.aim(Math.ceil(this.wanted * 1.5))
    if (this.isTrying) this.patience *= 2
    this.isTrying = false
    this.calmWindows = 0
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
