// What a run sounds from: its passes over the media, its place in them, and the seam of a loop.
import { add, earlier, type Frame } from '../../clock/frame.js'
import type { MediaStream, OpenRequest, StereoBlock, StreamId } from '../ports.js'
import { blendLoop } from './loop-blend.js'

/** One decode of a media range, from `from` on; facts about its stream are kept here. */
export class Pass {
  readonly stream: StreamId
  readonly path: string
  readonly from: Frame
  supplied: Frame
  /** The range's last frame + 1, once the decoder knows it. */
  end: Frame | null = null
  held = false
  broken: string | null = null
  /** The whole source's length, where the decoder met its end. */
  source: Frame | null = null
  #closed = false

  constructor(
    { stream, path, from }: Pick<OpenRequest, 'stream' | 'path' | 'from'>,
    readonly media: MediaStream,
    /** Called after each fact about the stream, by its present owner. */
    public owner: (pass: Pass) => void,
    private readonly forget: () => void,
    readonly cushion: Frame,
  ) {
    this.stream = stream
    this.path = path
    this.from = from
    this.supplied = from
  }

  /** Enough is decoded to go on, or all that there will ever be, were it nothing. */
  get filled(): boolean {
    return this.done || this.supplied - this.from >= this.cushion
  }

  /** Something of it can be heard, with enough in stock not to stop again at once (cushion). */
  get ready(): boolean {
    return this.filled && this.supplied > this.from
  }

  get empty(): boolean {
    const nothing = this.broken !== null && this.supplied <= this.from
    return nothing || (this.end !== null && this.end <= this.from)
  }

  /** Nothing more will be supplied. */
  get done(): boolean {
    return this.broken !== null || (this.end !== null && this.supplied >= this.end)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.media.close()
    this.forget()
  }
}

/** An overlap of a loop: the tail from `begin` (a position) on, against the head from Start on. */
export interface Seam {
  readonly begin: Frame
  readonly overlap: Frame
  readonly head: Pass
}

export class Voice {
  readonly start: Frame
  position: Frame
  moving = false
  seam: Seam | null = null
  /** The loop's next pass, opened ahead of its time. */
  next: Pass | null = null
  /** Whether this pass ends or wraps was read where the overlap begins, once (decisions 3). */
  decided = false

  constructor(
    public tail: Pass,
    public at: Frame,
  ) {
    this.start = tail.from
    this.position = tail.from
  }

  positionAt(now: Frame): Frame {
    return this.moving ? add(this.position, now - this.at) : this.position
  }

  go(now: Frame): void {
    if (this.moving) return
    this.at = now
    this.moving = true
  }

  hold(now: Frame): void {
    this.position = this.positionAt(now)
    this.at = now
    this.moving = false
  }

  /** The position up to which frames can be read now: what both sides of a seam have. */
  limit(): Frame {
    const { supplied, end } = this.tail
    const tail = end === null ? supplied : earlier(supplied, end)
    if (this.seam === null) return tail
    const { head, begin } = this.seam
    return earlier(tail, add(begin, head.supplied - this.start))
  }

  /** Whether the supply is all that there will ever be: nothing more can come at its limit. */
  complete(): boolean {
    if (this.seam === null) return this.tail.done
    const { head, begin } = this.seam
    const headLimit = begin + head.supplied - this.start
    return headLimit < this.tail.supplied ? head.done : this.tail.done
  }

  /** Whether what starved may go on: with a cushion in stock, or all that there will ever be. */
  canGoOn(): boolean {
    if (this.seam?.head.filled === false) return false
    return this.limit() - this.position >= this.tail.cushion || this.complete()
  }

  /** What a decoder said when it gave up, as far as this place in the media hangs on it. */
  complaint(): string | null {
    return this.seam?.head.broken ?? this.tail.broken
  }

  beginSeam(overlap: Frame, head: Pass, now: Frame): void {
    this.seam = { begin: this.positionAt(now), overlap, head }
  }

  /** The head becomes the tail; with an overlap its consumed part is behind us (3.4.5). */
  wrap(head: Pass, now: Frame): void {
    const consumed = this.seam?.overlap ?? 0
    if (head !== this.tail) this.tail.close()
    this.tail = head
    this.seam = null
    this.next = null
    this.decided = false
    this.position = add(this.start, consumed)
    this.at = now
  }

  /**
   * Reads `count` frames at the playhead, a loop's tail and head mixed with complementary gains.
   * It changes nothing, so that what comes may be read before it is due.
   */
  read(now: Frame, into: StereoBlock, scratch: StereoBlock, count: number): void {
    const position = this.positionAt(now)
    this.tail.media.read(position, into, 0, count)
    if (this.seam === null) return
    const { begin, overlap, head } = this.seam
    const into0 = position - begin
    head.media.read(add(this.start, into0), scratch, 0, count)
    blendLoop(into, scratch, into0, overlap, count)
  }

  /** What lies before the playhead may be forgotten. */
  pass(now: Frame): void {
    const position = this.positionAt(now)
    this.tail.media.passed(position)
    if (this.seam === null) return
    this.seam.head.media.passed(add(this.start, position - this.seam.begin))
  }

  /** Its passes keep so many frames decoded ahead from now on. */
  keepAhead(frames: Frame): void {
    for (const pass of [this.tail, this.next, this.seam?.head]) pass?.media.keepAhead(frames)
  }

  close(): void {
    this.tail.close()
    this.next?.close()
    this.seam?.head.close()
  }
}
