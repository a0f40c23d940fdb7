// Where a run is in its source: an anchor and a closed form, readable on any thread at any frame.
import { add, earlier, framesToWholeMs, type Frame } from '../../clock/frame.js'

export interface Playhead {
  /**
   * The engine frame at which the playhead stood at `position` (frames from the source's start).
   */
  readonly at: Frame
  readonly position: Frame
  readonly moving: boolean
  /** The position of the next thing that happens to the run; a reader never goes past it. */
  readonly until: Frame | null
}

export type Then =
  /** It goes on, but by another anchor: a seam begins, or the run pauses there. */
  | { readonly kind: 'on' }
  | { readonly kind: 'end' }
  | { readonly kind: 'wrap'; readonly to: Frame }

/** The next thing that the show has in store for a position that moves (live-anchor.ts). */
export interface Heading {
  /** A position in the source. */
  readonly until: Frame
  readonly then: Then
}

const positionAt = (head: Playhead, now: Frame): Frame => {
  if (!head.moving || now <= head.at) return head.position
  const reached = add(head.position, now - head.at)
  return head.until === null ? reached : earlier(reached, head.until)
}

/** Absolute in the source, whole milliseconds, rounded down (2.2). */
export const positionMs = (head: Playhead, now: Frame): number =>
  framesToWholeMs(positionAt(head, now))
