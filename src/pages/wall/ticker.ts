// One timer for all texts that count: twenty times a second, and none while the page is hidden.
import { every, nowMs, type Cancel } from '../../client/time.js'

export type Tick = (now: number) => void

/**
 * A text with tenths changes ten times a second, but stands still between two looks, and what it
 * is rounded at may be just past one: with 100 ms it was wrong by 100 at the worst, now by 75.
 */
export const TICK_MS = 50

export class Ticker {
  readonly #ticks = new Set<Tick>()
  #cancel: Cancel | null = null

  constructor() {
    document.addEventListener('visibilitychange', () => this.#set())
  }

  /** Called at once and then at each tick; the answer ends it. */
  add(tick: Tick): () => void {
    this.#ticks.add(tick)
    tick(nowMs())
    this.#set()
    return () => {
      this.#ticks.delete(tick)
      this.#set()
    }
  }

  #set(): void {
    const isWanted = this.#ticks.size > 0 && !document.hidden
    if (isWanted === (this.#cancel !== null)) return
    if (this.#cancel !== null) {
      this.#cancel()
      this.#cancel = null
      return
    }
    this.#tick()
    this.#cancel = every(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    const now = nowMs()
    for (const tick of this.#ticks) tick(now)
  }
}
