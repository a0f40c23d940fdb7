// Feeds a device without ever blocking: the loop of the sound process over the patched addon.
//
// The process has nothing else to do, so the loop is plain and synchronous: wait for frames, hand
// the device what it has room for, report. It wakes every 2 ms while the device has something to
// play and four times a second when it has not.
import { readSync } from 'node:fs'
import type { DeviceHandle, LiveAddon } from './speaker-addon.js'
import { GapWatch } from './speaker-gaps.js'
import { FrameQueue } from './speaker-queue.js'
import { FRAME_BYTES, HEARTBEAT_MS, type Line } from './speaker-wire.js'

const STDIN = 0
const PLAYING_WAIT_MS = 2
/** A queue that stays dry this long has an owner that stalled; wake seldom until it is back. */
const DRY_MS = 500
/** What an owner that went away had queued may still sound, for so long at most. */
const FAREWELL_MS = 100

export class DeviceLost extends Error {}

export class LiveFeed {
  private readonly queue = new FrameQueue()
  private readonly state = new Float64Array(4)
  private readonly gaps = new GapWatch()
  private underruns = 0
  /** Underruns that were seen as they were, since the clock last agreed that nothing is missing. */
  private seen = false
  private dry = false
  private drySince = 0
  private reported: readonly number[] = []
  private reportedAt = 0
  private written = 0

  constructor(
    private readonly addon: LiveAddon,
    private readonly handle: DeviceHandle,
    private readonly tell: (line: Line) => void,
  ) {}

  /** Returns when the owner went away; throws DeviceLost when the device did. */
  run(): void {
    for (;;) {
      const readable = this.addon.waitReadable(STDIN, this.wait())
      this.look()
      if (readable && !this.receive()) break
      this.write()
      this.report()
    }
    const until = performance.now() + FAREWELL_MS
    while (performance.now() < until && (this.state[0] ?? 0) > 0) {
      this.addon.waitReadable(-1, PLAYING_WAIT_MS)
      this.look()
      this.write()
    }
  }

  private wait(): number {
    const idle = (this.state[0] ?? 0) === 0 && this.queue.frames() === 0
    if (!idle) return PLAYING_WAIT_MS
    const expecting = this.queue.more() && performance.now() - this.drySince < DRY_MS
    return expecting ? PLAYING_WAIT_MS : HEARTBEAT_MS
  }

  /** Reads the device's state; with nothing left while more was promised, that is an underrun. */
  private look(): void {
    const error = this.addon.queue(this.handle, this.state)
    if (error < 0) throw new DeviceLost(this.addon.explain(error))
    const empty = (this.state[0] ?? 0) === 0 && this.queue.frames() === 0
    if (!empty || !this.queue.more()) {
      this.dry = false
    } else if (!this.dry && this.written > 0) {
      this.dry = true
      this.seen = true
      this.drySince = performance.now()
      this.underruns += 1
    }
    if (empty && !this.queue.more()) this.gaps.restart()
    else if ((this.state[0] ?? 0) > 0) this.compare()
  }

  /** Counts a gap that only the clock tells of. */
  private compare(): void {
    const heard = this.written - (this.state[1] ?? 0)
    const found = this.gaps.observe(heard, performance.now())
    if (found === 'unsure') return
    if (found === 'gap' && !this.seen) this.underruns += 1
    this.seen = false
  }

  /** False at the end of the input. */
  private receive(): boolean {
    const room = this.queue.room()
    const bytes = readSync(STDIN, room, 0, room.length, null)
    if (bytes === 0) return false
    this.queue.received(bytes)
    return true
  }

  private write(): void {
    const frames = this.queue.frames()
    if (frames === 0) return
    const { bytes, offset } = this.queue.head()
    const taken = this.addon.tryWrite(this.handle, bytes, offset, frames, FRAME_BYTES)
    if (taken < 0) throw new DeviceLost(this.addon.explain(taken))
    this.queue.drop(taken)
    this.written += taken
    if (taken > 0) this.dry = false
    const error = this.addon.queue(this.handle, this.state)
    if (error < 0) throw new DeviceLost(this.addon.explain(error))
  }

  private report(): void {
    const waiting = this.queue.frames()
    const fill = (this.state[0] ?? 0) + waiting
    const line: [number, number, number, number] =
      [this.written + waiting, fill, (this.state[1] ?? 0) + waiting, this.underruns]
    const now = performance.now()
    const same = line[0] === this.reported[0] && line[1] === this.reported[1]
    if (same && now - this.reportedAt < HEARTBEAT_MS - 50) return
    this.reported = line
    this.reportedAt = now
    this.tell(line)
  }
}
