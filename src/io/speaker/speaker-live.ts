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
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import { DEVICE, DEVICE_NUMBERS, type DeviceHandle, type LiveAddon } from './speaker-addon.js'
import { GapWatch } from './speaker-gaps.js'
import { PieceWatch } from './speaker-pieces.js'
import { FrameQueue } from './speaker-queue.js'
import { QueueTarget, stockFor, type TargetLimits } from './speaker-target.js'
import { HEARTBEAT_MS, type Line, type Report } from './speaker-wire.js'

const PLAYING_WAIT_MS = 1
/** A buffer that lacks less than this needs nothing yet. */
const NEEDED_FRAMES = 24
/** A queue that stays dry this long has an owner that stalled; wake seldom until it is back. */
const DRY_MS = 500
/** Moves by other than whole periods: so many make a device a fine one, more are not counted. */
const FINE = 3
const FINE_MOST = 8
/**
 * A device runs dry where it, or who feeds it, stands still for about as long as its buffer lasts.
 * A small step back of its place, with less than this share of that shortly before, is its own
 * estimate that settles: PulseAudio's by 30 to 110 frames in the first seconds, beside 100 ms of
 * sound.
 */
const STALL_SHARE = 1 / 3
const SETTLING_FRAMES = 144
const STALL_KEPT_MS = 300
/** A device that takes back puts a frame of silence where a sound was cut. */
const INSERTED_FRAMES = 8
/** What an owner that went away had queued may still sound, for so long at most. */
const FAREWELL_MS = 100

export class DeviceLost extends Error {}

/** What the addon answered; throws DeviceLost where that is an error. */
export const unlessLost = (addon: LiveAddon, answer: number): number => {
  if (answer < 0) throw new DeviceLost(addon.explain(answer))
  return answer
}

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
  private readonly state = new Float64Array(DEVICE_NUMBERS)
  private readonly gaps = new GapWatch()
  private underruns = 0
  /** Underruns that were seen as they were, since the clock last agreed that nothing is missing. */
  private seen = false
  private dry = false
  private drySince = 0
  private reported: Report | null = null
  private reportedAt = 0
  private readonly target: QueueTarget
  private lookedAt: number
  /** The longest time of late without a look, or in which the device stood still. */
  private stalledMs = 0
  private stalledAt = 0
  /** When it was last sure what is missing; on a machine that trembles that takes a while. */
  private sureAt = 0
  /** The device needs more than was settled, and the owner was told. */
  private hungry = false
  private written = 0
  /** The frame that was heard at the last look. */
  private heard = 0
  /** Frames that the device consumed, and when it last consumed any. */
  private consumed = 0
  private movedAt = 0
  /** How sure it is that the device tells its place by the frame. */
  private fineness = 0
  /** Frames of changes that the device had read before these came. */
  private overtaken = 0
  /** The frame up to which nothing is missing, since a sound ended there, or that was counted. */
  private endedAt = 0
  /** A device that takes back knows the sound that it has as over. */
  private hasEnd = true
  /** What was taken back sounds until something is put in its place. */
  private isReplacing = false
  private readonly pieces: PieceWatch

  constructor(
    private readonly addon: LiveAddon,
    private readonly handle: DeviceHandle,
    private readonly read: ReadInput,
    private readonly timers: Timers,
    private readonly tell: (line: Line) => void,
    limits: TargetLimits,
    /** Those of a device that reads so many frames in one go. */
    private readonly limitsFor: (piece: number) => TargetLimits,
    private readonly takesBack: boolean,
  ) {
    this.target = new QueueTarget(limits)
    this.pieces = new PieceWatch(takesBack)
    this.lookedAt = timers.nowMs()
  }

  /** Returns when the owner went away; throws DeviceLost when the device did. */
  *run(): Steps<void> {
    while (this.turn(yield { input: true, ms: this.waitMs() }));
    const until = this.timers.nowMs() + FAREWELL_MS
    while (this.timers.nowMs() < until && this.fill() + this.queue.settled() > 0) {
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
    this.hungry = this.queue.more() && this.target.frames() - this.fill() > NEEDED_FRAMES
    this.report()
    return true
  }

  /** What the device has. */
  private fill(): number {
    return this.state[DEVICE.fill] ?? 0
  }

  /** What it is to have, where there is so much. */
  private wantedFill(): number {
    return this.takesBack ? stockFor(this.target.frames(), true) : this.target.frames()
  }

  /** For how long nothing needs to be done unless something comes. */
  private waitMs(): number {
    const idle = this.fill() === 0 && this.queue.frames() === 0
    if (!idle) return PLAYING_WAIT_MS
    const expecting = this.queue.more() && this.timers.nowMs() - this.drySince < DRY_MS
    return expecting ? PLAYING_WAIT_MS : HEARTBEAT_MS
  }

  /** Reads the device's state; with nothing left while there is more, that is an underrun. */
  private look(): void {
    this.ask()
    const now = this.timers.nowMs()
    this.noteStall(now, Math.max(now - this.lookedAt, this.standstillMs(now)))
    this.lookedAt = now
    const isOver = this.isOver()
    if (this.pieces.observe(this.consumed, this.fill(), isOver, now)) {
      this.target.relimit(this.limitsFor(this.pieces.frames()))
    }
    if (isOver) this.endedAt = this.written
    if (this.fill() > 0 || isOver) {
      this.dry = false
    } else if (!this.dry && this.written > 0 && !this.isReplacing) {
      this.dry = true
      this.drySince = now
      this.countUnderrun(this.written)
      // Where nothing waited here, the owner was late: no buffer of the device is to blame.
      if (this.queue.frames() > 0) this.ranDry()
    }
    if (isOver) {
      this.target.restart()
      this.stalledMs = 0
    } else if (!this.takesBack && this.fill() > 0) this.target.observe(this.fill(), now)
    if (this.fill() > 0) this.compare()
    else if (isOver) this.gaps.restart()
  }

  /** All of a sound is at the device. */
  private isOver(): boolean {
    return !this.queue.more() && this.queue.frames() === 0
  }

  private ranDry(): void {
    // What cannot be taken back is no more of a bridge when it is longer.
    if (!this.takesBack) this.target.underrun(this.stalledMs)
  }

  /** @param at the frame that was missing; nothing is missing before a sound has begun. */
  private countUnderrun(at: number): void {
    // One that takes back tells it by itself, again, and at the end of a sound.
    const known = this.endedAt + (this.takesBack ? INSERTED_FRAMES : 0)
    if (at <= known) return
    this.endedAt = at
    this.seen = true
    this.underruns += 1
  }

  /** Has the device tell its state; one that takes back also tells what came too late for it. */
  private ask(): void {
    unlessLost(this.addon, this.addon.queue(this.handle, this.state))
    if (!this.takesBack) return
    const sinceDry = this.state[DEVICE.sinceDry] ?? -1
    // A pause may leave it less than a millisecond of sound: it is dry by now, and has heard all.
    const isEnd = sinceDry === 0 && this.isOver()
    if (sinceDry >= 0 && !isEnd) this.countUnderrun(this.written - sinceDry)
    if (sinceDry > 0) this.pieces.ranDry()
    if (this.state[DEVICE.hasSlack] !== 1) return
    const slack = this.state[DEVICE.slack] ?? 0
    if (slack >= 0) this.target.observe(slack, this.timers.nowMs())
    else {
      this.overtaken -= slack
      this.target.underrun(0)
    }
  }

  /** What one long stall leaves behind, e.g. two underruns in a row, is no other one's doing. */
  private noteStall(now: number, ms: number): void {
    const isOpen = now - this.stalledAt < STALL_KEPT_MS || this.sureAt <= this.stalledAt
    if (ms < this.stalledMs && isOpen) return
    this.stalledMs = ms
    this.stalledAt = now
  }

  /** For how long the device consumed nothing of the sound that it had, up to this look at it. */
  private standstillMs(now: number): number {
    const hadSound = this.written > this.consumed
    const stillMs = hadSound ? now - Math.min(this.lookedAt, this.movedAt) : 0
    const consumed = this.written - this.fill()
    if (!hadSound || consumed !== this.consumed) this.movedAt = now
    this.consumed = consumed
    return stillMs
  }

  /** Counts a gap that only the clock tells of. */
  private compare(): void {
    const heard = this.written - (this.state[DEVICE.delay] ?? 0)
    // A device that tells its place in whole periods says nothing finer. Looks that keep step with
    // its period (2.67 ms) would agree about any place, each time about another.
    const moved = heard - this.heard
    this.heard = heard
    if (moved !== 0) {
      const whole = moved % (this.state[DEVICE.period] ?? 1) === 0
      this.fineness = Math.max(0, Math.min(FINE_MOST, this.fineness + (whole ? -2 : 1)))
    }
    if (this.fineness < FINE) {
      this.gaps.restart()
      this.sureAt = this.lookedAt
      return
    }
    const found = this.gaps.observe(heard, this.timers.nowMs())
    if (found === 'unsure') return
    this.sureAt = this.lookedAt
    const least = this.wantedFill() * STALL_SHARE
    // One that takes back tells that it ran dry; what lies behind it may have stood still.
    const mayBeDry = this.gaps.stepFrames > SETTLING_FRAMES
      || (!this.takesBack && this.stalledMs * FRAMES_PER_MS >= least)
    if (found === 'gap' && !this.seen && mayBeDry) {
      this.underruns += 1
      this.ranDry()
    }
    this.seen = false
  }

  /** False at the end of the input. */
  private receive(): boolean {
    const room = this.queue.room()
    const bytes = this.read(room)
    if (bytes === 0) return false
    this.queue.received(bytes)
    this.written -= this.queue.takeBeyondEnd()
    return true
  }

  /** Of frames that were handed over, those that the device has not read. */
  private takeBack(frames: number): number {
    const { addon, handle } = this
    if (!this.takesBack || addon.takeBack === undefined) return 0
    const taken = unlessLost(addon, addon.takeBack(handle, frames))
    this.written -= taken
    this.state[DEVICE.fill] = this.fill() - taken
    this.hasEnd = false
    if (taken > 0) this.isReplacing = true
    return taken
  }

  /** @param most frames that may be handed over. */
  private write(most: number): void {
    const frames = Math.max(0, Math.min(most, this.wantedFill() - this.fill()))
    if (frames === 0) return
    const { bytes, offset } = this.queue.head()
    const { addon, handle } = this
    const taken = unlessLost(
      addon, addon.tryWrite(handle, bytes, offset, frames, STEREO_FRAME_BYTES),
    )
    this.queue.drop(taken)
    this.written += taken
    this.hasEnd = false
    if (taken > 0) this.dry = this.isReplacing = false
    this.ask()
  }

  /** Tells a device that takes back that a sound is over: nothing takes the place of its end. */
  private end(): void {
    const isOver = this.isOver() && this.queue.isWhole()
    if (!this.takesBack || !isOver || this.hasEnd) return
    this.hasEnd = true
    this.isReplacing = false
    const { bytes } = this.queue.head()
    unlessLost(this.addon, this.addon.tryWrite(this.handle, bytes, 0, 0, STEREO_FRAME_BYTES))
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
    const held = this.takesBack ? Math.min(this.fill(), this.target.frames()) : this.fill()
    const loose = this.fill() - held
    const report: Report = {
      taken: this.written + waiting, fill: this.fill() + waiting, kept: waiting + loose,
      delay: Math.max(0, (this.state[DEVICE.delay] ?? 0) - loose),
      target: this.target.frames(), underruns: this.underruns,
      late: this.queue.late() + this.overtaken,
    }
    const now = this.timers.nowMs()
    if (!this.isNews(report) && now - this.reportedAt < HEARTBEAT_MS - 50) return
    this.reported = report
    this.reportedAt = now
    this.tell(report)
  }
}
