// Whether a video has stalled: its file lacks what is to be seen, and nothing more of it comes.

/** Browsers tell of what comes each third of a second, and wait for ever where nothing does. */
const FIRST_MS = 3_000
const MOST_MS = 30_000

export class StallWatch {
  #cameAt = 0
  #lacksSince: number | null = null
  #patienceMs: number = FIRST_MS

  /** It is asked for; where it is the same again, without a word since, it is waited for longer. */
  begun(isAgain: boolean, now: number): void {
    this.#cameAt = now
    this.#lacksSince = null
    this.#patienceMs = isAgain ? Math.min(MOST_MS, this.#patienceMs * 2) : FIRST_MS
  }

  came(now: number): void {
    this.#cameAt = now
    this.#patienceMs = FIRST_MS
  }

  /** At each frame: what lacks data since a seek is not judged by when something came before. */
  look({ readyState, networkState }: HTMLVideoElement, now: number): void {
    const isLacking = readyState <= HTMLMediaElement.HAVE_CURRENT_DATA
      && networkState === HTMLMediaElement.NETWORK_LOADING
    this.#lacksSince = isLacking ? this.#lacksSince ?? now : null
  }

  /**
   * The connection of a network that was left, e.g. by a tablet that roamed, brings neither a word
   * nor an error, while the daemon is there by another one.
   */
  hasStalled(now: number): boolean {
    if (this.#lacksSince === null) return false
    return now - Math.max(this.#lacksSince, this.#cameAt) >= this.#patienceMs
  }
}
