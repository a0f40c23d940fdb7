// The clock of production: frames since it was made, by the monotonic time of the system.
import type { Clock } from './clock.js'
import { frame, FRAMES_PER_MS, type Frame } from './frame.js'

/** Longest single sleep: a timer holds 2^31 ms at most. Waking early then only sleeps again. */
const SLEEP_MS_MAX = 60_000

export class RealClock implements Clock {
  private readonly origin = performance.now()
  private timer: NodeJS.Timeout | null = null
  private due: Frame | null = null

  /** @param wake is called at the armed frame or later, once for each arming. */
  constructor(private readonly wake: () => void) {}

  now(): Frame {
    return frame(Math.floor((performance.now() - this.origin) * FRAMES_PER_MS))
  }

  arm(at: Frame | null): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    this.due = at
    if (at !== null) this.sleep(at)
  }

  private sleep(at: Frame): void {
    const left = (at - this.now()) / FRAMES_PER_MS
    // Rounded up, because timers cut the fraction off and an early alarm is forbidden.
    const ms = Math.min(SLEEP_MS_MAX, Math.max(0, Math.ceil(left)))
    this.timer = setTimeout(() => { this.ring() }, ms)
  }

  private ring(): void {
    this.timer = null
    if (this.due === null) return
    if (this.now() < this.due) {
      this.sleep(this.due)
      return
    }
    this.due = null
    this.wake()
  }
}
