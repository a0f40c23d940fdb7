// Keeps the screen from going dark while the page is seen.

/** A lock that is held; the browser takes it back when the page is hidden, or to save power. */
export interface HeldLock {
  readonly released: boolean
}

export interface ScreenLock {
  request(): Promise<HeldLock>
  isSeen(): boolean
  /** Calls when the page comes to be seen, or its hiding ends. */
  onSeen(call: () => void): void
  /** Calls for as long as the page lives. */
  nowAndThen(call: () => void): void
}

/**
 * Asks at once, and again each time the page comes to be seen without it; and now and then, since a
 * stage may be seen all night without being hidden once.
 */
export const keepAwake = (lock: ScreenLock | null): void => {
  if (lock === null) return
  let held: HeldLock | null = null
  let isAsking = false
  const ask = (): void => {
    if (isAsking || held?.released === false || !lock.isSeen()) return
    isAsking = true
    lock.request().then(
      (got) => {
        held = got
        isAsking = false
      },
      () => {
        // Refused, e.g. on a low battery: it asks again.
        isAsking = false
      },
    )
  }
  lock.onSeen(ask)
  lock.nowAndThen(ask)
  ask()
}
