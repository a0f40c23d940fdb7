// From the page's moments to engine frames as they are seen on this stage, and back.
import { EngineClock, FRAMES_PER_MS, median, type TimeSample } from '../shared/clock.js'

const OFFSET_MOST_MS = 500
const REFRESHES = 31
const USUAL_REFRESH_MS = 1000 / 60

export class StageTime {
  readonly #clock = new EngineClock()
  readonly #refreshes: number[] = []
  #lastRefresh: number | null = null
  #refreshMs = USUAL_REFRESH_MS
  #leadMs = USUAL_REFRESH_MS
  #offsetMs = 0

  /** Whether more samples are wanted soon. */
  note(sample: TimeSample): boolean {
    return this.#clock.note(sample)
  }

  reset(): void {
    this.#clock.reset()
  }

  get latencyMs(): number {
    return this.#clock.latencyFrames / FRAMES_PER_MS
  }

  /** Pictures so much later than sound; below 0 earlier. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  set offsetMs(ms: number) {
    this.#offsetMs = Math.min(Math.max(Math.round(ms), -OFFSET_MOST_MS), OFFSET_MOST_MS)
  }

  /** The engine frame whose picture belongs on the screen at a moment; null: not known yet. */
  frameAt(ms: number): number | null {
    const heard = this.#clock.heardFrameAt(ms)
    return heard === null ? null : heard - this.#offsetMs * FRAMES_PER_MS
  }

  /** The moment at which a frame's picture belongs on the screen. */
  momentOf(frame: number): number | null {
    const heard = this.#clock.heardAt(frame)
    return heard === null ? null : heard + this.#offsetMs
  }

  get refreshMs(): number {
    return this.#refreshMs
  }

  /** How long after an animation frame what it drew is on the screen. */
  get leadMs(): number {
    return this.#leadMs
  }

  /** Called with each animation frame. */
  refreshed(at: number): void {
    const last = this.#lastRefresh
    this.#lastRefresh = at
    if (last === null || at - last > 4 * USUAL_REFRESH_MS || at <= last) return
    this.#refreshes.push(at - last)
    if (this.#refreshes.length < REFRESHES) return
    this.#refreshMs = median(this.#refreshes)
    this.#refreshes.length = 0
  }

  /** What a video's callback said of the moment at which its frame is shown. */
  expected(now: number, displayAt: number): void {
    const lead = displayAt - now
    if (lead > 0 && lead < 4 * this.#refreshMs) this.#leadMs += (lead - this.#leadMs) / 16
  }
}
