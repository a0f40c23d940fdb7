// Feeds a device without ever blocking: the loop of the sound process over the patched addon.
//
// The process has nothing else to do, so the loop is plain and synchronous: wait for frames, hand
// the device what it needs, report. It wakes every millisecond while the device has something to
// play and four times a second when it has not. It says what it waits for and is driven by whoever
// can wait: the process by blocking, the simulation by moving its clock.
//
// A device that takes back gets all there is; a change overwrites there what it has not read.
// Another one gets what is settled, and no more than its buffer needs: what waits here may still be
// taken back. What is open goes to it only where the owner, told of the need, said nothing.
import { FRAMES_PER_MS } from '../../clock/frame.js'
import type { Timers } from '../../clock/timers.js'
import type { LiveDevice } from './speaker-device.js'
import { GapWatch } from './speaker-gaps.js'
import { QuantumWatch } from './speaker-quantum.js'
import { FrameQueue } from './speaker-queue.js'
import { StallWatch } from './speaker-stalls.js'
import { QueueTarget, stockFor, type TargetLimits } from './speaker-target.js'
import { UnderrunCount } from './speaker-underruns.js'
import { HEARTBEAT_MS, type Line, type Report } from './speaker-wire.js'

const PLAYING_WAIT_MS = 1
/** A buffer that lacks less than this needs nothing yet. */
const NEEDED_FRAMES = 24
/** A queue that stays dry this long has an owner that stalled; wake seldom until it is back. */
const DRY_MS = 500
/**
 * A device runs dry where it, or who feeds it, stands still for about as long as its buffer lasts.
 * A small step back of its place, with less than this share of that shortly before, is its own
 * estimate that settles: PulseAudio's by 30 to 110 frames in the first seconds, beside 100 ms of
 * sound.
 */
const STALL_SHARE = 1 / 3
const SETTLING_FRAMES = 144
/** What an owner that went away had queued may still sound, for so long at most. */
const FAREWELL_MS = 100

/** For `ms` at most: until the owner's input can be read or has ended, or for time alone. */
export interface Wait {
  readonly input: boolean
  readonly ms: number
}

/** Work cut at its waits; after each it is told whether the input can be read. */
export type Steps<Result> = Generator<Wait, Result, boolean>

/** What the owner sends: bytes read, at once where a wait said yes; 0 at the end. */
export type ReadInput = (into: Buffer) => number

export class LiveFeed {
  private readonly queue = new FrameQueue((frames) => this.takeBack(frames))
  private readonly target: QueueTarget
  private readonly quantum: QuantumWatch
  private readonly stalls: StallWatch
  private readonly gaps = new GapWatch()
  private readonly underruns: UnderrunCount
  private dry = false
  private drySince = 0
  /** The device needs more than was settled, and the owner was told. */
  private hungry = false
  /** Frames of changes that the device had read before these came. */
  private overtaken = 0
  /** What was taken back sounds until something is put in its place. */
  private isReplacing = false
  private reported: Report | null = null
  private reportedAt = 0

  constructor(
    private readonly device: LiveDevice,
    private readonly read: ReadInput,
    private readonly timers: Timers,
    private readonly tell: (line: Line) => void,
    limits: TargetLimits,
    /** Those of a device that reads so many frames in one go. */
    private readonly limitsFor: (quantum: number) => TargetLimits,
  ) {
    this.target = new QueueTarget(limits)
    this.quantum = new QuantumWatch(device.takesBack)
    this.stalls = new StallWatch(timers.nowMs())
    this.underruns = new UnderrunCount(device.takesBack)
  }

  /** Returns when the owner went away; throws DeviceLost when the device did. */
  *run(): Steps<void> {
    while (this.turn(yield { input: true, ms: this.waitMs() }));
    const until = this.timers.nowMs() + FAREWELL_MS
    while (this.timers.nowMs() < until && this.device.fill + this.queue.settled() > 0) {
      yield { input: false, ms: PLAYING_WAIT_MS }
      this.look()
      this.write(this.queue.settled())
    }
  }

  /** Looks, takes what came, hands it on, reports. @returns false once the input has ended. */
  private turn(isReadable: boolean): boolean {
    this.look()
    if (isReadable && !this.receive()) return false
    const isLate = this.hungry && !isReadable
    this.write(this.takesBack || isLate ? this.queue.frames() : this.queue.settled())
    this.end()
    this.hungry = this.queue.more() && this.target.frames() - this.device.fill > NEEDED_FRAMES
    this.report()
    return true
  }

  private get takesBack(): boolean {
    return this.device.takesBack
  }

  /** What it is to have, where there is so much. */
  private wantedFill(): number {
    return this.takesBack ? stockFor(this.target.frames(), true) : this.target.frames()
  }

  /** For how long nothing needs to be done unless something comes. */
  private waitMs(): number {
    const idle = this.device.fill === 0 && this.queue.frames() === 0
    if (!idle) return PLAYING_WAIT_MS
    const expecting = this.queue.more() && this.timers.nowMs() - this.drySince < DRY_MS
    return expecting ? PLAYING_WAIT_MS : HEARTBEAT_MS
  }

  /** Reads the device's state; with nothing left while there is more, that is an underrun. */
  private look(): void {
    this.ask()
    const now = this.timers.nowMs()
    const isOver = this.isOver()
    this.stalls.observe(this.device.written, this.device.fill, now)
    if (this.quantum.observe(this.stalls.consumed, this.device.fill, isOver, now)) {
      this.target.relimit(this.limitsFor(this.quantum.frames()))
    }
    if (isOver) this.noteEnd()
    if (this.device.fill > 0) {
      this.dry = false
      if (!isOver && !this.takesBack) this.target.observe(this.device.fill, now)
      this.compare(now)
    } else if (isOver) {
      this.dry = false
      this.gaps.restart()
    } else if (!this.dry && this.device.written > 0 && !this.isReplacing) {
      this.dry = true
      this.drySince = now
      this.underruns.missAt(this.device.written)
      // Where nothing waited here, the owner was late: no buffer of the device is to blame.
      if (this.queue.frames() > 0) this.ranDry()
    }
  }

  /** All of a sound is at the device. */
  private isOver(): boolean {
    return !this.queue.more() && this.queue.frames() === 0
  }

  private noteEnd(): void {
    this.underruns.endAt(this.device.written)
    this.target.restart()
    this.stalls.restart()
  }

  private ranDry(): void {
    // What cannot be taken back is no more of a bridge when it is longer.
    if (!this.takesBack) this.target.underrun(this.stalls.ms)
  }

  /** Has the device tell its state; one that takes back also tells what came too late for it. */
  private ask(): void {
    this.device.ask()
    const { sinceDry, slack } = this.device
    // A pause may leave it less than a millisecond of sound: it is dry by now, and has heard all.
    const isEnd = sinceDry === 0 && this.isOver()
    if (sinceDry !== null && !isEnd) this.underruns.missAt(this.device.written - sinceDry)
    if (sinceDry !== null && sinceDry > 0) this.quantum.ranDry()
    if (slack === null) return
    if (slack >= 0) this.target.observe(slack, this.timers.nowMs())
    else {
      this.overtaken -= slack
      this.target.underrun(0)
    }
  }

  /** Counts a gap that only the clock tells of. */
  private compare(now: number): void {
    const { written, delay, period } = this.device
    const found = this.gaps.observe(written - delay, period, now)
    if (found === 'unsure') return
    this.stalls.beSure()
    if (found === 'coarse') return
    const least = this.wantedFill() * STALL_SHARE
    // One that takes back tells that it ran dry; what lies behind it may have stood still.
    const mayBeDry = this.gaps.stepFrames > SETTLING_FRAMES
      || (!this.takesBack && this.stalls.ms * FRAMES_PER_MS >= least)
    if (this.underruns.judge(found === 'gap' && mayBeDry)) this.ranDry()
  }

  /** False at the end of the input. */
  private receive(): boolean {
    const room = this.queue.room()
    const bytes = this.read(room)
    if (bytes === 0) return false
    this.queue.received(bytes)
    this.device.written -= this.queue.takeBeyondEnd()
    return true
  }

  /** Of frames that were handed over, those that the device has not read. */
  private takeBack(frames: number): number {
    const taken = this.device.takeBack(frames)
    if (taken > 0) this.isReplacing = true
    return taken
  }

  /** @param most frames that may be handed over. */
  private write(most: number): void {
    const frames = Math.max(0, Math.min(most, this.wantedFill() - this.device.fill))
    if (frames === 0) return
    const { bytes, offset } = this.queue.head()
    const taken = this.device.write(bytes, offset, frames)
    this.queue.drop(taken)
    if (taken > 0) this.dry = this.isReplacing = false
    this.ask()
  }

  private end(): void {
    if (!this.isOver() || !this.queue.isWhole() || !this.device.end()) return
    this.isReplacing = false
    this.ask()
  }

  /**
   * Each report is answered with what is settled by it, and each answer wakes this process: what
   * the device consumed since is told only once it is worth an answer.
   */
  private isNews({ taken, fill, kept, underruns, late }: Report): boolean {
    const last = this.reported
    if (last === null || underruns !== last.underruns || late !== last.late) return true
    const helpedItself = fill - kept > last.fill - last.kept + NEEDED_FRAMES
    const moved = taken - fill - (last.taken - last.fill)
    return helpedItself || moved >= NEEDED_FRAMES || (moved > 0 && fill === 0)
  }

  private report(): void {
    const waiting = this.queue.frames()
    // What the device has beyond that can be taken back.
    const { fill, written, delay } = this.device
    const held = this.takesBack ? Math.min(fill, this.target.frames()) : fill
    const loose = fill - held
    const report: Report = {
      taken: written + waiting, fill: fill + waiting, kept: waiting + loose,
      delay: Math.max(0, delay - loose),
      target: this.target.frames(), underruns: this.underruns.total,
      late: this.queue.late() + this.overtaken,
    }
    const now = this.timers.nowMs()
    if (!this.isNews(report) && now - this.reportedAt < HEARTBEAT_MS - 50) return
    this.reported = report
    this.reportedAt = now
    this.tell(report)
  }
}
