// What a test states, checked: in JavaScript no compiler does, and a test whose network is `off`
// would pass for another reason than it meant.
import { msToFrames, type Frame } from '../clock/frame.js'

/** @throws RangeError that names what it is the length of. */
export const framesOf = (what: string, ms: number): Frame => {
  if (!Number.isFinite(ms) || ms < 0) {
    throw new RangeError(`${what} is ${String(ms)}, and no number of milliseconds`)
  }
  return msToFrames(ms)
}

/** @throws RangeError that names those that there are. */
export const oneOf = <T extends string>(word: T, words: readonly T[]): T => {
  if (!words.includes(word)) throw new RangeError(`${word} is none of ${words.join(', ')}`)
  return word
}
