// A sound device on the virtual clock, in place of the native addon: a buffer, a period, a crystal
// of its own; it can be unplugged, and it can stop taking sound for a while.
import type { VirtualTimers } from '../../src/clock/virtual.js'
import type { DeviceHandle, LiveAddon } from '../../src/io/speaker/speaker-addon.js'

export interface DeviceSpec {
  /** How far its crystal is off, in millionths. */
  readonly ppm: number
  /** What it consumed it tells in steps of so many frames. */
  readonly stepFrames: number
  /**
   * A sound server lies before it, which holds so many frames more. What it tells is as old as the
   * last time that anyone listened to it, and its estimate of the delay settles in steps.
   */
  readonly serverFrames: number
  /** What it has not read yet can be overwritten; it reads a little ahead of what is heard. */
  readonly takesBack: boolean
}

/** Who listens at the device. */
export interface Listener {
  opened(): void
  heard(left: number, right: number, now: number): void
  /** It has nothing left to play: silence until the next write. */
  dry(): void
  /** It plays again, after so many frames of silence. */
  again(silentFrames: number): void
  /** What it had is gone unheard. */
  closed(): void
}

const GONE = -19
/** Looks that are further apart than this meet the old word of a server first. */
const FRESH_FRAMES = 240
/** So much one that takes back has read beyond what is heard. */
const READ_AHEAD = 64
/** Frames by which a server tells too short a delay in the first seconds of a sound. */
export const UNSETTLED_FRAMES = [110, 60, 60, 0]

interface DeviceBuffer {
  readonly size: number
  /** Left and right in turn. */
  readonly sound: Float32Array
  written: number
  taken: number
}

export class VirtualDevice {
  plugged = true
  running = false
  #buffer: DeviceBuffer | null = null
  /** The frame of the world from which it plays, shifted by what it stood still. */
  #began = 0
  #wroteBefore = 0
  #dryAt = 0
  /** The frame at which it ran dry since the last look. */
  #dryFrame: number | null = null
  #frozenUntil = 0
  #lookedAt = 0
  #told: readonly number[] = [0, 0, 0, 0]
  /** Frames at the end that the next write overwrites; how early the last such one came. */
  #back = 0
  #slack: number | null = null

  constructor(
    private readonly world: VirtualTimers, private readonly spec: DeviceSpec,
    private readonly listener: Listener,
  ) {}

  get frozen(): boolean {
    return this.world.now() < this.#frozenUntil
  }

  unplug(): void {
    this.close()
    this.plugged = false
  }

  /** It takes nothing for so long, and plays on from there. */
  freeze(ms: number): void {
    this.advance()
    const from = Math.max(this.world.now(), this.#frozenUntil)
    this.#frozenUntil = Math.max(this.#frozenUntil, this.world.now() + ms * 48)
    this.#began += Math.max(0, this.#frozenUntil - from)
  }

  close(): void {
    if (this.#buffer === null) return
    this.advance()
    this.#buffer = null
    this.running = false
    this.listener.closed()
  }

  /** Plays what is due by now. */
  advance(): void {
    const buffer = this.#buffer
    if (buffer === null || !this.running) return
    const due = Math.floor((this.world.now() - this.#began) * (1 + this.spec.ppm / 1e6))
    const to = Math.min(buffer.written + this.#back, this.#wroteBefore + due)
    for (; buffer.taken < to; buffer.taken += 1) {
      const at = (buffer.taken % buffer.size) * 2
      this.listener.heard(buffer.sound[at]!, buffer.sound[at + 1]!, this.world.now())
    }
    if (buffer.taken < buffer.written + this.#back) return
    this.running = false
    this.#dryFrame = buffer.written
    this.#dryAt = this.#began + (buffer.taken - this.#wroteBefore)
    this.listener.dry()
  }

  /** The addon of a process that has just started. */
  addon(): LiveAddon {
    return {
      MPG123_ENC_FLOAT_32: 0,
      open: (_channels, _rate, _format, _device, buffer, period) => this.#open(buffer, period),
      write: () => Promise.reject(new Error('bug: the plain addon is not simulated')),
      tryWrite: (handle, bytes, offset, frames) =>
        handle === this.#buffer ? this.#write(bytes, offset, frames) : GONE,
      takeBack: (handle, frames) => handle === this.#buffer ? this.#takeBack(frames) : GONE,
      queue: (handle, into) => handle === this.#buffer ? this.#look(into) : GONE,
      explain: () => 'No such device',
      close: () => undefined,
      waitReadable: () => false,
    }
  }

  #open(size: number, periodFrames: number): DeviceHandle {
    if (!this.plugged || this.frozen || this.#buffer !== null) throw new Error('no such device')
    this.#buffer = { size, sound: new Float32Array(size * 2), written: 0, taken: 0 }
    this.#told = [0, 0, size, periodFrames]
    this.#back = 0
    this.#slack = null
    this.#dryFrame = null
    this.listener.opened()
    return this.#buffer
  }

  #takeBack(frames: number): number {
    if (!this.spec.takesBack) return 0
    this.advance()
    const { written, taken } = this.#buffer!
    const count = Math.max(0, Math.min(frames, written - taken - this.#back))
    this.#back += count
    return count
  }

  #write(bytes: Uint8Array, offset: number, frames: number): number {
    this.advance()
    const buffer = this.#buffer!
    const read = this.#readTo(buffer)
    // The sound is over: what was read by then sounded, and the next one comes behind it.
    if (frames === 0) {
      buffer.written = Math.max(buffer.written - this.#back, read, buffer.taken)
      this.#back = 0
      return 0
    }
    if (this.#back > 0) {
      buffer.written -= this.#back
      this.#back = 0
      this.#slack = Math.min(this.#slack ?? Infinity, buffer.written - read)
    }
    const count = Math.min(frames, buffer.size - this.#fill(buffer))
    if (count > 0 && !this.running) {
      this.running = true
      this.#wroteBefore = buffer.written
      // What went dry is silent for a frame at least.
      this.#began = Math.max(this.world.now(), this.#frozenUntil) + 1
      this.listener.again(this.#began - this.#dryAt)
    }
    const from = new Float32Array(bytes.buffer, bytes.byteOffset + offset, count * 2)
    for (let i = Math.max(0, read - buffer.written); i < count; i += 1) {
      const at = (buffer.written + i) % buffer.size
      buffer.sound.set(from.subarray(2 * i, 2 * i + 2), 2 * at)
    }
    buffer.written += count
    return count
  }

  /** The first frame that can still be overwritten. */
  #readTo({ written, taken }: DeviceBuffer): number {
    return this.spec.takesBack ? Math.min(written, taken + READ_AHEAD) : written
  }

  #look(into: Float64Array): number {
    this.advance()
    const buffer = this.#buffer!
    const now = this.world.now()
    const old = this.spec.serverFrames > 0 && now - this.#lookedAt > FRESH_FRAMES
    this.#lookedAt = now
    const before = this.#told
    const fill = this.#fill(buffer)
    const delay = fill === 0 ? 0 : fill + this.#serverDelay(now)
    this.#told = [fill, delay, before[2]!, before[3]!]
    into.set(old ? before : this.#told)
    const sinceDry = this.#dryFrame === null ? -1 : buffer.written - this.#dryFrame
    const slack = this.#slack ?? 0
    into.set([Number(this.spec.takesBack), slack, Number(this.#slack !== null), sinceDry], 4)
    this.#slack = null
    this.#dryFrame = null
    return 0
  }

  #serverDelay(now: number): number {
    const { serverFrames } = this.spec
    const second = Math.max(0, Math.floor((now - this.#began) / 48_000))
    return Math.max(0, serverFrames - (UNSETTLED_FRAMES[second] ?? 0))
  }

  /** As it is told: what was consumed, in whole periods; nothing only where it is dry. */
  #fill({ written, taken }: DeviceBuffer): number {
    if (!this.running) return 0
    const since = taken - this.#wroteBefore
    return Math.max(0, written - taken - this.#back) + (since % this.spec.stepFrames)
  }
}
