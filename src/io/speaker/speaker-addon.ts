// The native calls of the addon `speaker` as patched, and what is there of them without the patch.
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Opaque to us. */
export type DeviceHandle = object

export interface PlainAddon {
  readonly MPG123_ENC_FLOAT_32: number
  /** Throws when the device does not open. The two sizes (frames) are ignored without the patch. */
  open(
    channels: number, rate: number, format: number, device: string | null,
    bufferFrames: number, periodFrames: number,
  ): DeviceHandle
  /** Blocks a thread of the pool until the device took all; the bytes taken (fewer: it failed). */
  write(handle: DeviceHandle, bytes: Uint8Array): Promise<number>
}

export interface LiveAddon extends PlainAddon {
  /** Frames taken, at once; negative: an error. */
  tryWrite(
    handle: DeviceHandle, bytes: Uint8Array, offset: number, frames: number, frameBytes: number,
  ): number
  /**
   * So many frames at the end of what was written, at most, are to be overwritten by the next
   * write. A write of none says that the sound is over. Frames taken back; negative: an error.
   */
  takeBack?(handle: DeviceHandle, frames: number): number
  /** Fills in what `DEVICE` names (8 numbers); negative: an error. */
  queue(handle: DeviceHandle, into: Float64Array): number
  explain(error: number): string
  /** Lets go of the device in order; 200 ms at most where it takes back. */
  close(handle: DeviceHandle): void
  /** Blocks until the descriptor can be read or has ended, for so long at most. */
  waitReadable(fd: number, ms: number): boolean
  dieWithParent?(): void
  /** Real-time scheduling of a thread (0: this one); false where this user may not ask for it. */
  realtime?(thread: number, priority: number): boolean
  devices?(): { name: string; description: string }[]
}

/** Where `queue` puts what, in frames. */
export const DEVICE = {
  fill: 0, delay: 1, size: 2, period: 3,
  /** 1: what it has can be taken back. */
  takesBack: 4,
  /**
   * By how much what took the place of something came before that was read, at the least since the
   * last look; below 0 it came too late. It holds where `hasSlack` is 1.
   */
  slack: 5, hasSlack: 6,
  /** Frames written after the one at which it ran dry since the last look; -1: it did not. */
  sinceDry: 7,
} as const
export const DEVICE_NUMBERS = 8

const SCRIPT = join(import.meta.dirname, '../../../scripts/patch-speaker.mjs')

/** What to do where it is not as it should be: in any folder, e.g. after `npm install -g` too. */
export const ADDON_CURE = `\`node '${SCRIPT}'\` builds it or says what it lacks`

export const isLive = (addon: PlainAddon): addon is LiveAddon =>
  'tryWrite' in addon && 'queue' in addon && 'waitReadable' in addon

/** Loads the addon. Unpatched and without a default device this ends the process (SIGABRT). */
export const loadAddon = (): PlainAddon => {
  const require = createRequire(import.meta.url)
  const speaker = require('speaker') as { readonly binding?: PlainAddon }
  if (speaker.binding !== undefined) return speaker.binding
  const inSpeaker = createRequire(require.resolve('speaker'))
  const bindings = inSpeaker('bindings') as (name: object) => unknown
  const root = require.resolve('speaker/package.json').replace(/package\.json$/u, '')
  return bindings({ bindings: 'binding', module_root: root }) as PlainAddon
}
