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

const positionAt = (head: Playhead, now: Frame): Frame => {
  if (!head.moving || now <= head.at) return head.position
  const reached = add(head.position, now - head.at)
  return head.until === null ? reached : earlier(reached, head.until)
}

/** Absolute in the source, whole milliseconds, rounded down (2.2). */
export const positionMs = (head: Playhead, now: Frame): number =>
  framesToWholeMs(positionAt(head, now))
