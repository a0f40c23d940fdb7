// A clock that is moved by hand: `advance` walks to a frame and rings the alarm at its own frame.
import type { Clock } from './clock.js'
import { later, ZERO, type Frame } from './frame.js'

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

  /** The frame the alarm is set to, or null. */
  armed(): Frame | null {
    return this.due
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
}
