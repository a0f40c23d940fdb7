// The turns of Node's event loop, also where a test has put timers of its own in place of Node's.
import { setImmediate } from 'node:timers'

/** Taken when it is loaded: a test may put its own into `node:timers` too. */
export const turnOfTheLoop = setImmediate
