// What was learnt of this browser's video elements: what starting, seeking and changes of rate took
// the last times, and by how much a picture hops. The next ones allow for it.
import { median } from '../../shared/clock.js'
import { stepOf, type Follower, type Motion } from './follower.js'

const KEPT = 5
/** Before anything was learnt. */
const FIRST_START_MS = 30
const FIRST_SEEK_MS = 80
const START_MOST_MS = 250
const SEEK_MOST_MS = 1_000
/** Of so many lengths of frames the strides are known. */
const STRIDES_KEPT = 20
/** Seen with 30 frames at 60 Hz; half a hop of longer frames is too far off to be let alone. */
const HOP_MOST_MS = 34

export class ElementTraits {
  #starts: readonly number[] = []
  #seeks: readonly number[] = []
  #rateCosts: readonly number[] = []
  readonly #strides = new Map<number, number>()

  /**
   * @param hopsByFrames it draws a video whose frames last two refreshes at every other one, always
   *   the same ones, so that its picture moves by whole frames.
   */
  constructor(private readonly hopsByFrames: boolean) {}

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

  /** How a video of such frames moves: as one was seen to, else as one is taken to. */
  motionOf(frameMs: number, refreshMs: number): Motion {
    const learnt = this.#strides.get(Math.round(frameMs))
    const stride = learnt ?? this.#usualStride(frameMs, refreshMs)
    return { step: stepOf(frameMs, refreshMs), stride }
  }

  startTook(ms: number): void {
    this.#starts = [...this.#starts, Math.min(Math.max(ms, 0), START_MOST_MS)].slice(-KEPT)
  }

  seekTook(ms: number): void {
    this.#seeks = [...this.#seeks, Math.min(Math.max(ms, 0), SEEK_MOST_MS)].slice(-KEPT)
  }

  /** What a frame told a follower. */
  followed(before: Follower, next: Follower, frameMs: number): void {
    if (before.seekingSince !== null && next.seekingSince === null) this.seekTook(next.seekTook)
    this.#rateCosts = next.rateCosts
    const { stride } = next
    // A page that stood still for a moment shows more than a frame's hop.
    const isHop = stride !== null && stride !== before.stride && stride < frameMs * 1.25
    if (isHop) this.#hopped(frameMs, stride)
  }

  #hopped(frameMs: number, stride: number): void {
    this.#strides.set(Math.round(frameMs), stride)
    const [oldest] = this.#strides.keys()
    if (oldest !== undefined && this.#strides.size > STRIDES_KEPT) this.#strides.delete(oldest)
  }

  #usualStride(frameMs: number, refreshMs: number): number {
    const isTwoSteps = Math.round(frameMs / refreshMs) === 2
    return this.hopsByFrames && isTwoSteps && frameMs <= HOP_MOST_MS ? frameMs : 0
  }
}
