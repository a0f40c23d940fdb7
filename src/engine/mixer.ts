// Fills a segment of sound: voices in order of creation, each with its gain frame by frame, summed.
import { add, type Frame } from '../clock/frame.js'
import type { StereoBlock } from './ports.js'
import { gainAt, type Ramp } from './ramp.js'
import { isSounding, type Run } from './run.js'

/** Frames mixed at a time; a segment is cut into such pieces, which changes nothing heard. */
const CHUNK = 2048

export const stereo = (frames: number): StereoBlock => ({
  left: new Float32Array(frames),
  right: new Float32Array(frames),
})

export class Mixer {
  readonly #voice = stereo(CHUNK)
  readonly #scratch = stereo(CHUNK)
  readonly #gains = new Float64Array(CHUNK)
  readonly #sums = { left: new Float64Array(CHUNK), right: new Float64Array(CHUNK) }

  /** Writes `count` frames from engine frame `from` on into `into` at `offset`. */
  mix(runs: Iterable<Run>, from: Frame, into: StereoBlock, offset: number, count: number): void {
    const sounding: Run[] = []
    for (const run of runs) if (run.voice.moving && isSounding(run)) sounding.push(run)
    if (sounding.length === 0) {
      into.left.fill(0, offset, offset + count)
      into.right.fill(0, offset, offset + count)
      return
    }
    for (let done = 0; done < count; done += CHUNK) {
      const size = Math.min(CHUNK, count - done)
      this.#mixChunk(sounding, add(from, done), into, offset + done, size)
    }
  }

  #mixChunk(
    runs: readonly Run[], from: Frame, into: StereoBlock, offset: number, count: number,
  ): void {
    // Negative zero is the neutral element of a sum: a lone voice passes bit for bit.
    for (const side of SIDES) this.#sums[side].fill(-0, 0, count)
    for (const run of runs) {
      run.voice.read(from, this.#voice, this.#scratch, count)
      const ramping = run.ramp.end > from
      const steady = run.ramp.to * run.gain
      if (ramping) fillGains(this.#gains, run.ramp, run.gain, from, count)
      for (const side of SIDES) {
        if (ramping) addRamped(this.#sums[side], this.#voice[side], this.#gains, count)
        else addSteady(this.#sums[side], this.#voice[side], steady, count)
      }
    }
    for (const side of SIDES) {
      const [out, sums] = [into[side], this.#sums[side]]
      for (let i = 0; i < count; i += 1) out[offset + i] = sums[i] as number
    }
  }
}

const SIDES = ['left', 'right'] as const

/** The run's gain for each frame of the chunk: the ramp's closed form times the button's level. */
const fillGains = (
  gains: Float64Array, ramp: Ramp, level: number, from: Frame, count: number,
): void => {
  for (let i = 0; i < count; i += 1) gains[i] = gainAt(ramp, add(from, i)) * level
}

const addRamped = (
  sums: Float64Array, voice: Float32Array, gains: Float64Array, count: number,
): void => {
  for (let i = 0; i < count; i += 1) {
    sums[i] = (sums[i] as number) + (voice[i] as number) * (gains[i] as number)
  }
}

const addSteady = (
  sums: Float64Array, voice: Float32Array, gain: number, count: number,
): void => {
  for (let i = 0; i < count; i += 1) sums[i] = (sums[i] as number) + (voice[i] as number) * gain
}
