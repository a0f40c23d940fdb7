// The engine's time as other threads read it: its frame and when it was written, without a lock.
import { FRAMES_PER_SECOND } from './frame.js'

/** Where lights read the present frame of the engine. */
export interface EngineTime {
  nowFrame(): number
}

/**
 * Layout, each a 64-bit integer: a count of the writes, then two slots of a frame, its moment in
 * ns, and how much news was told by then. The last write stands in the slot of its count, even or
 * odd; the next one goes into the other. All are read and written in order: a processor like that
 * of a Raspberry Pi may do what is not so in another one.
 */
const SLOT = 3
const NUMBERS = 1 + 2 * SLOT
/** An engine that was not heard of for so long has stalled: its lights hold with its sound. */
const STALL_NS = 200_000_000

export const createTimeMemory = (): SharedArrayBuffer => new SharedArrayBuffer(NUMBERS * 8)

/** Nanoseconds of the monotonic clock that all threads of the process share. */
const monotonicNs = (): bigint => process.hrtime.bigint()

/** The engine's thread writes its frame here as it moves on. One writer; it never waits. */
export class TimeWriter {
  readonly #numbers: BigInt64Array

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new BigInt64Array(memory)
  }

  /** The engine's frame is `now` at this very moment; `news`: what was told, with what is being. */
  write(now: number, news = 0): void {
    const count = Atomics.load(this.#numbers, 0) + 1n
    const slot = slotOf(count)
    Atomics.store(this.#numbers, slot, BigInt(now))
    Atomics.store(this.#numbers, slot + 1, monotonicNs())
    Atomics.store(this.#numbers, slot + 2, BigInt(news))
    Atomics.store(this.#numbers, 0, count)
  }
}

const slotOf = (count: bigint): number => 1 + (count % 2n === 0n ? 0 : SLOT)

interface Written {
  readonly frame: number
  readonly at: bigint
  readonly news: number
}

/** Reads on between the writes, for a while; it never steps back. */
export class SharedEngineTime implements EngineTime {
  readonly #numbers: BigInt64Array
  #last = 0

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new BigInt64Array(memory)
  }

  nowFrame(): number {
    const { frame: written, at } = this.#read()
    const age = Math.min(Math.max(0, Number(monotonicNs() - at)), STALL_NS)
    const now = at === 0n ? written : Math.floor(written + (age * FRAMES_PER_SECOND) / 1e9)
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
      const count = Atomics.load(this.#numbers, 0)
      const slot = slotOf(count)
      const frame = Number(Atomics.load(this.#numbers, slot))
      const at = Atomics.load(this.#numbers, slot + 1)
      const news = Number(Atomics.load(this.#numbers, slot + 2))
      if (Atomics.load(this.#numbers, 0) === count) return { frame, at, news }
    }
  }
}
