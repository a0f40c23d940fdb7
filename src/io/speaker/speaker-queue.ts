// Frames on their way from the pipe to the device: unpacks messages into one run of PCM, whose end
// the owner may take back (speaker-wire).
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import { HEAD_BYTES, MESSAGE_FRAMES_MAX, readHead, type Head } from './speaker-wire.js'

/** A second of frames; an owner that sends more than it was asked for is broken. */
const QUEUE_FRAMES = 48_000
const RECEIVE_BYTES = 65_536

export class FrameQueue {
  private readonly inbox = Buffer.alloc(RECEIVE_BYTES + HEAD_BYTES + STEREO_FRAME_BYTES)
  /** Bytes at the inbox's start that no message was made of yet. */
  private kept = 0
  private readonly pcm = Buffer.alloc(QUEUE_FRAMES * STEREO_FRAME_BYTES)
  private from = 0
  private to = 0
  /** Frames of the present message that are still to come. */
  private expected = 0
  private promised = false
  /** The number of the frame that is handed over next, and of the first that may be taken back. */
  private handed = 0
  private open = 0
  /** Frames that are to be left out when they come: others were handed over in their place. */
  private behind = 0
  private tooLate = 0
  private beyondEnd = 0

  /** @param takeBack frames handed over last that the device is to give back; those it gave. */
  constructor(private readonly takeBack: (frames: number) => number = () => 0) {}

  /** Where the next bytes are to be received. */
  room(): Buffer {
    return this.inbox.subarray(this.kept, this.kept + RECEIVE_BYTES)
  }

  received(bytes: number): void {
    const end = this.kept + bytes
    let at = 0
    // Bounded: each turn uses up a head or all that is there.
    for (;;) {
      if (this.expected === 0) {
        if (end - at < HEAD_BYTES) break
        this.begin(readHead(this.inbox, at))
        at += HEAD_BYTES
        this.resume()
        continue
      }
      const frames = Math.min(this.expected, Math.floor((end - at) / STEREO_FRAME_BYTES))
      if (frames === 0) break
      const late = Math.min(frames, this.behind)
      this.behind -= late
      this.append(at + late * STEREO_FRAME_BYTES, (frames - late) * STEREO_FRAME_BYTES)
      at += frames * STEREO_FRAME_BYTES
      this.expected -= frames
      this.resume()
    }
    this.inbox.copyWithin(0, at, end)
    this.kept = end - at
  }

  /** The last message promised that another follows. */
  more(): boolean {
    return this.promised
  }

  frames(): number {
    return (this.to - this.from) / STEREO_FRAME_BYTES
  }

  /** Those of them that are not taken back any more. */
  settled(): number {
    return Math.max(0, Math.min(this.frames(), this.open - this.handed))
  }

  /** No message is under way of which only a part has come. */
  isWhole(): boolean {
    return this.expected === 0
  }

  /**
   * Frames that sounded after an end, since it came too late, and were not told yet: nothing is
   * left out for them. The number of the next frame is less by so many.
   */
  takeBeyondEnd(): number {
    const frames = this.beyondEnd
    this.beyondEnd = 0
    return frames
  }

  /** Frames that came too late to take another's place. */
  late(): number {
    return this.tooLate
  }

  head(): { bytes: Buffer; offset: number } {
    return { bytes: this.pcm, offset: this.from }
  }

  drop(frames: number): void {
    this.from += frames * STEREO_FRAME_BYTES
    this.handed += frames
    if (this.from > this.to) throw new RangeError('more frames dropped than were there')
    if (this.from < this.to) return
    this.from = 0
    this.to = 0
  }

  private begin({ count, more, replaced, open }: Head): void {
    if (count > MESSAGE_FRAMES_MAX) throw new RangeError('a message too long: out of step')
    const back = Math.min(replaced, this.frames())
    this.to -= back * STEREO_FRAME_BYTES
    const returned = replaced > back ? this.takeBack(replaced - back) : 0
    this.handed -= returned
    const missed = replaced - back - returned
    this.behind += missed
    this.tooLate += missed
    this.promised = more
    this.expected = count
    this.open = this.handed + this.frames() - this.behind + count - open
  }

  /** A sound is over: what comes next begins with its first frame, whatever was late before. */
  private resume(): void {
    if (this.expected > 0 || this.promised || this.behind === 0) return
    this.handed -= this.behind
    this.beyondEnd += this.behind
    this.behind = 0
  }

  private append(at: number, bytes: number): void {
    if (this.to + bytes > this.pcm.length) {
      this.pcm.copyWithin(0, this.from, this.to)
      this.to -= this.from
      this.from = 0
    }
    if (this.to + bytes > this.pcm.length) throw new RangeError('more frames than were asked for')
    this.inbox.copy(this.pcm, this.to, at, at + bytes)
    this.to += bytes
  }
}
