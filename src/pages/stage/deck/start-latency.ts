// What an element takes from its play() until its picture moves as it will.
import { median } from '../../shared/clock.js'

/** With a sound, at 30 in the second, the first frame that moves comes a refresh too soon. */
const FRAMES = 3

export class StartLatency {
  /** It was told to play, at that moment and place; null once its frames have answered. */
  #started: { readonly at: number; readonly fromMs: number } | null = null
  #seen: readonly number[] = []

  begun(at: number, fromMs: number): void {
    this.#started = { at, fromMs }
    this.#seen = []
  }

  /** It was paused or sought meanwhile: what follows tells nothing of its start. */
  ended(): void {
    this.#started = null
  }

  /** In ms, with the third frame that moved; null with any other one. */
  tookBy(shownAt: number, mediaMs: number): number | null {
    const started = this.#started
    if (started === null || mediaMs <= started.fromMs + 1) return null
    this.#seen = [...this.#seen, shownAt - (mediaMs - started.fromMs) - started.at]
    if (this.#seen.length < FRAMES) return null
    this.#started = null
    return median(this.#seen)
  }
}
