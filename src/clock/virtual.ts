// A clock that is moved by hand: `advance` walks to a frame and rings the alarm at its own frame.
import type { Clock } from './clock.js'
import { add, frame, FRAMES_PER_MS, later, ZERO, type Frame } from './frame.js'
import { Alarms } from './timers.js'

/** More alarms than this in one `advance` without progress mean a driver that arms in the past. */
const STUCK_ALARMS = 100_000

export class VirtualClock implements Clock {
  private present: Frame = ZERO
  private due: Frame | null = null

  /** @param wake is called at the armed frame, once for each arming; it may arm again. */
  constructor(private readonly wake: () => void) {}

  now(): Frame {
    return this.present
  }

  arm(at: Frame | null): void {
    this.due = at
  }

  /** Moves the present to `to`, stopping at each alarm on the way; an overdue one rings at once. */
  advance(to: Frame): void {
    if (to < this.present) throw new RangeError('a clock never goes back')
    let standing = 0
    while (this.due !== null && this.due <= to) {
      const at = later(this.due, this.present)
      standing = at === this.present ? standing + 1 : 0
      if (standing > STUCK_ALARMS) throw new Error(`the alarm stands at frame ${String(at)}`)
      this.present = at
      this.due = null
      this.wake()
    }
    this.present = to
  }

  /** The present moves to `to` while nobody runs: a stalled thread. What was due rings then. */
  leap(to: Frame): void {
    if (to < this.present) throw new RangeError('a clock never goes back')
    this.present = to
    this.advance(to)
  }
}

/** Timers on a virtual clock: the same alarms, rung while it is moved by hand. */
export class VirtualTimers extends Alarms {
  readonly #clock: VirtualClock

  /** @param originMs what the date says at the beginning. */
  constructor(originMs: number) {
    const clock = new VirtualClock(() => {
      this.ring()
    })
    super(clock, {
      wallMs: () => originMs + clock.now() / FRAMES_PER_MS, hold: () => undefined,
    })
    this.#clock = clock
  }

  now(): Frame {
    return this.#clock.now()
  }

  /** Lets so many milliseconds pass; every alarm on the way rings at its own frame. */
  pass(ms: number): void {
    this.#clock.advance(add(this.now(), frame(Math.round(ms * FRAMES_PER_MS))))
  }

  /** The thread stands still for so long; then it meets what became due. */
  stall(ms: number): void {
    this.#clock.leap(add(this.now(), frame(Math.round(ms * FRAMES_PER_MS))))
  }

  /** @param to a frame that is not past. */
  advance(to: Frame): void {
    this.#clock.advance(to)
  }
}
