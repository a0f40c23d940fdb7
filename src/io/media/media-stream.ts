// One opened stream: an armed head where there is one, the decoder behind it, a bounded store.
import { frame } from '../../clock/frame.js'
import type { Cancel, Timers } from '../../clock/timers.js'
import type { Fact, MediaStream, OpenRequest, StereoBlock } from '../../engine/ports.js'
import type { DecodeListener, Decoding } from './decoder/decoder-messages.js'
import { MediaStore } from './media-store.js'
import type { Head } from './preroll-entry.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'

/** Frames kept decoded beyond `ahead`, and how many may be used up before more is asked for. */
const RESERVE = 96_000
const SLACK = 48_000

/**
 * Where a head lasts for so many frames beyond `ahead`, its decoder begins so much later. A start
 * of ffmpeg takes 20 to 50 ms of a processor, and what a press is waited for needs it then: on two
 * cores the wall's sign was seen after 40 to 72 ms beside one, not after 16. By time, and not by
 * what was played: a run that is paused at once has its file open as others do, and goes on in it
 * although another one was saved over it meanwhile.
 */
const LASTING = 96_000
const PUT_OFF_MS = 250

/** What streams are opened with. */
export interface StreamSurroundings {
  readonly decoding: Decoding
  readonly timers: Timers
  /** The most that one held stream keeps. */
  readonly holdBytes: number
  readonly post: (fact: Fact) => void
  /** Hears how many bytes of what was decoded for it are needed no more. */
  readonly released: (bytes: number) => void
}

export class DecodedStream implements MediaStream, DecodeListener {
  readonly #request: OpenRequest
  readonly #around: StreamSurroundings
  readonly #onClose: () => void
  readonly #store: MediaStore
  /** All is kept while the range may yet fit: decided when it ends or outgrows its bound. */
  #keeping: boolean
  #job: number | null = null
  /** The decoder's beginning, while it is put off. */
  #beginning: Cancel | null = null
  #readAt: number
  #ahead: number
  #wanted: number
  /** A decoder that died was replaced; the next one that dies ends the run (decisions 8). */
  #isReopened = false
  #over = false
  #closed = false

  constructor(request: OpenRequest, around: StreamSurroundings, onClose: () => void) {
    const { from, to, hold, ahead } = request
    this.#request = request
    this.#around = around
    this.#onClose = onClose
    this.#store = new MediaStore(from)
    this.#readAt = from
    this.#ahead = ahead
    this.#keeping = hold && (to === null || (to - from) * STEREO_FRAME_BYTES <= around.holdBytes)
    this.#wanted = from
  }

  /** A head that is there sounds at once; a decoder goes on from its end, as one decode would. */
  start(head: Head | null): void {
    if (head !== null) {
      for (const { sound, count } of head.pieces) this.#store.append(sound, count, true)
      if (this.#store.until > this.#store.from) this.#tellSupplied()
      if (head.end !== null) {
        this.done(head.end.end, head.end.source)
        return
      }
    }
    if (this.#lasts()) {
      this.#beginning = this.#around.timers.background.after(PUT_OFF_MS, () => { this.#begin() })
    } else this.#decode()
  }

  read(at: number, into: StereoBlock, offset: number, count: number): void {
    this.#store.copy(at, into, offset, count)
  }

  passed(at: number): void {
    this.#readAt = at
    if (this.#keeping) return
    this.#forget(at)
    this.#askForMore()
  }

  keepAhead(frames: number): void {
    this.#ahead = frames
    if (this.#beginning !== null && !this.#lasts()) this.#begin()
    if (!this.#keeping) this.#askForMore()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#around.released(this.#store.ownBytes)
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
    this.#around.post({
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
    this.#around.post({ kind: 'broken', stream: this.#request.stream, message })
  }

  /** What there is need not be gone on with yet. */
  #lasts(): boolean {
    return this.#store.until - this.#readAt >= this.#ahead + LASTING
  }

  /** What was put off. */
  #begin(): void {
    this.#beginning?.()
    this.#beginning = null
    this.#decode()
  }

  /** From the end of what is stored on. */
  #decode(): void {
    const { path, from, to } = this.#request
    this.#wanted = this.#horizon()
    const until = this.#wanted
    const next = this.#store.until
    this.#job = this.#around.decoding.decode(
      { path, origin: from, from: next, to, until, background: false },
      this,
    )
  }

  #take(sound: StereoBlock | null, count: number): void {
    if (this.#over || this.#closed) return
    this.#store.append(sound, count)
    if (this.#keeping && this.#store.bytes > this.#around.holdBytes) {
      this.#keeping = false
      this.#forget(this.#readAt)
    }
    this.#tellSupplied()
    this.#askForMore()
  }

  #forget(at: number): void {
    this.#around.released(this.#store.forget(at))
  }

  #tellSupplied(): void {
    const until = frame(this.#store.until)
    this.#around.post({ kind: 'supplied', stream: this.#request.stream, until })
  }

  /** How far the decoder may run: to a hold's bound, or `ahead` and a reserve past the reading. */
  #horizon(): number {
    if (this.#keeping) {
      return this.#request.from + Math.floor(this.#around.holdBytes / STEREO_FRAME_BYTES) + 1
    }
    return this.#readAt + this.#ahead + RESERVE
  }

  #askForMore(): void {
    const horizon = this.#horizon()
    if (this.#job === null || horizon - this.#wanted < SLACK) return
    this.#wanted = horizon
    this.#around.decoding.want(this.#job, horizon)
  }

  #release(): void {
    this.#beginning?.()
    this.#beginning = null
    if (this.#job !== null) this.#around.decoding.drop(this.#job)
    this.#job = null
  }
}
