// One opened stream: an armed head where there is one, the decoder behind it, a bounded store.
import { frame } from '../../clock/frame.js'
import type { Fact, MediaStream, OpenRequest, StereoBlock } from '../../engine/ports.js'
import type { DecodeListener, Decoding } from './decoder/decoder-messages.js'
import { MediaStore } from './media-store.js'
import type { Head } from './preroll-entry.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'

/** Frames kept decoded beyond `ahead`, and how many may be used up before more is asked for. */
const RESERVE = 96_000
const SLACK = 48_000

/**
 * Where a head lasts for so long beyond `ahead`, its decoder begins once so much of it was played.
 * A start of ffmpeg takes 20 to 50 ms of a processor, and what a press is waited for needs it then:
 * on two cores the wall's sign of a press was seen after 40 to 72 ms beside one, not after 16.
 */
const LASTING = 96_000
const FIRST_PLAYED = 12_000

export class DecodedStream implements MediaStream, DecodeListener {
  readonly #request: OpenRequest
  readonly #decoding: Decoding
  readonly #post: (fact: Fact) => void
  readonly #onClose: () => void
  readonly #holdBytes: number
  readonly #store: MediaStore
  /** All is kept while the range may yet fit: decided when it ends or outgrows its bound. */
  #keeping: boolean
  #job: number | null = null
  #readAt: number
  #ahead: number
  #wanted: number
  /** A decoder that died was replaced; the next one that dies ends the run (decisions 8). */
  #isReopened = false
  #over = false
  #closed = false

  constructor(
    request: OpenRequest,
    decoding: Decoding,
    holdBytes: number,
    post: (fact: Fact) => void,
    onClose: () => void,
  ) {
    const { from, to, hold, ahead } = request
    this.#request = request
    this.#decoding = decoding
    this.#holdBytes = holdBytes
    this.#post = post
    this.#onClose = onClose
    this.#store = new MediaStore(from)
    this.#readAt = from
    this.#ahead = ahead
    this.#keeping = hold && (to === null || (to - from) * STEREO_FRAME_BYTES <= holdBytes)
    this.#wanted = from
  }

  /** A head that is there sounds at once; a decoder goes on from its end, as one decode would. */
  start(head: Head | null): void {
    if (head !== null) {
      for (const piece of head.pieces) this.#store.append(piece.sound, piece.count)
      if (this.#store.until > this.#store.from) this.#tellSupplied()
      if (head.end !== null) {
        this.done(head.end.end, head.end.source)
        return
      }
    }
    this.#decodeIfDue()
  }

  read(at: number, into: StereoBlock, offset: number, count: number): void {
    this.#store.copy(at, into, offset, count)
  }

  passed(at: number): void {
    this.#readAt = at
    this.#decodeIfDue()
    if (this.#keeping) return
    this.#store.forget(at)
    this.#askForMore()
  }

  keepAhead(frames: number): void {
    this.#ahead = frames
    this.#decodeIfDue()
    if (!this.#keeping) this.#askForMore()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#release()
    this.#onClose()
  }

  pcm(left: Float32Array, right: Float32Array): void {
    this.#take({ left, right }, left.length)
  }

  silence(count: number): void {
    this.#take(null, count)
  }

  done(end: number, source: number | null): void {
    if (this.#over || this.#closed) return
    this.#over = true
    this.#job = null
    this.#post({
      kind: 'ended',
      stream: this.#request.stream,
      end: frame(end),
      source: source === null ? null : frame(source),
      held: this.#keeping,
    })
  }

  /** Opened anew at the frame that is stored: the listener's origin keeps it exact. */
  died(message: string): void {
    if (this.#over || this.#closed) return
    if (this.#isReopened) {
      this.failed(message)
      return
    }
    this.#isReopened = true
    this.#decode()
  }

  failed(message: string): void {
    if (this.#over || this.#closed) return
    this.#over = true
    this.#job = null
    this.#post({ kind: 'broken', stream: this.#request.stream, message })
  }

  /** A head that lasts puts the decoder off. */
  #decodeIfDue(): void {
    if (this.#job !== null || this.#over || this.#closed) return
    const hasLasted = this.#readAt - this.#request.from >= FIRST_PLAYED
    const lasts = this.#store.until - this.#readAt >= this.#ahead + LASTING
    if (hasLasted || !lasts) this.#decode()
  }

  /** From the end of what is stored on. */
  #decode(): void {
    const { path, from, to } = this.#request
    this.#wanted = this.#horizon()
    const until = this.#wanted
    const next = this.#store.until
    this.#job = this.#decoding.decode(
      { path, origin: from, from: next, to, until, background: false },
      this,
    )
  }

  #take(sound: StereoBlock | null, count: number): void {
    if (this.#over || this.#closed) return
    this.#store.append(sound, count)
    if (this.#keeping && this.#store.bytes > this.#holdBytes) {
      this.#keeping = false
      this.#store.forget(this.#readAt)
    }
    this.#tellSupplied()
    this.#askForMore()
  }

  #tellSupplied(): void {
    const until = frame(this.#store.until)
    this.#post({ kind: 'supplied', stream: this.#request.stream, until })
  }

  /** How far the decoder may run: to a hold's bound, or `ahead` and a reserve past the reading. */
  #horizon(): number {
    if (this.#keeping) {
      return this.#request.from + Math.floor(this.#holdBytes / STEREO_FRAME_BYTES) + 1
    }
    return this.#readAt + this.#ahead + RESERVE
  }

  #askForMore(): void {
    const horizon = this.#horizon()
    if (this.#job === null || horizon - this.#wanted < SLACK) return
    this.#wanted = horizon
    this.#decoding.want(this.#job, horizon)
  }

  #release(): void {
    if (this.#job !== null) this.#decoding.drop(this.#job)
    this.#job = null
  }
}
