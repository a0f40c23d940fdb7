// The pacemaker: decides when the engine renders, by the device while it sounds, else by the clock.
//
// A sink with a stock holds more than what is rendered for good: as much as its device needs at
// once is settled, what lies behind it is foreseen (render-ahead) and taken back where something
// comes. So a start is heard behind the device's few milliseconds, and a thread that renders late
// is bridged by the whole stock.
import type { StereoBlock } from '../../engine/ports.js'
import { FRAMES_PER_MS, FRAMES_PER_SECOND } from '../../clock/frame.js'
import type { Cancel, Timers } from '../../clock/timers.js'
import type { Renderer } from './output.js'

/** Frames in one call of `render`: 2.67 ms. */
export const BLOCK_FRAMES = 128
/** The clock's tick: how late an alarm of the engine may be met while nothing sounds. */
const TICK_MS = 5
/** A clock that leapt further than this is not caught up. */
const GAP_FRAMES = FRAMES_PER_SECOND
/** In silence the engine may go faster or slower by this part, until it is level with the clock. */
const CATCH_UP = 1 / 16
/** `wake` may render this far ahead of the clock, so that a command is met at once. */
const EARLY_FRAMES = 48
/**
 * So much is in stock also where something is due by itself, which nobody sees beyond: it is then
 * rendered for good past it, and a start in these 10 ms waits for the rest of them.
 */
const LEAST_FRAMES = 480

/** Where rendered frames go. */
export interface FrameSink {
  /** Frames taken and not consumed yet; null: nothing consumes, so the clock paces. */
  queued(): number | null
  /** Frames to keep queued while something sounds. */
  target(): number
  /** Wants every frame (a file does); otherwise silence paced by the clock is dropped. */
  readonly wantsSilence: boolean
  /** @param more another block follows at once: running dry after this one is an underrun. */
  take(block: StereoBlock, count: number, more: boolean): void
  /** The blocks taken since the last flush belong together. */
  flush(): void
  /** Where frames behind those taken can be held and taken back. */
  readonly stock?: Stock
}

export interface Stock {
  /** Of the target, frames that must be rendered for good. */
  settled(): number
  /** Frames foreseen behind those taken. */
  ahead(): number
  foresee(block: StereoBlock, count: number): void
  /** Something of it is new, or is not as it was handed over. */
  isChanged(): boolean
  /** What was foreseen is foreseen anew. */
  revise(): void
}

export class Feeder {
  private readonly block: StereoBlock = {
    left: new Float32Array(BLOCK_FRAMES), right: new Float32Array(BLOCK_FRAMES),
  }
  private ticking: Cancel | null = null
  private rendered = 0
  private sounding = false
  /** Nothing of this sound was taken yet. */
  private isFresh = false
  private lastQueued = 0
  /** The clock's pace: frame `anchorFrame` is heard at `anchorMs`. */
  private anchorFrame = 0
  private anchorMs = 0
  /** While something sounds the device paces: that this thread stood still shows here alone. */
  private steppedMs = 0
  /** Frames that the sound cost against the clock: paid back in silence, a little at a time. */
  private owed = 0

  constructor(
    private readonly renderer: Renderer,
    private readonly sink: FrameSink,
    private readonly timers: Timers,
    private readonly rebased: (gapMs: number) => void,
  ) {}

  start(): void {
    this.anchorMs = this.steppedMs = this.timers.nowMs()
    this.ticking = this.timers.every(TICK_MS, () => { this.step() })
  }

  stop(): void {
    this.ticking?.()
    this.ticking = null
  }

  /** Frames the engine was moved so far. */
  frames(): number {
    return this.rendered
  }

  isSounding(): boolean {
    return this.sounding
  }

  /** The device consumed, came, or went; or time passed. */
  step(): void {
    if (this.ticking === null) return
    const queued = this.look()
    const isPaced = this.sounding && queued !== null
    this.noteStandstill(isPaced)
    if (isPaced) this.fill(queued, false)
    else this.follow(0)
  }

  /** Where the clock paces, following it tells. */
  private noteStandstill(isPaced: boolean): void {
    const now = this.timers.nowMs()
    const gapMs = now - this.steppedMs
    this.steppedMs = now
    if (isPaced && gapMs * FRAMES_PER_MS > GAP_FRAMES) this.rebased(gapMs)
  }

  /** A command or a fact arrived: meet it now. */
  wake(): void {
    if (this.ticking === null) return
    const queued = this.look()
    if (queued !== null && (this.sounding || !this.renderer.quiet())) {
      if (!this.sounding) this.isFresh = true
      this.sounding = true
      this.fill(queued, true)
    } else this.follow(1)
  }

  /** What the device has queued; where it went, the clock takes over at this moment. */
  private look(): number | null {
    const queued = this.sink.queued()
    if (queued === null) this.settle(this.lastQueued)
    return queued
  }

  /** From sounding to the clock: what is queued is heard first, so the engine waits for it. */
  private settle(queued: number): void {
    if (!this.sounding) return
    this.sounding = false
    this.lastQueued = 0
    const heard = this.rendered - queued
    const present = this.timers.nowMs()
    // A device starts a few milliseconds after a wake, and its crystal is not the clock's.
    const behind = this.anchorFrame + (present - this.anchorMs) * FRAMES_PER_MS + this.owed - heard
    this.owed = Math.abs(behind) > GAP_FRAMES ? 0 : behind
    this.anchorFrame = heard
    this.anchorMs = present
  }

  /** @param isNew something came: what was foreseen may be otherwise. */
  private fill(queuedNow: number, isNew: boolean): void {
    const { stock } = this.sink
    const foresees = stock !== undefined && this.renderer.foresee !== undefined
    let queued = this.render(queuedNow, foresees ? stock.settled() : this.sink.target())
    if (foresees && this.sounding) {
      // What a device needs at once does not wait for what it may need later.
      this.sink.flush()
      queued = this.lookAhead(stock, queued, isNew)
    }
    if (this.sounding) this.lastQueued = queued
    this.sink.flush()
  }

  /** Renders for good until `wanted` frames are queued, or the sound is over. */
  private render(queuedNow: number, wanted: number): number {
    let queued = queuedNow
    // Bounded: each turn queues a block, and a target is a few dozen of them at most.
    while (this.sounding && queued < wanted) {
      const count = Math.min(BLOCK_FRAMES, wanted - queued)
      this.renderer.render(this.block, count)
      this.rendered += count
      queued += this.hand(count)
    }
    return queued
  }

  /** Hands over what was rendered. @returns how many frames are queued by it. */
  private hand(rendered: number): number {
    const done = this.renderer.quiet() && isSilent(this.block, rendered)
    const held = this.isFresh ? this.skipSilence(rendered) : 0
    this.isFresh = false
    const count = rendered - held
    this.sink.take(this.block, count, !done)
    if (done) {
      this.sink.stock?.revise()
      this.settle(this.sink.queued() ?? 0)
    }
    return count
  }

  /** What the master holds back is silence out of silence: nobody need wait for it. */
  private skipSilence(count: number): number {
    const { left, right } = this.block
    const most = Math.min(this.renderer.lookAhead ?? 0, count - 1)
    let held = 0
    while (held < most && left[held] === 0 && right[held] === 0) held += 1
    left.copyWithin(0, held, count)
    right.copyWithin(0, held, count)
    return held
  }

  /** Foresees up to the target; what is due now, or soon by itself, is rendered for good. */
  private lookAhead(stock: Stock, queuedNow: number, isNew: boolean): number {
    let queued = queuedNow
    let isAnew = isNew || stock.ahead() === 0
    let sendAt = isNew ? LEAST_FRAMES : Infinity
    // Bounded: each turn adds a block, or a frame at which something is due, up to the target.
    while (this.sounding) {
      if (isAnew) stock.revise()
      const count = Math.min(BLOCK_FRAMES, this.sink.target() - queued - stock.ahead())
      if (count <= 0) break
      const known = this.renderer.foresee?.(this.block, count, isAnew) ?? 0
      isAnew = false
      if (known > 0) stock.foresee(this.block, known)
      if (stock.ahead() >= sendAt) {
        // A change is heard from its first frames on, which do not wait for the last ones. Nor may
        // they run out before these come: the first press of all is mixed by code that is cold, 110
        // ms of it in 30.
        if (stock.isChanged()) this.sink.flush()
        sendAt = 2 * stock.ahead()
      }
      if (known === count) continue
      const ahead = stock.ahead()
      if (ahead > 0 && queued + ahead >= LEAST_FRAMES) break
      queued = this.render(queued, queued + ahead + 1)
      isAnew = true
    }
    return queued
  }

  /** Renders what the clock has made due, and `atLeast` so much if that is not far ahead of it. */
  private follow(atLeast: number): void {
    const elapsed = (this.timers.nowMs() - this.anchorMs) * FRAMES_PER_MS
    const most = elapsed * CATCH_UP
    const paid = Math.min(most, Math.max(-most, this.owed))
    let due = Math.floor(this.anchorFrame + elapsed + paid) - this.rendered
    if (due > GAP_FRAMES) {
      this.owed = 0
      this.anchorFrame = this.rendered
      this.anchorMs = this.timers.nowMs()
      this.rebased(due / FRAMES_PER_MS)
      due = 0
    }
    const early = EARLY_FRAMES + (this.sink.queued() ?? 0)
    if (due < atLeast && due > -early) due = atLeast
    // Bounded by GAP_FRAMES.
    while (due > 0) {
      const count = Math.min(BLOCK_FRAMES, due)
      this.renderer.render(this.block, count)
      this.rendered += count
      due -= count
      if (this.sink.wantsSilence) this.sink.take(this.block, count, true)
      else if (this.begin(count)) return
    }
    if (this.sink.wantsSilence) this.sink.flush()
  }

  /** Sound began in the block just rendered: from here the device leads. */
  private begin(count: number): boolean {
    const queued = this.sink.queued()
    if (queued === null) return false
    if (this.renderer.quiet() && isSilent(this.block, count)) return false
    this.sounding = true
    this.isFresh = true
    this.fill(queued + this.hand(count), true)
    return true
  }
}

const isSilent = (block: StereoBlock, count: number): boolean => {
  for (let i = 0; i < count; i += 1) {
    if (block.left[i] !== 0 || block.right[i] !== 0) return false
  }
  return true
}
