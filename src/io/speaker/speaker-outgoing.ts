// Frames on their way to the sound process: what is rendered for good, what was foreseen behind it
// and may yet be taken back, and what of both the process has already.
//
// Frames are numbered from the opening of the device on. What is foreseen anew is compared with
// what was sent, sample by sample, so that a fact which changes nothing that is heard sends
// nothing.
import { STEREO_FRAME_BYTES, type StereoBlock } from '../../engine/ports.js'
import { HEAD_BYTES, writeHead } from './speaker-wire.js'

/** So many times what is held at most, since moving it costs more than the memory. */
const ROOM = 4

export class OutgoingFrames {
  /** Frames from number `first` on, left and right in turn. */
  private readonly frames: Float32Array
  private first = 0
  private settledTo = 0
  /** Where the frames end that are rendered or foreseen, and those that were sent. */
  private end = 0
  private sentTo = 0
  /** The first frame that is not as it was sent. */
  private changed = Infinity
  private more = false
  private toldOpen = 0
  private toldMore = false

  /** @param most frames held at one time. */
  constructor(private readonly most: number) {
    this.frames = new Float32Array(2 * ROOM * most)
  }

  /** Another device: nothing was sent. */
  restart(): void {
    this.first = 0
    this.settledTo = 0
    this.end = 0
    this.sentTo = 0
    this.changed = Infinity
    this.toldOpen = 0
    this.toldMore = false
  }

  /** Frames for good since the device opened. */
  settled(): number {
    return this.settledTo
  }

  /** Frames foreseen behind them. */
  ahead(): number {
    return this.end - this.settledTo
  }

  /** Frames rendered for good. @param more others follow at once. */
  take(block: StereoBlock, count: number, more: boolean): void {
    const differs = this.put(this.settledTo, block, count)
    this.settledTo += count
    // What was foreseen after something else is void; an engine that foresees rightly never does.
    if (differs || this.end < this.settledTo) this.end = this.settledTo
    this.more = more
  }

  /** Frames foreseen behind the last ones. */
  foresee(block: StereoBlock, count: number): void {
    this.put(this.end, block, count)
    this.end += count
  }

  /** Something of it is new, or is not as it was sent. */
  isChanged(): boolean {
    return this.changed < this.end
  }

  /** What was foreseen is foreseen anew. */
  revise(): void {
    this.end = this.settledTo
  }

  /** The message that makes the process hold the same; null where it does. */
  message(): Uint8Array | null {
    const from = Math.min(this.changed, this.end)
    const replaced = Math.max(0, this.sentTo - from)
    const [count, open] = [this.end - from, this.end - this.settledTo]
    const same = count + replaced === 0 && this.toldOpen === open && this.toldMore === this.more
    if (same) return null
    const message = Buffer.from(new ArrayBuffer(HEAD_BYTES + count * STEREO_FRAME_BYTES))
    writeHead(message, { count, more: this.more, replaced, open })
    new Float32Array(message.buffer, HEAD_BYTES)
      .set(this.frames.subarray(2 * (from - this.first), 2 * (this.end - this.first)))
    this.sentTo = this.end
    this.changed = Infinity
    this.toldOpen = open
    this.toldMore = this.more
    this.makeRoom()
    return message
  }

  /** What is rendered for good and sent is not looked at again. */
  private makeRoom(): void {
    if (this.end - this.first < (ROOM - 1) * this.most) return
    this.frames.copyWithin(0, 2 * (this.settledTo - this.first), 2 * (this.end - this.first))
    this.first = this.settledTo
  }

  /** @returns whether a frame that was there before is another one now. */
  private put(at: number, { left, right }: StereoBlock, count: number): boolean {
    if (at + count - this.first > ROOM * this.most) throw new RangeError('too many frames')
    const { frames } = this
    let isChanged = false
    for (let i = 0; i < count; i += 1) {
      const place = 2 * (at + i - this.first)
      const [l, r] = [left[i] ?? 0, right[i] ?? 0]
      if (at + i < this.sentTo) {
        if (frames[place] === l && frames[place + 1] === r) continue
        isChanged = true
      }
      frames[place] = l
      frames[place + 1] = r
      if (at + i < this.changed) this.changed = at + i
    }
    return isChanged
  }
}
