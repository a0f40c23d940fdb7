// Timers of packages that set their own: not ours to inject, but ours to keep from doing harm.

/** What `make` sets with `setInterval` goes on, and keeps no thread from ending. */
export const withUnheldIntervals = <T>(make: () => T): T => {
  const { setInterval: every } = globalThis
  globalThis.setInterval = ((run: () => void, ms: number) => every(run, ms).unref()) as
    typeof setInterval
  try {
    return make()
  } finally {
    globalThis.setInterval = every
  }
}
