// How a browser keeps its screen on: by its wake lock, else by a video that plays.
import { every } from '../../client/time.js'
import { videoWakeLock } from './video-wake-lock.js'
import type { HeldLock, ScreenLock } from './wake-lock.js'

/** Before the shortest time after which systems let a screen go dark. */
const LOOK_EVERY_MS = 20_000

/** Pages of a LAN address are no secure context, and have no wake lock, whatever the types say. */
const requestOf = (): (() => Promise<HeldLock>) | null => {
  const { wakeLock } = navigator as { readonly wakeLock?: WakeLock }
  return wakeLock === undefined ? videoWakeLock() : () => wakeLock.request('screen')
}

/** Null where neither can be. */
export const browserScreenLock = (): ScreenLock | null => {
  const request = requestOf()
  if (request === null) return null
  return {
    request,
    isSeen: () => !document.hidden,
    onSeen: (call) => {
      document.addEventListener('visibilitychange', call)
      document.addEventListener('fullscreenchange', call)
      // A browser that plays nothing by itself, e.g. one that saves power, does after a touch.
      document.addEventListener('pointerup', call)
    },
    nowAndThen: (call) => {
      every(LOOK_EVERY_MS, call)
    },
  }
}
