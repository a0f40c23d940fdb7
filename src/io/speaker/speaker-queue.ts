// Frames on their way from the pipe to the device: unpacks messages into one run of PCM.
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import { HEAD_BYTES, MESSAGE_FRAMES_MAX, MORE } from './speaker-wire.js'

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
        this.begin(this.inbox.readUInt32LE(at))
        at += HEAD_BYTES
        continue
      }
      const frames = Math.min(this.expected, Math.floor((end - at) / STEREO_FRAME_BYTES))
      if (frames === 0) break
      this.append(at, frames * STEREO_FRAME_BYTES)
      at += frames * STEREO_FRAME_BYTES
      this.expected -= frames
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

  head(): { bytes: Buffer; offset: number } {
    return { bytes: this.pcm, offset: this.from }
  }

  drop(frames: number): void {
    this.from += frames * STEREO_FRAME_BYTES
    if (this.from > this.to) throw new RangeError('more frames dropped than were there')
    if (this.from < this.to) return
    this.from = 0
    this.to = 0
  }

  private begin(head: number): void {
    this.promised = head >= MORE
    this.expected = this.promised ? head - MORE : head
    if (this.expected > MESSAGE_FRAMES_MAX) throw new RangeError('a message too long: out of step')
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
