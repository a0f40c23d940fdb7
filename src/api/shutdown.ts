// Shutdown: commands are refused from then on, and the server is closed in bounded time: idle
// connections at once, the others at a deadline.
import type { FastifyInstance } from 'fastify'
import type { Timers } from '../clock/timers.js'
import { settledWithin } from '../clock/waiting.js'
import { refuse, type Refusal } from '../contract/errors.js'
import type { ApiOptions } from './server-options.js'

const SWEEP_EVERY_MS = 25
/** For the closing of what is cut at the deadline. */
const CUT_MS = 100

/** Reads go on until the end. */
export const shutdownRefusal = (
  { method }: { readonly method: string }, { shuttingDown }: Pick<ApiOptions, 'shuttingDown'>,
): Refusal | null =>
  method === 'POST' && shuttingDown()
    ? refuse('shutting_down', 'the service is about to end')
    : null

/**
 * Resolves when the listener and every connection are closed, at most a little after `deadlineMs`.
 * Requests in flight may end until then. `shuttingDown` has to answer true before this is called.
 */
export const closeServer = async (
  app: FastifyInstance, timers: Timers, deadlineMs: number,
): Promise<void> => {
  const { server } = app
  // A connection that is kept alive becomes idle when its last answer is out: look again and again.
  const endSweep = timers.every(SWEEP_EVERY_MS, () => server.closeIdleConnections())
  const endDeadline = timers.after(deadlineMs, () => server.closeAllConnections())
  try {
    const closing = app.close()
    // A connection that left HTTP is none of the server's any more, and would be waited for.
    if (await settledWithin(timers, closing, deadlineMs + CUT_MS)) await closing
  } finally {
    endSweep()
    endDeadline()
  }
}
