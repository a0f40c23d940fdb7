// The times in which a thread of the sound path is held up: the one that renders, or the process.

export interface Stall {
  readonly who: 'engine' | 'process'
  readonly from: number
  readonly to: number
  /** Frames that the device and its stock bridge. */
  readonly bridge: number
}

export class Stalls {
  /** When the last one is over. */
  until = 0
  readonly #all: Stall[] = []

  add(stall: Stall): void {
    this.#all.push(stall)
    this.until = Math.max(this.until, stall.to)
  }

  /** Those that go on at `at`, or ended in the `within` frames before. */
  recent(at: number, within: number): readonly Stall[] {
    return this.#all.filter(({ to }) => to > at - within)
  }

  /** Whether one began after `from` and up to `to`. */
  beganBetween(from: number, to: number): boolean {
    return this.#all.some((stall) => stall.from > from && stall.from <= to)
  }
}

/** Frames by which they hold up together, up to `now`. */
export const latenessOf = (stalls: readonly Stall[], now: number): number =>
  stalls.reduce((sum, { from, to }) => sum + Math.min(to, now) - from, 0)
