// The times in which a thread of the sound path is held up: the one that renders, or the process.

export interface Stall {
  readonly who: 'engine' | 'process'
  readonly from: number
  readonly to: number
  /** Frames that the device and its stock bridge. */
  readonly bridge: number
}

/** So long they are kept: a second. */
const KEPT = 48_000

export class Stalls {
  /** When the last one is over. */
  until = 0
  readonly #all: Stall[] = []
  readonly #starts: number[] = []

  add(stall: Stall): void {
    while (this.#all[0] !== undefined && this.#all[0].to < stall.from - KEPT) this.#all.shift()
    this.#all.push(stall)
    this.#starts.push(stall.from)
    this.until = Math.max(this.until, stall.to)
  }

  /** Those that go on at `at`, or ended in the `within` frames before. */
  recent(at: number, within: number): readonly Stall[] {
    return this.#all.filter(({ to }) => to > at - within)
  }

  /** Whether one began after `from` and up to `to`. */
  beganBetween(from: number, to: number): boolean {
    return this.#starts.some((start) => start > from && start <= to)
  }
}

/** Frames by which they hold up together, up to `now`. */
export const latenessOf = (stalls: readonly Stall[], now: number): number =>
  stalls.reduce((sum, { from, to }) => sum + Math.min(to, now) - from, 0)
