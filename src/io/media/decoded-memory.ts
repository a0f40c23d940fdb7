// Where decoded sound lies on the sound thread: in memory that V8 does not count.
//
// V8 counts what lies outside its heap. At each 64 MB of it garbage is collected, and each piece of
// sound that comes meanwhile waits for a step of 5 to 10 ms: while 10 000 heads were armed a dozen
// of the thread's turns took so long. Shared memory is not counted, though nobody shares this. What
// is not counted is not missed either, and would lie about for as long as nothing else asks for a
// collection, so it is said here when so much was let go; and by the decoding process, of what it
// has sent on.
import type { Timers } from '../../clock/timers.js'

const MEGABYTE = 1024 * 1024
/** More than this does not lie about: a minute and a half of one stream, or of eight 11 seconds. */
const LYING_BYTES = 32 * MEGABYTE
/** What V8 lets lie of what it counts. */
const COUNTED_BYTES = 64 * MEGABYTE
const SOON_MS = 500

/** Zeroed, of its own: what shares memory with others keeps them all. */
export const decodedBytes = (bytes: number): Buffer =>
  Buffer.from(new SharedArrayBuffer(bytes) as ArrayBufferLike as ArrayBuffer)

export class ReleasedMemory {
  #bytes = 0
  #isAsked = false

  /** `mostBytes`: so much may lie about. */
  constructor(private readonly timers: Timers, private readonly mostBytes = LYING_BYTES) {}

  /** So much of it nobody needs any more; what somebody else still holds may be among it. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < this.mostBytes || this.#isAsked) return
    this.#isAsked = true
    // A show that is given up is let go head by head: what comes late would miss the collection.
    this.timers.background.after(SOON_MS, () => {
      this.#isAsked = false
      this.#bytes = 0
      askForCollection()
    })
  }
}

/**
 * Memory that is counted, asked for and let go at once: the collection begins, and goes on in small
 * steps, as nothing more is asked for. Nobody touches it, so that it never takes any room; its
 * length is read, since tools that join modules leave out what is made for nothing.
 */
const askForCollection = (): number => new ArrayBuffer(COUNTED_BYTES + 1).byteLength
