// A device that is open: what it says of itself, and what it is given; every error is its loss.
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import { DEVICE, DEVICE_NUMBERS, type DeviceHandle, type LiveAddon } from './speaker-addon.js'

export class DeviceLost extends Error {}

export class LiveDevice {
  private readonly state = new Float64Array(DEVICE_NUMBERS)
  /** Frames that it was given, without those that were taken back. */
  written = 0
  /** What it has can be taken back. */
  readonly takesBack: boolean
  /** One that takes back knows the sound that it has as over. */
  private hasEnd = true

  constructor(private readonly addon: LiveAddon, private readonly handle: DeviceHandle) {
    this.ask()
    this.takesBack = this.state[DEVICE.takesBack] === 1
  }

  /** Has it tell its state; what it told before is forgotten. */
  ask(): void {
    this.unlessLost(this.addon.queue(this.handle, this.state))
  }

  /** Frames that it has. */
  get fill(): number {
    return this.state[DEVICE.fill] ?? 0
  }

  /** Frames until what is written now is heard. */
  get delay(): number {
    return this.state[DEVICE.delay] ?? 0
  }

  /** Frames that it says it reads in one go. */
  get period(): number {
    return this.state[DEVICE.period] ?? 0
  }

  /** Frames written after the one at which it ran dry since it was asked last; null: it did not. */
  get sinceDry(): number | null {
    const told = this.state[DEVICE.sinceDry] ?? -1
    return this.takesBack && told >= 0 ? told : null
  }

  /**
   * By how many frames what took the place of something came before that was read, since it was
   * asked last; below 0 it came too late. Null: nothing did.
   */
  get slack(): number | null {
    const isTold = this.takesBack && this.state[DEVICE.hasSlack] === 1
    return isTold ? this.state[DEVICE.slack] ?? 0 : null
  }

  /** @returns frames taken, at once. */
  write(bytes: Uint8Array, offset: number, frames: number): number {
    const { addon, handle } = this
    const taken = this.unlessLost(
      addon.tryWrite(handle, bytes, offset, frames, STEREO_FRAME_BYTES),
    )
    this.written += taken
    this.hasEnd = false
    return taken
  }

  /**
   * What it has is all of a sound: nothing takes the place of its end.
   *
   * @returns whether it was told so now.
   */
  end(): boolean {
    if (!this.takesBack || this.hasEnd) return false
    this.write(NOTHING, 0, 0)
    this.hasEnd = true
    return true
  }

  /** @returns frames taken back of the last so many, which the next write overwrites. */
  takeBack(frames: number): number {
    const { addon, handle } = this
    if (!this.takesBack || addon.takeBack === undefined) return 0
    const taken = this.unlessLost(addon.takeBack(handle, frames))
    this.written -= taken
    this.hasEnd = false
    this.state[DEVICE.fill] = this.fill - taken
    return taken
  }

  /** A sound server is told; a card is free once this process is gone. */
  close(): void {
    if (this.takesBack) this.addon.close(this.handle)
  }

  private unlessLost(answer: number): number {
    if (answer < 0) throw new DeviceLost(this.addon.explain(answer))
    return answer
  }
}

const NOTHING = new Uint8Array(0)
