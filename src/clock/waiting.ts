// Waiting on Timers: for a while, for work with a deadline, and longer after each failure.
import type { Cancel, Timers } from './timers.js'

export const waited = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve)
  })

/** Whether the work settled within `ms`; its failure counts as settled. */
export const settledWithin = (
  timers: Timers, work: Promise<unknown>, ms: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = timers.after(ms, () => resolve(false))
    const done = (): void => {
      cancel()
      resolve(true)
    }
    work.then(done, done)
  })

/** How long to wait before the next attempt: twice as long each time, between two bounds. */
export class BackOff {
  #nextMs: number

  constructor(private readonly minMs: number, private readonly maxMs: number) {
    this.#nextMs = minMs
  }

  /** For the attempt that follows; the one after that waits twice as long. */
  nextMs(): number {
    const ms = this.#nextMs
    this.#nextMs = Math.min(this.maxMs, ms * 2)
    return ms
  }

  /** What is tried worked for a while: the next failure begins with the shortest pause. */
  restart(): void {
    this.#nextMs = this.minMs
  }
}

/** An excuse is believed until so many times the patience is over. */
const EXCUSED_TIMES = 12

/** Who looks so much later than it meant to stood still itself, e.g. with the whole machine. */
const STOOD_STILL_MS = 1_000
/** As long before it barks it looks once more: what came while it stood still is read between. */
const READ_MS = 50

/** Barks once when nothing was fed to it for so long. Feeding costs next to nothing. */
export class Watchdog {
  #cancel: Cancel
  #fedMs: number

  /** @param isExcused asked when it would bark: nothing can come yet, by no fault of who feeds. */
  constructor(
    private readonly timers: Timers, private readonly patienceMs: number, bark: () => void,
    isExcused: () => boolean = () => false,
  ) {
    this.#fedMs = timers.nowMs()
    const calmMs = patienceMs - READ_MS
    const lookAfter = (ms: number, isLast = false): Cancel => {
      const due = timers.nowMs() + ms
      return timers.after(ms, () => {
        // What came meanwhile was not read yet, and who feeds may have stood still as well.
        if (timers.nowMs() - due > STOOD_STILL_MS) this.feed()
        look(isLast)
      })
    }
    const look = (isLast: boolean): void => {
      const hungryMs = timers.nowMs() - this.#fedMs
      if (hungryMs < calmMs) this.#cancel = lookAfter(calmMs - hungryMs)
      else if (!isLast) this.#cancel = lookAfter(READ_MS, true)
      else if (hungryMs < EXCUSED_TIMES * patienceMs && isExcused()) {
        this.#cancel = lookAfter(calmMs)
      } else bark()
    }
    this.#cancel = lookAfter(calmMs)
  }

  feed(): void {
    this.#fedMs = this.timers.nowMs()
  }

  stop(): void {
    this.#cancel()
  }
}
