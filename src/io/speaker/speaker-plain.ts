// Feeds a device through the addon as it comes, where it has no patch or the system no ALSA.
//
// Its buffer is half a second and nothing tells what is in it: sound comes that much late (a GO out
// of silence does not), underruns go uncounted, and each write leaks 0.4 KB. So writes are long,
// and the process ends after so many of them, once nothing sounds; its owner starts another.
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import type { Cancel, Timers } from '../../clock/timers.js'
import type { DeviceHandle, PlainAddon } from './speaker-addon.js'
import { FrameQueue } from './speaker-queue.js'
import { HEARTBEAT_MS, type Line } from './speaker-wire.js'

const WRITE_FRAMES = 2_048
/** What the addon's own buffer of half a second makes of the delay. */
const PLAIN_DELAY_FRAMES = 21_120
/** What it is to have waiting: 15 ms. */
const PLAIN_TARGET_FRAMES = 720
const WRITES_MAX = 100_000
/** After so long without a frame the device has played all that it was given. */
const QUIET_MS = 1_000

export class PlainFeed {
  private readonly queue = new FrameQueue()
  private written = 0
  private writes = 0
  private busy = false
  private done = false
  private quiet: Cancel | null = null

  constructor(
    private readonly addon: PlainAddon,
    private readonly handle: DeviceHandle,
    private readonly timers: Timers,
    private readonly tell: (line: Line) => void,
    private readonly finish: (message: string | null) => void,
  ) {}

  /** @param input what the owner sends; its end is the end of this process. */
  run(input: NodeJS.ReadableStream): void {
    const silence = this.timers.every(HEARTBEAT_MS, () => { this.report() })
    const end = (message: string | null): void => {
      if (this.done) return
      this.done = true
      this.quiet?.()
      silence()
      this.finish(message)
    }
    input.on('data', (chunk: Buffer) => {
      // Bounded: each turn takes a part of the chunk.
      for (let at = 0; at < chunk.length;) {
        const bytes = chunk.copy(this.queue.room(), 0, at)
        this.queue.received(bytes)
        at += bytes
      }
      this.pump(end)
    })
    input.on('end', () => { end(null) })
    input.on('error', () => { end(null) })
    this.report()
  }

  private pump(end: (message: string | null) => void): void {
    if (this.busy || this.done) return
    this.awaitQuiet(end)
    if (this.queue.frames() === 0) return
    this.busy = true
    this.write().then(
      (whole) => {
        this.busy = false
        if (!whole) end('the device takes no more sound')
        this.report()
        this.pump(end)
      },
      (error: unknown) => { end(String(error)) },
    )
  }

  /** A process that ended at once would cut what the device still holds. */
  private awaitQuiet(end: (message: string) => void): void {
    const { queue } = this
    if (queue.frames() > 0 || queue.more() || !queue.isWhole()) {
      this.quiet?.()
      this.quiet = null
    } else if (this.writes > WRITES_MAX) {
      this.quiet ??= this.timers.after(QUIET_MS, () => { end('a fresh sound process takes over') })
    }
  }

  private async write(): Promise<boolean> {
    const frames = Math.min(WRITE_FRAMES, this.queue.frames())
    const { bytes, offset } = this.queue.head()
    // A copy, because the queue moves while a thread of the pool reads these bytes.
    const piece = Buffer.from(bytes.subarray(offset, offset + frames * STEREO_FRAME_BYTES))
    const taken = await this.addon.write(this.handle, piece)
    this.writes += 1
    this.queue.drop(frames)
    this.written += frames
    return taken === piece.length
  }

  private report(): void {
    const waiting = this.queue.frames()
    this.tell({
      taken: this.written + waiting, fill: waiting, kept: 0, delay: waiting + PLAIN_DELAY_FRAMES,
      target: PLAIN_TARGET_FRAMES, underruns: 0, late: 0,
    })
  }
}
