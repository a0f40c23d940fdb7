// What a video element is to do, and what it tells of that.

/** Where the picture belongs at a moment of the page, in ms of the source; null: nowhere now. */
export type HeardMs = (at: number) => number | null

export interface Running {
  readonly kind: 'run'
  readonly heardMs: HeardMs
  /** In the source: the picture of that place is not seen, it may be another scene's. */
  readonly endMs: number
}

/** What an element is to do. */
export type Part =
  | { readonly kind: 'rest' }
  /** Stand ready, its frame decoded. */
  | { readonly kind: 'park'; readonly positionMs: number }
  | Running
  /** A still: exactly this place. */
  | { readonly kind: 'hold'; readonly positionMs: number }
  /** What is on it stays as it is. */
  | { readonly kind: 'freeze' }

/** What the figures are made of. */
export interface DeckListener {
  frame(error: number): void
  seek(): void
}
