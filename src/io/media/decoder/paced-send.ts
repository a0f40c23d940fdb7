// Hands decoded heads over piece by piece: the sound thread never finds many of them at once.
import type { Timers } from '../../../clock/timers.js'

/** Between two messages: a turn of the sound thread finds one. */
const PAUSE_MS = 2
/** While somebody waits for sound, heads wait; looked at again after this. */
const BUSY_MS = 10

export class PacedSend<T> {
  readonly #queue: T[] = []
  #isSending = false

  constructor(
    private readonly timers: Timers,
    /** `taken` once the message has left this process. */
    private readonly send: (message: T, taken: () => void) => void,
    private readonly isBusy: () => boolean,
  ) {}

  /** How many wait. */
  get length(): number {
    return this.#queue.length
  }

  push(message: T): void {
    this.#queue.push(message)
    if (!this.#isSending) this.#sendNext()
  }

  #sendNext(): void {
    const [message] = this.#queue
    this.#isSending = message !== undefined
    if (message === undefined) return
    if (this.isBusy()) {
      this.timers.after(BUSY_MS, () => {
        this.#sendNext()
      })
      return
    }
    this.#queue.shift()
    this.send(message, () => {
      this.timers.after(PAUSE_MS, () => {
        this.#sendNext()
      })
    })
  }
}
