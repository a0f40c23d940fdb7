// Whether a thread or a process lives: it is asked again and again, and one that leaves too many
// questions open hangs.
import type { Cancel, Timers } from './timers.js'

export interface HeartbeatOptions {
  readonly timers: Timers
  readonly everyMs: number
  /** One that is busy answers late; one that leaves so many questions open never does. */
  readonly openMost: number
  /** The same before its first answer, while it loads; Infinity: nothing is counted until then. */
  readonly openAtStart: number
  /** It could answer, if it had a processor: then it is given as long as at its start. */
  readonly wantsProcessor?: () => boolean
  readonly ask: () => void
  /** Called once; then nothing is asked any more. */
  readonly hangs: () => void
}

/** Of a thread: one answers within its turn, and is not waited for while it loads. */
export const THREAD_BEAT = { everyMs: 1_000, openMost: 10, openAtStart: Infinity } as const

/** Counted in questions and not in time, since a daemon that stood still itself asked none. */
export class Heartbeat {
  readonly #cancel: Cancel
  #open = 0
  #isUp = false

  constructor(private readonly options: HeartbeatOptions) {
    this.#cancel = options.timers.background.every(options.everyMs, () => {
      if (this.#hangs()) {
        this.stop()
        options.hangs()
        return
      }
      this.#open += 1
      options.ask()
    })
  }

  #hangs(): boolean {
    const { openMost, openAtStart, wantsProcessor } = this.options
    if (this.#open >= openAtStart) return true
    return this.#isUp && this.#open >= openMost && wantsProcessor?.() !== true
  }

  answered(): void {
    this.#open = 0
    this.#isUp = true
  }

  stop(): void {
    this.#cancel()
  }
}
