// What the main thread and the sound thread say to each other: plain data, in order, both ways.
import type { Command, Reply } from '../engine/commands/commands.js'
import type { Show } from '../engine/catalogue.js'
import type { EngineEvent } from '../engine/events.js'
import type { Change } from '../engine/read-model.js'
import type { Levels } from '../engine/sound/meter.js'
import type { Fact } from '../engine/ports.js'
import type { Look } from '../io/media/look/file-look.js'
import type { ProbeAnswer } from '../io/media/probe/probe-file.js'
import type { Sink } from '../io/output/sink.js'
import type { WaveAnswer, WaveAsked } from '../io/waves/wave-messages.js'
import type { ToldFact, ToldInput } from '../recording/recording.js'
import type { ShowPart } from './show-transfer.js'

/** What is opened, and where. */
export interface Opening {
  /** Null: the speaker, or nothing where there is none. */
  readonly sink: Sink | null
  /** Null: the system's default. */
  readonly device: string | null
  /** What the device has in its buffer; null: as it proves to need. */
  readonly bufferMs: number | null
}

export interface SoundSetup extends Opening {
  readonly show: Show
  readonly dmxAllowed: boolean
  /** Where the thread writes the engine's frame (clock/shared-time.ts). */
  readonly time: SharedArrayBuffer
  readonly seed: number
  /** Whether every input of the engine is told, for the flight recorder. */
  readonly record: boolean
}

/** Facts that the main thread knows; a changed show goes over in parts. */
export type MainFact =
  Extract<Fact, { kind: 'probed' | 'catalogue_busy' | 'catalogue_kept' | 'shutdown' }>

/** What the engine was told, for the flight recorder; a show by its number (`ShowPart`). */
export type NumberedFact = ToldFact<ShowPart['show']>
export type NumberedInput = ToldInput<ShowPart['show']>

/** For the decoding process, which is the sound thread's: how a file is, what is in it. */
export type FileQuestion =
  | { readonly asks: 'look' | 'probe'; readonly path: string }
  | { readonly asks: 'wave'; readonly wave: WaveAsked }

export type FileAnswer = Look | ProbeAnswer | WaveAnswer

export type ToSound =
  /** May come before the setup, so that a device opens while the show is read. */
  | { readonly kind: 'open'; readonly opening: Opening }
  | { readonly kind: 'setup'; readonly setup: SoundSetup }
  | { readonly kind: 'command'; readonly id: number; readonly command: Command }
  | { readonly kind: 'facts'; readonly facts: readonly MainFact[] }
  /** The engine takes a show with its last part. */
  | { readonly kind: 'show_part'; readonly part: ShowPart }
  /** Levels are measured and told, or no more. */
  | { readonly kind: 'meter'; readonly wanted: boolean }
  /** Answered by a `file_answer`. */
  | { readonly kind: 'file_question'; readonly id: number; readonly question: FileQuestion }
  /** Whoever makes waveforms leaves the processor alone, or does so no more; or all are made. */
  | { readonly kind: 'waves'; readonly are: 'held' | 'free' | 'made' }
  /** Whether it lives: answered by a `pong` at once. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' }

export interface SoundFigures {
  readonly sink: string
  readonly latencyFrames: number
  readonly underruns: number
  readonly armedHeads: number
}

export type ArmedChange = readonly [key: string, isArmed: boolean]

/** A file as it was at its first look: its stamp; null: it was not there. */
export type SeenFile = readonly [path: string, stamp: string | null]

export type FromSound =
  /** Changes come with the replies they belong to: a read after an answer sees what it did. */
  | {
      readonly kind: 'news'
      /** Where the engine stood. */
      readonly frame: number
      readonly changes: readonly Change[]
      readonly events: readonly EngineEvent[]
      readonly replies: readonly { readonly id: number; readonly reply: Reply }[]
      readonly inputs: readonly NumberedInput[]
    }
  | { readonly kind: 'figures'; readonly figures: SoundFigures }
  | { readonly kind: 'levels'; readonly levels: Levels }
  /** Ranges (`keyOf`) that would sound at once from now on, or no more, in this order. */
  | { readonly kind: 'armed'; readonly changes: readonly ArmedChange[] }
  /** Another file stands in the place of one that was there, or none does. */
  | { readonly kind: 'file_replaced'; readonly path: string }
  /** A part of this show was taken in: the next one may come. */
  | { readonly kind: 'show_part_taken'; readonly show: number }
  | { readonly kind: 'files_seen'; readonly files: readonly SeenFile[] }
  | { readonly kind: 'file_answer'; readonly id: number; readonly answer: FileAnswer }
  | { readonly kind: 'ready'; readonly note: string | null }
  | { readonly kind: 'pong' }
  | { readonly kind: 'stopped' }
