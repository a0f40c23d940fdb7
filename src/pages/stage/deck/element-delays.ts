// What starting, seeking and changes of rate took in this browser the last times: the next ones
// allow for it.
import { median } from '../../shared/clock.js'
import type { Follower } from './follower.js'

const KEPT = 5
/** Before anything was learnt. */
const FIRST_START_MS = 30
const FIRST_SEEK_MS = 80
const START_MOST_MS = 250
const SEEK_MOST_MS = 1_000

export class ElementDelays {
  #starts: readonly number[] = []
  #seeks: readonly number[] = []
  #rateCosts: readonly number[] = []

  get startMs(): number {
    return this.#starts.length === 0 ? FIRST_START_MS : median(this.#starts)
  }

  get seekMs(): number {
    return this.#seeks.length === 0 ? FIRST_SEEK_MS : median(this.#seeks)
  }

  /** What a follower begins with. */
  get learnt(): Pick<Follower, 'seekTook' | 'rateCosts'> {
    return { seekTook: this.seekMs, rateCosts: this.#rateCosts }
  }

  startTook(ms: number): void {
    this.#starts = [...this.#starts, Math.min(Math.max(ms, 0), START_MOST_MS)].slice(-KEPT)
  }

  seekTook(ms: number): void {
    this.#seeks = [...this.#seeks, Math.min(Math.max(ms, 0), SEEK_MOST_MS)].slice(-KEPT)
  }

  /** What a frame told a follower. */
  followed(before: Follower, next: Follower): void {
    if (before.seekingSince !== null && next.seekingSince === null) this.seekTook(next.seekTook)
    this.#rateCosts = next.rateCosts
  }
}
