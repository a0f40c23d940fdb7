// The clock that time is kept by: a reading and one alarm; it keeps no queue.
//
// Everything in the program that waits or asks for the time does so through a Clock, so that it
// runs on a virtual one in tests and in the simulation, where a week takes a second. RealClock
// reads the monotonic time of the system, VirtualClock is moved by hand. Adapters want many
// alarms and milliseconds: Timers (timers.ts) keeps those over one Clock.
import type { Frame } from './frame.js'

export interface Clock {
  /** The present frame; it never goes back. */
  now(): Frame
  /** Wake the driver at this frame or later, never before; null disarms. Arming again replaces. */
  arm(at: Frame | null): void
}
