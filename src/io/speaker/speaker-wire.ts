// What the sound process and its owner say to each other, byte for byte.
//
// To the process (its stdin): messages of a head and the frames it announces, interleaved stereo
// f32. The head is three little-endian u32:
//   count     of frames that follow; in its top bit `more`: another message follows, so running dry
//             after this one is an underrun;
//   replaced  so many frames at the end of what was sent before are taken back first;
//   open      so many frames at the end of all that was sent by now may still be taken back.
// A device that takes back has what is open too. To another one it goes only where the owner is
// late. Should it be taken back when it was heard already, then what was to come in its place is
// left out as far as it is too late, and told (`late`).
//
// From the process (its descriptor 3): one JSON object a line: a report, sent whenever the
// device consumed and four times a second at least, or news.
import type { UrgentThread } from '../thread-priority.js'
import type { Learned, TargetLimits } from './speaker-target.js'

export const HEAD_BYTES = 12
const MORE = 0x8000_0000

/** What a head says. */
export interface Head {
  readonly count: number
  readonly more: boolean
  readonly replaced: number
  readonly open: number
}

export const writeHead = (into: Buffer, { count, more, replaced, open }: Head): void => {
  into.writeUInt32LE(more ? count + MORE : count, 0)
  into.writeUInt32LE(replaced, 4)
  into.writeUInt32LE(open, 8)
}

export const readHead = (from: Buffer, at: number): Head => {
  const first = from.readUInt32LE(at)
  const more = first >= MORE
  return {
    count: more ? first - MORE : first, more,
    replaced: from.readUInt32LE(at + 4), open: from.readUInt32LE(at + 8),
  }
}

/** Frames in one message at most, above the longest buffer (200 ms); more is the sender's bug. */
export const MESSAGE_FRAMES_MAX = 16_384
/** A report comes at least this often, so that its absence means a process that hangs. */
export const HEARTBEAT_MS = 250

/** All since the device opened, in frames. */
export interface Report {
  /** Received: the number of the next frame that is sent. */
  readonly taken: number
  /** Of those, not consumed yet. */
  readonly fill: number
  /** Of those, such as can still be taken back. */
  readonly kept: number
  /** Until a frame is heard that lies right behind those which cannot be taken back. */
  readonly delay: number
  /** How many frames must be rendered for good ahead of what the device consumed. */
  readonly target: number
  readonly underruns: number
  /** Frames that came too late to take the place of what had been handed over. */
  readonly late: number
}

/** `live`: fed without blocking (the patched addon); `plain`: the addon as it comes. */
export type SpeakerMode = 'live' | 'plain'

export type News =
  /** The process is up, and opens the device. */
  | { readonly kind: 'started' }
  /** The system has real-time scheduling, and this user may not ask for it. */
  | { readonly kind: 'not_realtime' }
  /** The addon was patched for another version of cartwall. */
  | { readonly kind: 'other_patch' }
  | {
    readonly kind: 'opened'; readonly mode: SpeakerMode
    /** What was handed to the device can be taken back, where it was not read yet. */
    readonly takesBack: boolean
    /** The target that it begins with; see `Report`. */
    readonly target: number
  }
  /** The device does not open; the process tries again by itself. */
  | { readonly kind: 'closed'; readonly message: string }
  /** The device is gone, or there is no addon: the process ends. */
  | { readonly kind: 'ended'; readonly message: string }

export type Line = Report | News

export const isReport = (line: Line): line is Report => 'taken' in line

/** What the process is started with, as one JSON argument. */
export interface SpeakerArguments {
  /** Null: the system's default. */
  readonly device: string | null
  readonly bufferFrames: number
  readonly periodFrames: number
  readonly target: TargetLimits
  /** The target that an earlier process had come to, and with what device; null: none. */
  readonly learned: Learned | null
  /** The owner's threads that run before others, where this user may ask for it. */
  readonly urgentThreads: readonly UrgentThread[]
  /** The device took nothing any more when it was last open: it counts as open once it does. */
  readonly isDoubted: boolean
}

/** A sound process as its owner holds it; what is sent to one that is gone is lost. */
export interface SoundProcess {
  /** Null where it could not be started. */
  pid(): number | null
  send(bytes: Uint8Array): void
  /** Its input ends: it plays for a moment what it has, and goes. */
  end(): void
  /** It goes at once, also where it hangs. */
  kill(): void
}

/** Nothing of it is called before the process was returned. */
export interface SoundProcessListener {
  /** Text of its descriptor 3, cut anywhere. */
  heard(text: string): void
  /** What libraries print; the last line of it says why a process died. */
  complained(text: string): void
  /** Once, and nothing after it. @param how a signal's name or `code N`. */
  ended(how: string): void
}

export type StartSoundProcess = (
  wanted: SpeakerArguments, listener: SoundProcessListener,
) => SoundProcess
