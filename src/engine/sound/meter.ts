// Peaks of each run and of the master, for level meters: looked at, never changed, while asked for.
import type { StereoBlock } from '../ports.js'

export interface Levels {
  /** The engine frame up to which it was measured. */
  readonly frame: number
  readonly master: Peaks
  readonly runs: readonly RunPeaks[]
}

export interface Peaks {
  left: number
  right: number
}

export interface RunPeaks extends Peaks {
  readonly executionId: string
}

export class Meter {
  readonly #runs = new Map<string, RunPeaks>()
  #master: Peaks = { left: 0, right: 0 }
  #told = 0

  /** Frames between two tellings. */
  constructor(private readonly every: number) {}

  /** Of a run: `count` frames as they were decoded, with the gains that they are mixed with. */
  noteRun(
    executionId: string, voice: StereoBlock, gains: Float64Array | number, count: number,
  ): void {
    let peaks = this.#runs.get(executionId)
    if (peaks === undefined) {
      peaks = { executionId, left: 0, right: 0 }
      this.#runs.set(executionId, peaks)
    }
    peaks.left = Math.max(peaks.left, peakOf(voice.left, gains, count))
    peaks.right = Math.max(peaks.right, peakOf(voice.right, gains, count))
  }

  /** Of what leaves the master stage. */
  noteMaster(block: StereoBlock, count: number): void {
    this.#master.left = Math.max(this.#master.left, peakOf(block.left, 1, count))
    this.#master.right = Math.max(this.#master.right, peakOf(block.right, 1, count))
  }

  /** What was measured since the last time; null where it is not yet time to tell. */
  take(now: number): Levels | null {
    const since = now - this.#told
    if (since < this.every) return null
    // On the grid of the first telling, so that blocks of any size make 25 a second.
    this.#told = since < 2 * this.every ? this.#told + this.every : now
    const levels = { frame: now, master: this.#master, runs: [...this.#runs.values()] }
    this.#runs.clear()
    this.#master = { left: 0, right: 0 }
    return levels
  }
}

/** The largest |sample * gain|. */
const peakOf = (samples: Float32Array, gains: Float64Array | number, count: number): number => {
  let peak = 0
  if (typeof gains === 'number') {
    for (let i = 0; i < count; i += 1) peak = Math.max(peak, Math.abs(samples[i]!))
    return peak * Math.abs(gains)
  }
  for (let i = 0; i < count; i += 1) peak = Math.max(peak, Math.abs(samples[i]! * gains[i]!))
  return peak
}
