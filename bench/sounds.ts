// The media that sound benchmarks play: WAVs of 32-bit floats, written frame by frame.
import { writeFloatWav } from '../test/devices/media-files.js'
import { SCALE, STEPS } from './capture.js'

/** Position-coded on the left; it loops without a leap: its length is a multiple of the code's. */
export const writeBed = (path: string, seconds: number): void => {
  const rounds = Math.max(1, Math.round((seconds * 48_000) / STEPS))
  writeFloatWav(path, rounds * STEPS, (n) => [((n % STEPS) + 1) / SCALE, 0])
}

/** Something quiet on the left that is no code: beds beside the one that is watched. */
export const writeHum = (path: string, seconds: number): void => {
  writeFloatWav(path, seconds * 48_000, (n) => [0.01 * Math.sin((n * Math.PI) / 240), 0])
}

/** 100 ms, loud on the right from its first frame on. */
export const writeGo = (path: string): void => {
  writeTone(path, 0.1)
}

/** Loud on the right for as long as it lasts: it is heard again wherever it goes on. */
export const writeTone = (path: string, seconds: number): void => {
  writeFloatWav(path, seconds * 48_000, () => [0, 0.5])
}
