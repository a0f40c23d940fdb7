// Fills a segment of sound: voices in order of creation, each with its gain frame by frame, summed.
import { add, type Frame } from '../../clock/frame.js'
import type { Meter } from './meter.js'
import type { StereoBlock } from '../ports.js'
import { gainAt, perFrame } from './ramp.js'
import { isRead, type Run } from '../runs/run.js'

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
  readonly #sums: Sums = { left: new Float64Array(CHUNK), right: new Float64Array(CHUNK) }
  readonly #sounding: Run[] = []
  /** Set while somebody looks at levels. */
  meter: Meter | null = null

  /** Writes `count` frames from engine frame `from` on into `into` at `offset`. */
  mix(runs: Iterable<Run>, from: Frame, into: StereoBlock, offset: number, count: number): void {
    this.#fill(runs, from, into, offset, count, this.meter)
    for (const run of this.#sounding) run.voice.pass(add(from, count))
  }

  /** The same frames, ahead of their time: nothing is measured, and nothing passes by. */
  foresee(runs: Iterable<Run>, from: Frame, into: StereoBlock, count: number): void {
    this.#fill(runs, from, into, 0, count, null)
  }

  #fill(
    runs: Iterable<Run>, from: Frame, into: StereoBlock, offset: number, count: number,
    meter: Meter | null,
  ): void {
    const sounding = this.#sounding
    sounding.length = 0
    for (const run of runs) if (isRead(run)) sounding.push(run)
    if (sounding.length === 0) {
      into.left.fill(0, offset, offset + count)
      into.right.fill(0, offset, offset + count)
      return
    }
    for (let done = 0; done < count; done += CHUNK) {
      const size = Math.min(CHUNK, count - done)
      this.#mixChunk(sounding, add(from, done), into, offset + done, size, meter)
    }
  }

  #mixChunk(
    runs: readonly Run[], from: Frame, into: StereoBlock, offset: number, count: number,
    meter: Meter | null,
  ): void {
    let first = true
    for (const run of runs) {
      run.voice.read(from, this.#voice, this.#scratch, count)
      if (runs.length === 1) {
        const gains = this.#gainsOf(run, from, count)
        meter?.noteRun(run.executionId, this.#voice, gains, count)
        scale(this.#voice, into, offset, gains, count)
        return
      }
      const { ramp, gain } = run
      const gains = ramp.end <= from ? ramp.to * gain : this.#gainsOf(run, from, count)
      meter?.noteRun(run.executionId, this.#voice, gains, count)
      for (const side of SIDES) {
        const [sum, voice] = [this.#sums[side], this.#voice[side]]
        if (typeof gains === 'number') addSteady(sum, voice, gains, count, first)
        else addMoving(sum, voice, gains, count, first)
      }
      first = false
    }
    for (const side of SIDES) {
      const [out, sum] = [into[side], this.#sums[side]]
      for (let i = 0; i < count; i += 1) out[offset + i] = sum[i]!
    }
  }

  /** The run's gain for each frame: the ramp's closed form (`gainAt`) times the button's level. */
  #gainsOf(run: Run, from: Frame, count: number): Float64Array {
    const { ramp, gain: level } = run
    const gains = this.#gains
    // A ramp that ends within the chunk is steady from its end on.
    const moving = Math.max(0, Math.min(count, ramp.end - from))
    if (ramp.curve === 'linear' && from >= ramp.begin) {
      const into = from - ramp.begin
      const step = perFrame(ramp)
      const { from: base, to } = ramp
      const way = to - base
      for (let i = 0; i < moving; i += 1) gains[i] = (base + way * ((into + i) * step)) * level
    } else for (let i = 0; i < moving; i += 1) gains[i] = gainAt(ramp, add(from, i)) * level
    gains.fill(ramp.to * level, moving, count)
    return gains
  }
}

const SIDES = ['left', 'right'] as const

interface Sums {
  readonly left: Float64Array
  readonly right: Float64Array
}

/** A voice alone needs no sum. */
const scale = (
  voice: StereoBlock, into: StereoBlock, offset: number, gains: Float64Array, count: number,
): void => {
  const { left, right } = into
  const { left: l, right: r } = voice
  for (let i = 0; i < count; i += 1) {
    const gain = gains[i]!
    left[offset + i] = l[i]! * gain
    right[offset + i] = r[i]! * gain
  }
}

/** The first voice is written and not added: what was in the sums is of the chunk before. */
const addMoving = (
  sum: Float64Array, voice: Float32Array, gains: Float64Array, count: number, first: boolean,
): void => {
  if (first) for (let i = 0; i < count; i += 1) sum[i] = voice[i]! * gains[i]!
  else for (let i = 0; i < count; i += 1) sum[i] = sum[i]! + voice[i]! * gains[i]!
}

const addSteady = (
  sum: Float64Array, voice: Float32Array, gain: number, count: number, first: boolean,
): void => {
  if (first) for (let i = 0; i < count; i += 1) sum[i] = voice[i]! * gain
  else for (let i = 0; i < count; i += 1) sum[i] = sum[i]! + voice[i]! * gain
}
