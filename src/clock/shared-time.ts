// The engine's time as other threads read it: its frame and when it was written, without a lock.
import { FRAMES_PER_SECOND } from './frame.js'

/** Where lights read the present frame of the engine. */
export interface EngineTime {
  nowFrame(): number
}

/**
 * Layout: a count of the writes, then two slots of a frame, its moment in ns, and how much news was
 * told by then. The last write stands in the slot of its count, even or odd; the next one goes into
 * the other.
 */
const SLOT = 3
const BYTES = 8 + 2 * SLOT * 8
/** An engine that was not heard of for so long has stalled: its lights hold with its sound. */
const STALL_NS = 200_000_000

export const createTimeMemory = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES)

/** Nanoseconds of the monotonic clock that all threads of the process share. */
const monotonicNs = (): number => Number(process.hrtime.bigint())

/** The engine's thread writes its frame here as it moves on. One writer; it never waits. */
export class TimeWriter {
  readonly #writes: Int32Array
  readonly #slots: Float64Array

  constructor(memory: SharedArrayBuffer) {
    this.#writes = new Int32Array(memory, 0, 1)
    this.#slots = new Float64Array(memory, 8, 2 * SLOT)
  }

  /** The engine's frame is `now` at this very moment; `news`: what was told, with what is being. */
  write(now: number, news = 0): void {
    const count = Atomics.load(this.#writes, 0) + 1
    const slot = slotOf(count)
    this.#slots[slot] = now
    this.#slots[slot + 1] = monotonicNs()
    this.#slots[slot + 2] = news
    Atomics.store(this.#writes, 0, count)
  }
}

/** Of a count that may have wrapped round to below zero, too. */
const slotOf = (count: number): number => (count & 1) * SLOT

interface Written {
  readonly frame: number
  readonly at: number
  readonly news: number
}

/** Reads on between the writes, for a while; it never steps back. */
export class SharedEngineTime implements EngineTime {
  readonly #writes: Int32Array
  readonly #slots: Float64Array
  #last = 0

  constructor(memory: SharedArrayBuffer) {
    this.#writes = new Int32Array(memory, 0, 1)
    this.#slots = new Float64Array(memory, 8, 2 * SLOT)
  }

  nowFrame(): number {
    const { frame: written, at } = this.#read()
    const age = Math.min(Math.max(0, monotonicNs() - at), STALL_NS)
    const now = at === 0 ? written : Math.floor(written + (age * FRAMES_PER_SECOND) / 1e9)
    this.#last = Math.max(this.#last, now)
    return this.#last
  }

  /**
   * What was written last, without reading on: sound that was taken, never ahead of it; and how
   * much news was told by then.
   */
  written(): Pick<Written, 'frame' | 'news'> {
    return this.#read()
  }

  /**
   * Whatever the writer does meanwhile, or is kept from doing: its slot is another one. Once more
   * only where a write was finished in between, since the next may be on its way into this slot.
   */
  #read(): Written {
    for (;;) {
      const count = Atomics.load(this.#writes, 0)
      const slot = slotOf(count)
      const frame = this.#slots[slot] as number
      const at = this.#slots[slot + 1] as number
      const news = this.#slots[slot + 2] as number
      if (Atomics.load(this.#writes, 0) === count) return { frame, at, news }
    }
  }
}
