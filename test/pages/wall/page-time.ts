// The time of a page under test: it moves when the test says so, and runs what falls due.

interface Alarm {
  readonly at: number
  readonly call: () => void
}

/** Promises settle between two alarms, as they do in a browser. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve()
}

export class PageTime {
  #now = 0
  readonly #alarms = new Set<Alarm>()

  readonly now = (): number => this.#now

  readonly after = (ms: number, call: () => void): (() => void) => {
    const alarm = { at: this.#now + ms, call }
    this.#alarms.add(alarm)
    return () => this.#alarms.delete(alarm)
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms
    await settle()
    for (;;) {
      const due = [...this.#alarms].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#alarms.delete(due)
      this.#now = Math.max(this.#now, due.at)
      due.call()
      await settle()
    }
    this.#now = until
  }
}
