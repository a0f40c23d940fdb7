// How the client waits: for a while, for an answer, for ever; on real time or on that of a test.
import { after, dateMs, nowMs } from './time.js'

/** Where nothing is said: between two looks, and for the answer to one. */
export const POLL_MS = 750
export const LOOK_TIMEOUT_MS = 3_000

/** Resolves after `ms`, or as soon as the signal aborts; it never rejects. */
export interface Wait {
  (ms: number, signal: AbortSignal): Promise<void>
  /** Milliseconds of the time that it waits on; real ones where it is not there. */
  readonly now?: (() => number) | undefined
}

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

/** For ever, or until the signal aborts: of that no other time needs to know. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What waits for a client's sake does so on its own time, else on the client's. */
export const waitOf = (
  own: Wait | undefined, client: { readonly platform?: { readonly wait: Wait } | undefined },
): Wait => own ?? client.platform?.wait ?? realWait

export const nowOf = (wait: Wait): number => (wait.now ?? nowMs)()

const LOADED_AT = dateMs()

/**
 * Milliseconds since 1970, as whoever waits sees them. A test has an hour of its own in a second:
 * were that not an hour later too, a page opened anew would number its messages below earlier ones.
 */
export const dateOf = (wait: Wait): number =>
  wait.now === undefined ? dateMs() : LOADED_AT + wait.now()

/**
 * Aborts `inner` when `outer` does, until the answer is called. Not by `AbortSignal.any`: browsers
 * before 2024 lack it, and Node 20 keeps a note of each for as long as `outer` lives, e.g. months.
 */
export const abortWith = (
  inner: AbortController, outer: AbortSignal | null | undefined,
): (() => void) => {
  const abort = (): void => inner.abort(outer?.reason)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  return () => outer?.removeEventListener('abort', abort)
}

/**
 * Calls with a signal that aborts when `outer` does, or after `ms` with an error whose name is
 * `TimeoutError`, as `AbortSignal.timeout` has it.
 */
export const within = async <T>(
  ms: number, wait: Wait, outer: AbortSignal | null | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const answered = new AbortController()
  const inner = new AbortController()
  const letGo = abortWith(inner, outer)
  if (ms !== Infinity) {
    void wait(ms, answered.signal).then(() => {
      const error = new Error(`no answer within ${ms} ms`)
      error.name = 'TimeoutError'
      if (!answered.signal.aborted) inner.abort(error)
    })
  }
  // Some fetches pass over the signal, e.g. the one that Capacitor puts in place.
  const { signal } = inner
  const over = untilAborted(signal).then(() => Promise.reject(signal.reason as Error))
  try {
    return await (signal.aborted ? over : Promise.race([call(signal), over]))
  } catch (error) {
    // Older browsers tell of every abort in the same words.
    throw inner.signal.aborted ? (inner.signal.reason as Error) : error
  } finally {
    answered.abort()
    letGo()
  }
}
