// Keeps the screen on where there is no wake lock, e.g. of a tablet in the LAN: by a video that
// plays. It shows the stream of an empty canvas: no file, no sound, no frame after the first.
//
// What counts as a playing video (2026): Chromium asks that it lies within the window, and of what
// is no stream that it fills a fifth of it; Firefox that it has sound or is a stream. Safari asks
// for audible sound, which the pages never make: there the device's own settings have to do it.
import type { HeldLock } from './wake-lock.js'

/** Within the window's corner and behind all else, so that nothing of it is seen or pressed. */
const BEHIND = {
  position: 'fixed', left: '0', top: '0', width: '2px', height: '2px',
  zIndex: '-1', opacity: '0', pointerEvents: 'none',
}

/** The stream of one dark frame; null where the browser makes none of a canvas. */
const darkStream = (): MediaStream | null => {
  const canvas = document.createElement('canvas')
  canvas.width = 2
  canvas.height = 2
  const context = canvas.getContext('2d')
  if (context === null || !('captureStream' in canvas)) return null
  const stream = canvas.captureStream()
  // Drawn once it is captured, or there is no first frame.
  context.fillRect(0, 0, 2, 2)
  return stream
}

/** Begins to play it, and holds the screen for as long as it does; null: not in this browser. */
export const videoWakeLock = (): (() => Promise<HeldLock>) | null => {
  const stream = darkStream()
  if (stream === null) return null
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.disablePictureInPicture = true
  video.setAttribute('aria-hidden', 'true')
  Object.assign(video.style, BEHIND)
  video.srcObject = stream
  return async () => {
    document.body.prepend(video)
    await video.play()
    return {
      get released() {
        return video.paused
      },
    }
  }
}
