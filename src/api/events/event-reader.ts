// One reader of events: it holds its place in what happened, and no events of its own.
import { Readable } from 'node:stream'
import { LIMITS } from '../../contract/limits.js'

/** Where the events are: numbered from 1 without a gap, the oldest ones forgotten. */
export interface Events {
  readonly last: number
  /** The bytes of event `n`; null where it was forgotten. */
  text(n: number): Buffer | null
}

/** How much is handed over at once, and how much may wait here beside the socket's own buffers. */
const BUFFER_BYTES = 16 * 1024

const HEARTBEAT = Buffer.from(': still here\n\n')

/**
 * Memory is bounded however slow the other end is: what was not sent stays in the one ring that all
 * readers share. One that stops reading is cut, and may come back with its Last-Event-ID.
 */
export class EventReader extends Readable {
  /** `_read` was called while there was nothing to send. */
  #hungry = false
  #next: number
  /** The last event that there was when it last took something. */
  #tookAt: number
  #tookSinceBeat = true

  constructor(
    private readonly events: Events,
    from: number,
    greeting: Buffer,
    gone: (reader: EventReader) => void,
  ) {
    super({ highWaterMark: BUFFER_BYTES })
    this.#next = from
    this.#tookAt = events.last
    this.once('close', () => gone(this))
    this.push(greeting)
  }

  override _read(): void {
    this.#tookAt = this.events.last
    this.#tookSinceBeat = true
    this.#hungry = true
    this.#handOver()
  }

  /**
   * Something happened. One that reads asks for more a moment after it took something: until then
   * it is behind a burst of one step, e.g. a panic over hundreds of runs, and is not to blame.
   */
  wake(): void {
    const isFull = this.readableLength >= BUFFER_BYTES
    if (this.#hungry) this.#handOver()
    else if (isFull && this.events.last - this.#tookAt > LIMITS.eventsBehind) this.cut()
  }

  /** Keeps the connection of a reader that waits, and cuts one that has taken nothing since. */
  beat(): void {
    if (this.#hungry) this.push(HEARTBEAT)
    else if (!this.#tookSinceBeat) this.cut()
    this.#tookSinceBeat = false
  }

  /** Without an end: the other side must see that this was no orderly close. */
  cut(): void {
    this.destroy(new Error('this reader of events does not read'))
  }

  /** Tells what is left, then ends in order. */
  end(): void {
    this.#hungry = false
    for (let text = this.#batch(); text !== null; text = this.#batch()) this.push(text)
    this.push(null)
  }

  #handOver(): void {
    const text = this.#batch()
    if (text === null) return
    this.#hungry = false
    this.push(text)
  }

  /** The next events in one piece; null where there are none. */
  #batch(): Buffer | null {
    const texts: Buffer[] = []
    for (let bytes = 0; bytes < BUFFER_BYTES && this.#next <= this.events.last; this.#next += 1) {
      const text = this.events.text(this.#next)
      if (text === null) {
        this.cut()
        return null
      }
      texts.push(text)
      bytes += text.length
    }
    if (texts.length === 0) return null
    return texts.length === 1 ? texts[0]! : Buffer.concat(texts)
  }
}
