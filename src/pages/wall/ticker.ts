// One timer for all texts that count: ten times a second, and none while the page is hidden.
import { every, nowMs, type Cancel } from '../../client/time.js'

export type Tick = (now: number) => void

export const TICK_MS = 100

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
