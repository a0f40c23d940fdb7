// What can be asked of the engine, as data, and what it answers.
import type {
  AlreadyActiveAnswer, Execution, PanicAnswer, StartAnswer, StopAnswer, SyncAnswer,
} from '../../contract/schemas.js'
import type { Refusal } from '../../contract/errors.js'

/** 2.3, resolved as far as the wire goes: null is "the saved setting". */
export interface RunOptions {
  readonly pauseWhenReplaced: boolean | null
  readonly allowOverlap: boolean | null
  readonly externalSequencing: boolean
  readonly loop: boolean | null
  readonly loopCrossfadeMs: number | null
}

export const NO_OPTIONS: RunOptions = {
  pauseWhenReplaced: null,
  allowOverlap: null,
  externalSequencing: false,
  loop: null,
  loopCrossfadeMs: null,
}

/** Ids are lower-case GUIDs; times are milliseconds as the wire has them; null is "not given". */
export type Command =
  | { readonly kind: 'play' | 'restart'; readonly buttonId: string; readonly options: RunOptions }
  | {
      readonly kind: 'pause'
      readonly buttonId: string
      readonly executionId: string
      readonly fadeOutMs: number | null
    }
  | {
      readonly kind: 'resume'
      readonly buttonId: string
      readonly executionId: string
      readonly fadeInMs: number | null
    }
  | {
      readonly kind: 'stop'
      readonly buttonId: string
      readonly executionId: string | null
      readonly fadeOutMs: number | null
    }
  | { readonly kind: 'panic'; readonly fadeOutMs: number | null }
  | {
      readonly kind: 'sync'
      readonly buttonId: string
      readonly executionId: string
      readonly sequence: number
      readonly positionMs: number
      readonly isPlaying: boolean
      readonly forceSeek: boolean
    }

export type AnswerBody =
  | StartAnswer
  | AlreadyActiveAnswer
  | StopAnswer
  | PanicAnswer
  | Execution
  | SyncAnswer

/** Only a new start is 202; every other success is 200. */
export type Reply =
  | { readonly ok: true; readonly status: 200 | 202; readonly body: AnswerBody }
  | { readonly ok: false; readonly refusal: Refusal }
