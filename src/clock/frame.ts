// Engine time: an integer count of frames at 48 000 a second.

declare const frameBrand: unique symbol
/** A whole number of frames; 48 of them are one millisecond exactly. */
export type Frame = number & { readonly [frameBrand]: true }

export const FRAMES_PER_SECOND = 48_000
export const FRAMES_PER_MS = 48

/** Brands an integer as frames; a fraction is a bug of the caller. */
export const frame = (count: number): Frame => {
  if (!Number.isSafeInteger(count)) throw new RangeError(`not a frame count: ${String(count)}`)
  return count as Frame
}

export const ZERO = frame(0)

/** The one place where milliseconds from the wire become frames: rounded to the nearest. */
export const msToFrames = (ms: number): Frame => frame(Math.round(ms * FRAMES_PER_MS))

/** Milliseconds as the wire tells them: whole, rounded down. */
export const framesToWholeMs = (frames: Frame): number => Math.floor(frames / FRAMES_PER_MS)

/** Milliseconds with their fraction, for a drift that is compared before rounding. */
export const framesToMs = (frames: Frame): number => frames / FRAMES_PER_MS

/** A length of time for people: `1:02:03.004`. */
export const frameText = (frames: number): string => {
  const ms = Math.floor(frames / FRAMES_PER_MS)
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60]
  const seconds = Math.floor(ms / 1000) % 60
  const two = (n: number): string => String(n).padStart(2, '0')
  const rest = String(ms % 1000).padStart(3, '0')
  return `${String(hours)}:${two(minutes)}:${two(seconds)}.${rest}`
}

export const add = (a: Frame, b: number): Frame => frame(a + b)
export const earlier = (a: Frame, b: Frame): Frame => (a < b ? a : b)
export const later = (a: Frame, b: Frame): Frame => (a > b ? a : b)
