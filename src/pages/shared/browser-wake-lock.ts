// The browser's wake lock for the screen, where it has one.
import { every } from '../../client/time.js'
import type { ScreenLock } from './wake-lock.js'

/** Before the shortest time after which systems let a screen go dark. */
const LOOK_EVERY_MS = 20_000

/** Null where there is none: pages of a LAN address are no secure context. */
export const browserScreenLock = (): ScreenLock | null => {
  // Whatever the types say.
  const { wakeLock } = navigator as { readonly wakeLock?: WakeLock }
  if (wakeLock === undefined) return null
  return {
    request: () => wakeLock.request('screen'),
    isSeen: () => !document.hidden,
    onSeen: (call) => {
      document.addEventListener('visibilitychange', call)
      document.addEventListener('fullscreenchange', call)
    },
    nowAndThen: (call) => {
      every(LOOK_EVERY_MS, call)
    },
  }
}
