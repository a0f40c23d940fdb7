// The duration of a video's frames: as the show tells, else as they come.

/** Where nothing is known of it. */
const USUAL_FRAME_MS = 40
/** A few frames do: timestamps of WebM are whole milliseconds, e.g. 33, 34, 33. */
const SPANS_KEPT = 12
const SPANS_LEAST = 2
/** A frame's end is met no nearer: what is told is a mean. */
const WITHIN = 0.85
/** In ms: of 24 in the second, the slowest film. */
const STEADY_MOST = 42
/** Places are whole milliseconds. */
const ROUNDING_MS = 0.5

export class FrameDuration {
  /** What the show tells; null while the daemon has not looked into the file yet. */
  told: number | null = null
  #last: number | null = null
  #spans: readonly number[] = []

  /** In ms. */
  get ms(): number {
    return this.told ?? this.#seen() ?? USUAL_FRAME_MS
  }

  /**
   * By which a still is judged, and sought. No mean of long and short ones: of a screen recording
   * that was the next slide, 0.1 s before it came.
   */
  get ofStillMs(): number {
    return Math.min(this.ms, STEADY_MOST)
  }

  /** So far ahead of a place, in the frame that is seen there; the place, if none is told. */
  withinFrame(placeMs: number, aheadMs: number): number {
    const { told } = this
    if (told === null) return placeMs
    const frame = Math.floor((placeMs + ROUNDING_MS) / told)
    return Math.max(placeMs, Math.min(placeMs + aheadMs, (frame + WITHIN) * told))
  }

  /** Another file. */
  begun(): void {
    this.sought()
    this.#spans = []
  }

  /** Another place in the same file. */
  sought(): void {
    this.#last = null
  }

  /** A frame is on the screen. */
  shown(mediaMs: number): void {
    const span = this.#last === null ? 0 : mediaMs - this.#last
    this.#last = mediaMs
    if (span > 0) this.#spans = [...this.#spans, span].slice(-SPANS_KEPT)
  }

  /** Between two that are seen there may be some that were left out. */
  #seen(): number | null {
    if (this.#spans.length < SPANS_LEAST) return null
    const shortest = Math.min(...this.#spans)
    let [frames, ms] = [0, 0]
    for (const span of this.#spans) {
      frames += Math.round(span / shortest)
      ms += span
    }
    return ms / frames
  }
}
