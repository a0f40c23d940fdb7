// What a call that failed means: for the client's loops, and for an app that asks.
import { CartwallError } from './error.js'
import { dateMs } from './time.js'

/**
 * `busy`: nothing was done, the same may be sent again after a short while. `unknown`: nobody knows
 * whether it was done; the state must be asked for first. `refused`: the answer is no.
 */
export type Failure = 'busy' | 'unknown' | 'refused'

const BUSY: readonly string[] = [
  'app_busy', 'command_in_progress', 'dmx_initializing', 'playback_unavailable', 'idempotency_full',
  // It did not arrive in time, e.g. over a poor network.
  'request_timeout',
]

export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof CartwallError)) return 'unknown'
  // Whoever pressed panic wants silence: to try again would be music after it.
  if (error.isSwept) return 'refused'
  if (BUSY.includes(error.code)) return 'busy'
  // A proxy's words, a service that ends, a command that got stuck: what was done is not known.
  return error.status >= 500 || error.code === 'unexpected_answer' ? 'unknown' : 'refused'
}

/** The answer; null where it is no, e.g. because the run is over already. */
export const unlessRefused = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call
  } catch (error) {
    if (failureOf(error) !== 'refused') throw error
    return null
  }
}

/**
 * What became of a command that failed. `refused`: the service said no, nothing was done.
 * `not_sent`: it never reached the service, nothing was done. `not_answered`: it may have been
 * carried out; look at `buttons()`, or send it again with its own `idempotencyKey`.
 */
export type Outcome = 'refused' | 'not_sent' | 'not_answered'

/**
 * Of Node, and of Bun (1.4.5), which has no cause. A browser does not tell a connection that was
 * refused from one that broke. Deno tells it in words, and these are not to be gone by: where a
 * kept connection breaks it sends a command once more, and tells what became of that.
 */
const NEVER_LEFT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/

interface Coded {
  readonly code?: string
}

export const outcomeOf = (error: unknown): Outcome => {
  const failure = failureOf(error)
  if (failure !== 'unknown') return 'refused'
  const told = error as { readonly cause?: Coded | null } & Coded | null | undefined
  return NEVER_LEFT.test((told?.cause ?? told)?.code as string) ? 'not_sent' : 'not_answered'
}

/** The code of a refusal; `no_answer` where the service said nothing. */
export const codeOf = (error: unknown): string =>
  error instanceof CartwallError ? error.code : 'no_answer'

/** Names one command for the service. Unlike crypto.randomUUID it is there on plain http too. */
export const newKey = (): string => {
  const part = (): string => Math.random().toString(36).slice(2, 12)
  return `${dateMs().toString(36)}-${part()}-${part()}`
}

/**
 * What an app is called back with: a fault of its own is told as one and stops nothing of ours.
 * Undefined where there is no answer.
 */
export const safely = <T, R>(callback: ((told: T) => R) | undefined) => (
  told: T,
): R | undefined => {
  try {
    return callback?.(told)
  } catch (error) {
    const { reportError } = globalThis as { reportError?: (error: unknown) => void }
    const fault = error instanceof Error ? error : new Error(String(error))
    if (reportError === undefined) void Promise.reject(fault)
    else reportError(fault)
    return undefined
  }
}
