// The clock of production: frames since it was made, by the monotonic time of the system.
import type { Clock } from './clock.js'
import { frame, FRAMES_PER_MS, type Frame } from './frame.js'
import { Alarms, type Timers } from './timers.js'

/** Longest single sleep: a timer holds 2^31 ms at most. Waking early then only sleeps again. */
const SLEEP_MS_MAX = 60_000

export class RealClock implements Clock {
  private readonly origin = performance.now()
  private timer: NodeJS.Timeout | null = null
  private due: Frame | null = null
  private holds = true

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

  /** Whether an armed alarm keeps the process from ending; it does until told otherwise. */
  hold(holds: boolean): void {
    this.holds = holds
    if (holds) this.timer?.ref()
    else this.timer?.unref()
  }

  private sleep(at: Frame): void {
    const left = (at - this.now()) / FRAMES_PER_MS
    // Rounded up, because timers cut the fraction off and an early alarm is forbidden.
    const ms = Math.min(SLEEP_MS_MAX, Math.max(0, Math.ceil(left)))
    this.timer = setTimeout(() => { this.ring() }, ms)
    if (!this.holds) this.timer.unref()
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

/** The time of this thread: made once, where the thread or the process is put together. */
export const realTimers = (): Timers => {
  const clock = new RealClock(() => alarms.ring())
  const alarms: Alarms = new Alarms(clock, {
    wallMs: () => Date.now(),
    hold: (holds) => clock.hold(holds),
  })
  // Nothing is set yet that a process would wait for.
  clock.hold(false)
  return alarms
}
