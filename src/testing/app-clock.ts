// The time of the app under test: waits that end when the player's clock comes to them.
import type { Frame } from '../clock/frame.js'

interface Waiting {
  readonly at: Frame
  readonly end: () => void
}

export class AppClock {
  readonly #waiting = new Set<Waiting>()
  /** Grows with every wait that begins: a sign that the app is still at work. */
  activity = 0
  /** Resolves at `at`, or as soon as the signal aborts. */
  wait(at: Frame, signal: AbortSignal | null): Promise<void> {
    this.activity += 1
    if (signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const waiting: Waiting = {
        at,
        end: () => {
          this.#waiting.delete(waiting)
          signal?.removeEventListener('abort', waiting.end)
          resolve()
        },
      }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', waiting.end, { once: true })
    })
  }

  /** The first frame at which somebody stops waiting; null where nobody waits. */
  next(): Frame | null {
    let first: Frame | null = null
    for (const { at } of this.#waiting) if (first === null || at < first) first = at
    return first
  }

  /** Ends every wait that is over at `now`; answers whether there was one. */
  ring(now: Frame): boolean {
    const due = [...this.#waiting].filter(({ at }) => at <= now)
    for (const waiting of due) waiting.end()
    return due.length > 0
  }
}
