// What the sound process and its owner say to each other, byte for byte.
//
// To the process (its stdin): messages of a 4-byte little-endian head and the frames it announces,
// interleaved stereo f32. The head holds the count of frames and, in its top bit, `more`: another
// message follows at once, so running dry after this one is an underrun.
//
// From the process (its descriptor 3): one JSON value a line. An array is a report, sent whenever
// the device consumed and four times a second at least; an object is news.
export const HEAD_BYTES = 4
export const MORE = 0x8000_0000
/** Frames in one message at most; more is a bug of the sender. */
export const MESSAGE_FRAMES_MAX = 8_192
/** A report comes at least this often, so that its absence means a process that hangs. */
export const HEARTBEAT_MS = 250

/**
 * [taken, fill, delay, underruns]: frames received since the device opened, those of them that have
 * not been consumed, frames until a frame written now is heard, and underruns, both since then too.
 */
export type Report = readonly [taken: number, fill: number, delay: number, underruns: number]

/** `live`: fed without blocking (the patched addon); `plain`: the addon as it comes. */
export type SpeakerMode = 'live' | 'plain'

export type News =
  | { readonly kind: 'opened'; readonly mode: SpeakerMode; readonly bufferFrames: number }
  /** The device does not open; the process tries again by itself. */
  | { readonly kind: 'closed'; readonly message: string }
  /** The device is gone, or there is no addon: the process ends. */
  | { readonly kind: 'ended'; readonly message: string }

export type Line = Report | News

export const isReport = (line: Line): line is Report => Array.isArray(line)

/** What the process is started with, as one JSON argument. */
export interface SpeakerArguments {
  /** Null: the system's default. */
  readonly device: string | null
  readonly bufferFrames: number
  readonly periodFrames: number
  /** The owner's thread, by the system's id: run before others where this user may ask for it. */
  readonly realtimeThread: number | null
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
