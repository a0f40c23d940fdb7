// Time where a browser may be below: the client and the pages read it and wait by this file alone.

/** Ends a wait; harmless a second time, or after it is over. */
export type Cancel = () => void

/** Milliseconds that never go back, with their fraction; to be compared with each other only. */
export const nowMs = (): number => performance.now()

/** Milliseconds since 1970. It may leap: for names and numbers of messages, never for waiting. */
export const dateMs = (): number => Date.now()

/** A longer one would be over at once: whoever says so much means for ever. */
const LONGEST_MS = 2 ** 31 - 1

export const after = (ms: number, act: () => void): Cancel => {
  const timer = setTimeout(act, Math.min(ms, LONGEST_MS))
  return () => clearTimeout(timer)
}

/** First after one period. */
export const every = (ms: number, act: () => void): Cancel => {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}
