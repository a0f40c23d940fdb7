// What starting, seeking and changes of rate took in this browser the last times, and how its
// pictures moved: the next ones allow for it.
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
  /** By the length of a frame: a browser draws all videos of 30 in the second alike. */
  readonly #strides = new Map<number, number>()

  get startMs(): number {
    return this.#starts.length === 0 ? FIRST_START_MS : median(this.#starts)
  }

  get seekMs(): number {
    return this.#seeks.length === 0 ? FIRST_SEEK_MS : median(this.#seeks)
  }

  /** What a follower of a video with such frames begins with. */
  learnt(frameMs: number): Pick<Follower, 'seekTook' | 'rateCosts' | 'stride'> {
    const stride = this.#strides.get(Math.round(frameMs)) ?? 0
    return { seekTook: this.seekMs, rateCosts: this.#rateCosts, stride }
  }

  startTook(ms: number): void {
    this.#starts = [...this.#starts, Math.min(Math.max(ms, 0), START_MOST_MS)].slice(-KEPT)
  }

  seekTook(ms: number): void {
    this.#seeks = [...this.#seeks, Math.min(Math.max(ms, 0), SEEK_MOST_MS)].slice(-KEPT)
  }

  /** What a frame of such a length told a follower. */
  followed(frameMs: number, before: Follower, next: Follower): void {
    if (before.seekingSince !== null && next.seekingSince === null) this.seekTook(next.seekTook)
    this.#rateCosts = next.rateCosts
    // There and back: frames that were dropped on a busy machine look like one hop.
    const hoppedAgain = before.stride > 0 && next.stride !== before.stride
    if (hoppedAgain) this.#strides.set(Math.round(frameMs), next.stride)
  }
}
