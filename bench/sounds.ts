// The media that sound benchmarks play: WAVs of 32-bit floats, written frame by frame.
import { writeFileSync } from 'node:fs'
import { SCALE, STEPS } from './capture.js'

type Frames = (n: number) => readonly [left: number, right: number]

const writeWav = (path: string, frames: number, at: Frames): void => {
  const bytes = Buffer.alloc(44 + frames * 8)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + frames * 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(3, 20)
  bytes.writeUInt16LE(2, 22)
  bytes.writeUInt32LE(48_000, 24)
  bytes.writeUInt32LE(48_000 * 8, 28)
  bytes.writeUInt16LE(8, 32)
  bytes.writeUInt16LE(32, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(frames * 8, 40)
  for (let n = 0; n < frames; n += 1) {
    const [left, right] = at(n)
    bytes.writeFloatLE(left, 44 + n * 8)
    bytes.writeFloatLE(right, 48 + n * 8)
  }
  writeFileSync(path, bytes)
}

/** Position-coded on the left; it loops without a leap: its length is a multiple of the code's. */
export const writeBed = (path: string, seconds: number): void => {
  const rounds = Math.max(1, Math.round((seconds * 48_000) / STEPS))
  writeWav(path, rounds * STEPS, (n) => [((n % STEPS) + 1) / SCALE, 0])
}

/** Something quiet on the left that is no code: beds beside the one that is watched. */
export const writeHum = (path: string, seconds: number): void => {
  writeWav(path, seconds * 48_000, (n) => [0.01 * Math.sin((n * Math.PI) / 240), 0])
}

/** 100 ms, loud on the right from its first frame on. */
export const writeGo = (path: string): void => {
  writeWav(path, 4_800, () => [0, 0.5])
}
