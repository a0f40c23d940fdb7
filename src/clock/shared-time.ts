// The engine's time as other threads read it: its frame and when it was written, without a lock.
import { FRAMES_PER_SECOND } from './frame.js'

/** Where lights read the present frame of the engine. */
export interface EngineTime {
  nowFrame(): number
}

/** Layout: a count of the writes (odd while one is under way), the frame, its moment in ns. */
const BYTES = 24
/** An engine that was not heard of for so long has stalled: its lights hold with its sound. */
const STALL_NS = 200_000_000

export const createTimeMemory = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES)

/** Nanoseconds of the monotonic clock that all threads of the process share. */
const monotonicNs = (): number => Number(process.hrtime.bigint())

/** The engine's thread writes its frame here as it moves on. One writer; it never waits. */
export class TimeWriter {
  readonly #writes: Int32Array
  readonly #values: Float64Array

  constructor(memory: SharedArrayBuffer) {
    this.#writes = new Int32Array(memory, 0, 1)
    this.#values = new Float64Array(memory, 8, 2)
  }

  /** The engine's frame is `now` at this very moment. */
  write(now: number): void {
    Atomics.add(this.#writes, 0, 1)
    this.#values[0] = now
    this.#values[1] = monotonicNs()
    Atomics.add(this.#writes, 0, 1)
  }
}

/** Reads on between the writes, for a while; it never steps back. */
export class SharedEngineTime implements EngineTime {
  readonly #writes: Int32Array
  readonly #values: Float64Array
  #last = 0

  constructor(memory: SharedArrayBuffer) {
    this.#writes = new Int32Array(memory, 0, 1)
    this.#values = new Float64Array(memory, 8, 2)
  }

  nowFrame(): number {
    const [written, at] = this.#read()
    const age = Math.min(Math.max(0, monotonicNs() - at), STALL_NS)
    const now = at === 0 ? written : Math.floor(written + (age * FRAMES_PER_SECOND) / 1e9)
    this.#last = Math.max(this.#last, now)
    return this.#last
  }

  /** What was written last, without reading on: sound that was taken, never ahead of it. */
  writtenFrame(): number {
    return this.#read()[0]
  }

  /** A write takes a few nanoseconds: a handful of tries always meets a moment without one. */
  #read(): readonly [number, number] {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const before = Atomics.load(this.#writes, 0)
      const frame = this.#values[0] as number
      const at = this.#values[1] as number
      if (before % 2 === 0 && Atomics.load(this.#writes, 0) === before) return [frame, at]
    }
    return [this.#last, monotonicNs()]
  }
}
