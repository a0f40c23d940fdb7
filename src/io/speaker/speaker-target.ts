// How much cannot be taken back while something sounds: the least that has proved safe.
//
// With a device that takes nothing back that is all it has in its buffer.
// It bridges a device that asks late, and this process where it comes late; a late owner is bridged
// by the stock that the process keeps. It starts at 15 ms. Ten seconds in which more than 3 ms were
// always left make it shrink by a millisecond, to 4 ms at least; ten in which it was nearly empty
// make it grow by two. An underrun makes it grow by half, to 40 ms at most. Below that it shrinks
// again only after five minutes of sound without another. Where that ends in an underrun the next
// try waits twice as long: a machine that stalls every ten minutes makes three gaps in an evening,
// not twenty. A stall that no permitted buffer would have bridged teaches nothing. Where the user
// fixed the buffer (`audio.bufferMs`) all limits are one.
//
// A device that takes back (a sound server, by its own protocol) has all that is in stock, and runs
// dry only behind that. What cannot be taken back there is what it may have read before a change
// arrives: 3 ms at first. Each change measures by how much it came before it was read, and that is
// what is left; one that came too late counts as an underrun does here. It costs the first moment
// of a change, no gap: so it grows to 8 ms at most, and a longer stall of the machine is borne.
import { FRAMES_PER_MS } from '../../clock/frame.js'

export interface TargetLimits {
  readonly startFrames: number
  readonly floorFrames: number
  readonly ceilingFrames: number
  /** More than this was left for ten seconds: it had more than it needed. */
  readonly ampleFrames: number
}

export const TARGET_LIMITS: TargetLimits = {
  startFrames: 720, floorFrames: 192, ceilingFrames: 1_920, ampleFrames: 144,
}

/** For a device that takes back what it has not read. */
export const MARGIN_LIMITS: TargetLimits = {
  startFrames: 144, floorFrames: 96, ceilingFrames: 384, ampleFrames: 120,
}

const STOCK_FRAMES = 1_920
/**
 * Nothing waits behind what is taken back. A user without real-time scheduling has his threads
 * wait 40 ms and more for a processor on a busy machine: with 40 ms there were five gaps for each
 * one with 160.
 */
const TAKEN_BACK_STOCK_FRAMES = 5_760

/** Frames in stock, at the device and waiting for it: what bridges a thread that renders late. */
export const stockFor = (wantedFrames: number, takesBack: boolean): number =>
  Math.max(takesBack ? TAKEN_BACK_STOCK_FRAMES : STOCK_FRAMES, wantedFrames)

export const fixedTarget = (bufferMs: number): TargetLimits => {
  const frames = Math.round(bufferMs * FRAMES_PER_MS)
  return { ...TARGET_LIMITS, startFrames: frames, floorFrames: frames, ceilingFrames: frames }
}

export interface Learned {
  readonly takesBack: boolean
  readonly frames: number
}

const USUAL_PERIOD = 64

/** Above the quantum that a device reads in one go: a look that comes late, and a write. */
const LEAST_ABOVE_QUANTUM = 144
const START_ABOVE_QUANTUM = 480
const MOST_ABOVE_QUANTUM = 960

/**
 * @param quantumFrames how many frames it reads in one go.
 * @param learned of a device that was never open, or of another kind than the one before: null.
 */
export const limitsOf = (
  target: TargetLimits, takesBack: boolean, quantumFrames: number, learned: Learned | null,
): TargetLimits => {
  const isFixed = target.floorFrames === target.ceilingFrames
  const limits = takesBack && !isFixed
    ? marginOf(quantumFrames) : aboveQuantum(target, quantumFrames)
  if (learned?.takesBack !== takesBack) return limits
  // One that stood still may have been believed to wait for 8192 frames: it tells its quantum anew.
  const most = takesBack ? limits.ceilingFrames : Infinity
  return { ...limits, startFrames: Math.min(learned.frames, most) }
}

/** One that reads more at once than it is to have plays nothing, or a gap with each quantum. */
const aboveQuantum = (target: TargetLimits, quantumFrames: number): TargetLimits => {
  const least = quantumFrames + LEAST_ABOVE_QUANTUM
  if (least <= Math.max(target.startFrames, START_ABOVE_QUANTUM)) return target
  if (target.floorFrames === target.ceilingFrames) {
    return { ...target, startFrames: least, floorFrames: least, ceilingFrames: least }
  }
  return {
    ...target, startFrames: quantumFrames + START_ABOVE_QUANTUM, floorFrames: least,
    ceilingFrames: Math.max(target.ceilingFrames, quantumFrames + MOST_ABOVE_QUANTUM),
  }
}

/** A server that reads in larger quanta has read more before a change arrives. */
const marginOf = (quantumFrames: number): TargetLimits => {
  const more = Math.max(0, quantumFrames - USUAL_PERIOD)
  const { startFrames, floorFrames, ceilingFrames, ampleFrames } = MARGIN_LIMITS
  return {
    startFrames: startFrames + more, floorFrames: floorFrames + more,
    ceilingFrames: ceilingFrames + more, ampleFrames,
  }
}

const WINDOW_MS = 10_000
const FILLED_MS = 100
/** Windows of sound without an underrun after which what was learned by one is put to the test. */
const CALM_WINDOWS = 30
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

  constructor(private limits: TargetLimits) {
    this.wanted = limits.startFrames
    this.floor = limits.floorFrames
  }

  frames(): number {
    return this.wanted
  }

  /** The device reads in other quanta than before; what proved to be needed beside them stays. */
  relimit(limits: TargetLimits): void {
    const wanted = this.wanted - this.limits.startFrames + limits.startFrames
    this.floor += limits.floorFrames - this.limits.floorFrames
    this.limits = limits
    this.aim(wanted)
    this.restart()
  }

  /** @param left of what is wanted, at this moment; told only while something sounds. */
  observe(left: number, nowMs: number): void {
    this.windowMs ??= nowMs
    // A buffer that is being filled is no sign of one that is too short.
    if (nowMs - this.windowMs < FILLED_MS) return
    this.lowest = Math.min(this.lowest, left)
    if (nowMs - this.windowMs < WINDOW_MS) return
    this.calmWindows += 1
    if (this.floor > this.limits.floorFrames && this.calmWindows >= this.patience) {
      this.floor = this.limits.floorFrames
      this.isTrying = true
    }
    if (this.lowest > this.limits.ampleFrames) this.aim(this.wanted - SHRINK_FRAMES)
    else if (this.lowest < SCARCE_FRAMES) this.aim(this.wanted + GROW_FRAMES)
    this.restart()
  }

  /** @param stalledMs for how long nobody looked at the device. */
  underrun(stalledMs: number): void {
    this.restart()
    if (stalledMs * FRAMES_PER_MS > this.limits.ceilingFrames) return
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
