// How long a disk is waited for that may hang, e.g. a share whose server is away, and for how long
// what it answered holds.
import type { Timers } from '../../clock/timers.js'
import { settledWithin } from '../../clock/waiting.js'

/** A file that cannot be seen within this will not sound in time either; nor is a show read. */
export const DISK_PATIENCE_MS = 2_000
/** A file that was seen so lately need not be looked at again before it is decoded. */
export const FRESH_MS = 2_000
/** A machine that stood still finds that time over before it looks whether there is an answer. */
const BREATH_MS = 100

/** Whether what a disk was asked is answered by then. */
export const isAnswered = async (timers: Timers, answer: Promise<unknown>): Promise<boolean> =>
  await settledWithin(timers, answer, DISK_PATIENCE_MS)
    || await settledWithin(timers, answer, BREATH_MS)
