// When a file that failed is asked for again: soon at first, then less and less often.

const FIRST_MS = 2_000
const MOST_MS = 30_000

export class Retry {
  #failures = 0
  #dueAt = Number.POSITIVE_INFINITY

  failed(now: number): void {
    this.#dueAt = now + Math.min(MOST_MS, FIRST_MS * 2 ** this.#failures)
    this.#failures += 1
  }

  isDue(now: number): boolean {
    return now >= this.#dueAt
  }

  /** What stood in the way may be over, since the daemon is back. */
  soon(now: number): void {
    this.#failures = 0
    if (this.#dueAt !== Number.POSITIVE_INFINITY) this.#dueAt = now
  }

  /** It is asked for. What became of another showing says nothing of this one. */
  begun(isAgain: boolean): void {
    if (!isAgain) this.#failures = 0
    this.#dueAt = Number.POSITIVE_INFINITY
  }
}
