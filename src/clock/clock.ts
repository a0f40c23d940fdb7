// The clock the engine's driver looks at: a reading and one alarm; it keeps no queue.
import type { Frame } from './frame.js'

export interface Clock {
  /** The present frame; it never goes back. */
  now(): Frame
  /** Wake the driver at this frame or later, never before; null disarms. Arming again replaces. */
  arm(at: Frame | null): void
}
