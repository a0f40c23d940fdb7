// What an element takes from its play() to its first frame that moves.

export class StartLatency {
  /** It was told to play, at that moment and place; null once a frame has answered. */
  #started: { readonly at: number; readonly fromMs: number } | null = null

  begun(at: number, fromMs: number): void {
    this.#started = { at, fromMs }
  }

  /** It was paused or sought meanwhile: what follows tells nothing of its start. */
  ended(): void {
    this.#started = null
  }

  /** In ms, with the first frame that moved; null with any other one. */
  tookBy(shownAt: number, mediaMs: number): number | null {
    const started = this.#started
    if (started === null || mediaMs <= started.fromMs + 1) return null
    this.#started = null
    return shownAt - (mediaMs - started.fromMs) - started.at
  }
}
