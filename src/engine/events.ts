// What the engine tells of itself as it happens: one event for each change that a client could see.
import type { Frame } from '../clock/frame.js'
import type {
  CatalogueChange, DmxChange, EndReason, RunCause, RunState,
} from '../contract/vocabulary.js'
import type { StreamId } from './ports.js'

export interface Birth {
  readonly stream: StreamId
  /** The run whose place in its list an automatic start takes; null for a start by command. */
  readonly follows: string | null
}

export type EngineEvent =
  | {
      readonly kind: 'run'
      readonly at: Frame
      readonly executionId: string
      readonly buttonId: string
      readonly state: RunState
      readonly endReason: EndReason | null
      readonly positionMs: number
      readonly durationMs: number
      /** The range that it plays; `endMs` null while that is not known. */
      readonly startMs: number
      readonly endMs: number | null
      readonly cause: RunCause
      /** What a person should know, e.g. the decoder's complaint. */
      readonly message: string | null
      /** With the first event of a run: the stream it sounds from, and the run that it follows. */
      readonly birth: Birth | null
    }
  /** A loop came round. Passes shorter than a tenth of a second are not told one by one. */
  | {
      readonly kind: 'wrap'
      readonly at: Frame
      readonly executionId: string
      readonly buttonId: string
      readonly positionMs: number
      /** How often it came round so far. */
      readonly passes: number
    }
  /** The length of a live run's source became known, or turned out to be another. */
  | {
      readonly kind: 'duration'
      readonly at: Frame
      readonly executionId: string
      readonly buttonId: string
      readonly durationMs: number
      readonly startMs: number
      readonly endMs: number | null
    }
  | {
      readonly kind: 'image'
      readonly at: Frame
      readonly buttonId: string
      readonly shown: boolean
    }
  | {
      readonly kind: 'dmx'
      readonly at: Frame
      readonly dmxExecutionId: string
      readonly buttonId: string
      readonly change: DmxChange
      readonly positionMs: number
    }
  | {
      readonly kind: 'output'
      readonly at: Frame
      readonly available: boolean
      readonly message: string | null
    }
  | {
      readonly kind: 'catalogue'
      readonly at: Frame
      readonly change: CatalogueChange
      /** Why it was kept: what is wrong with the new one. */
      readonly message: string | null
    }
  /**
   * Something was passed over or starved: no client's state changed, but an operator wants to know.
   */
  | {
      readonly kind: 'notice'
      readonly at: Frame
      readonly buttonId: string | null
      readonly executionId: string | null
      readonly message: string
    }
