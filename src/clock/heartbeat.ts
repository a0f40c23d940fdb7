// Whether a thread lives: it is asked each second, and one that gives no answer for long hangs.
import type { Cancel, Timers } from './timers.js'

const BEAT_MS = 1_000
/** A thread that is busy answers late; one that leaves so many questions open never does. */
const BEATS_OPEN = 10

/**
 * Counted in questions and not in time, since a daemon that stood still itself asked none. Before
 * the first answer nothing is counted: the thread still loads.
 */
export class Heartbeat {
  readonly #cancel: Cancel
  #open: number | null = null

  /** @param hangs is called once; then nothing is asked any more. */
  constructor(timers: Timers, ask: () => void, hangs: () => void) {
    this.#cancel = timers.background.every(BEAT_MS, () => {
      if (this.#open === BEATS_OPEN) {
        this.stop()
        hangs()
        return
      }
      if (this.#open !== null) this.#open += 1
      ask()
    })
  }

  answered(): void {
    this.#open = 0
  }

  stop(): void {
    this.#cancel()
  }
}
