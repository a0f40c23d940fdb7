// How the client's loops wait, and what they make of a call that failed.
import { CartwallError } from './error.js'
import { after, dateMs } from './time.js'

/** Resolves after `ms`, or as soon as the signal aborts; it never rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const realWait: Wait = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = after(ms, done)
    signal.addEventListener('abort', done)
  })

/**
 * `busy`: nothing was done, the same may be sent again after a short while. `unknown`: nobody knows
 * whether it was done; the state must be asked for first. `refused`: the answer is no.
 */
export type Failure = 'busy' | 'unknown' | 'refused'

const BUSY: readonly string[] = [
  'app_busy', 'command_in_progress', 'dmx_initializing', 'playback_unavailable', 'idempotency_full',
]

export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof CartwallError)) return 'unknown'
  if (BUSY.includes(error.code)) return 'busy'
  // A proxy's words, a service that ends, a command that got stuck: what was done is not known.
  return error.status >= 500 || error.code === 'unexpected_answer' ? 'unknown' : 'refused'
}

/** What a program that is done with its own mistakes throws away: everything but a bug of ours. */
export const codeOf = (error: unknown): string =>
  error instanceof CartwallError ? error.code : 'no_answer'

/** Names one command for the service. Unlike crypto.randomUUID it is there on plain http too. */
export const newKey = (): string => {
  const part = (): string => Math.random().toString(36).slice(2, 12)
  return `${dateMs().toString(36)}-${part()}-${part()}`
}
