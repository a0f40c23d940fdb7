// One timer for all texts that count: ten times a second, and none while the page is hidden.

export type Tick = (now: number) => void

const TICKS_PER_SECOND = 10

export class Ticker {
  readonly #ticks = new Set<Tick>()
  #timer: number | null = null

  constructor() {
    document.addEventListener('visibilitychange', () => this.#set())
  }

  /** Called at once and then at each tick; the answer ends it. */
  add(tick: Tick): () => void {
    this.#ticks.add(tick)
    tick(performance.now())
    this.#set()
    return () => {
      this.#ticks.delete(tick)
      this.#set()
    }
  }

  #set(): void {
    const isWanted = this.#ticks.size > 0 && !document.hidden
    if (isWanted === (this.#timer !== null)) return
    if (this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
      return
    }
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), 1_000 / TICKS_PER_SECOND)
  }

  #tick(): void {
    const now = performance.now()
    for (const tick of this.#ticks) tick(now)
  }
}
