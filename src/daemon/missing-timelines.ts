// Timelines that were not there or were refused are looked for again: their disk may come later.
// One look is at the good ones too: rsync brings a folder's show first, and what it names after it.
import type { Cancel, Timers } from '../clock/timers.js'

const LOOK_MS = 10_000

export class MissingTimelines {
  #next: Cancel | null = null
  #isClosed = false

  /** @param mended called at most once for each `begin`. */
  constructor(
    private readonly timers: Timers,
    private readonly isAnyMended: (goodOnesToo: boolean) => Promise<boolean>,
    private readonly mended: () => void,
  ) {}

  /** The timelines of the show were read, for the first time or anew. */
  begin(): void {
    this.#lookAgain(true)
  }

  #lookAgain(isFirst: boolean): void {
    this.#next?.()
    if (this.#isClosed) return
    const cancel = this.timers.background.after(LOOK_MS, () => {
      void this.isAnyMended(isFirst).catch(() => false).then((isMended) => {
        // They were read meanwhile.
        if (this.#next !== cancel || this.#isClosed) return
        if (isMended) this.mended()
        else this.#lookAgain(false)
      })
    })
    this.#next = cancel
  }

  close(): void {
    this.#isClosed = true
    this.#next?.()
  }
}
