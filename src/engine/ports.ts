// The engine's ports: what it asks of the world, and the facts by which the world answers.
//
// The engine is synchronous. It calls `MediaPort` and nothing else, and what a port has to say
// comes back as a posted fact, never as a return value or a callback within the step. A fact is
// stamped with the frame at which it is posted. A port never throws and never blocks.
//
// Media. `check` asks whether a media file can be opened for reading: answered by one `checked`
// fact. `open` begins a decode of a source from frame `from` (48 kHz, counted from the source's
// first frame) up to `to` (null: the source's end) and returns a stream at once. The stream tells:
//   supplied  every frame in [from, until) can be read now; `until` only grows. A starting run
//             sounds with 100 ms (`CUSHION`) or all that there is, so a port sends each as it comes
//             and decodes at least that much without being read;
//   ended     the stream has no frame at or past `end` (at most `to`); sent as soon as the decoder
//             knows it, however far ahead of the reading; `end` <= `from`: nothing is there.
//             `source` is the whole source's length where the decoder met its end, else null.
//             `held` tells that every frame of [from, end) stays readable until close, so that a
//             loop may wrap by index. After `ended`, the last `supplied` reaches `end`;
//   broken    decoding failed: what was supplied stays readable, nothing more comes.
// The engine reads what was supplied and no more. What it tells to be `passed` is not read again
// and may be forgotten, except where `held`; beyond that it reads in any order, and the same frames
// twice where it looked ahead. A port that runs ahead keeps at least `ahead` frames decoded past
// what was passed, as far as there are any; `keepAhead` changes how many, where the show is edited.
// Facts of a closed stream are ignored.
import type { Frame } from '../clock/frame.js'
import type { Catalogue } from './catalogue.js'

/** Names one opened stream for life. */
export type StreamId = number

/** Interleaving-free stereo PCM, f32, nominally within -1..1. */
export interface StereoBlock {
  readonly left: Float32Array
  readonly right: Float32Array
}

/** A frame of it, interleaved or not: two channels of f32. */
export const STEREO_FRAME_BYTES = 8

/** What a decode is opened for: a start, the next item of a list, the next pass of a loop. */
export type Purpose = 'start' | 'next' | 'pass'

export interface OpenRequest {
  readonly stream: StreamId
  /** The button it is opened for: names an armed head, and the log. */
  readonly buttonId: string
  readonly purpose: Purpose
  readonly path: string
  readonly from: Frame
  readonly to: Frame | null
  /**
   * Frames to keep decoded ahead of the reading, so that an end is known in time to blend into it.
   */
  readonly ahead: Frame
  /** Try to hold the whole range in memory: it is going to be looped. */
  readonly hold: boolean
}

export interface MediaStream {
  /**
   * Copies frames [at, at + count) to `into` from `offset` on. Only what was supplied is asked for.
   */
  read(at: Frame, into: StereoBlock, offset: number, count: number): void
  /** The playhead stands at `at`: what lies before is not read again. */
  passed(at: Frame): void
  /** From now on so many frames are kept decoded ahead of the reading. */
  keepAhead(frames: Frame): void
  close(): void
}

/** Who looks for a file: a start that a client waits for, or a list that looks ahead. */
export type Asker = 'command' | 'list'

export interface MediaPort {
  check(ticket: number, path: string, asker: Asker): void
  open(request: OpenRequest): MediaStream
}

/** Draws ids for runs; in production random, in a simulation counted. */
export interface IdSource {
  next(): string
}

/** All that comes in from outside, as data. */
export type Fact =
  | {
      readonly kind: 'checked'
      readonly ticket: number
      readonly found: boolean
      /** Where it is not known whether the file is there: why, e.g. `its disk does not answer`. */
      readonly trouble?: string
    }
  | { readonly kind: 'supplied'; readonly stream: StreamId; readonly until: Frame }
  | {
      readonly kind: 'ended'
      readonly stream: StreamId
      readonly end: Frame
      readonly source: Frame | null
      readonly held: boolean
    }
  | { readonly kind: 'broken'; readonly stream: StreamId; readonly message: string }
  /** What a probe found out about a file: its length, as good as the container tells it. */
  | { readonly kind: 'probed'; readonly path: string; readonly duration: Frame }
  | { readonly kind: 'output_lost'; readonly message: string }
  | { readonly kind: 'output_back' }
  /**
   * The show is being replaced: commands are refused until the next catalogue or `catalogue_kept`.
   */
  | { readonly kind: 'catalogue_busy' }
  | { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
  | { readonly kind: 'catalogue_kept'; readonly message: string | null }
  | { readonly kind: 'shutdown' }
