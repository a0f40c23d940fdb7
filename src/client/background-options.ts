// What an app can ask of a background and what it learns of it.
import type { CartwallError } from './error.js'
import type { Wait } from './pace.js'
import type { Execution, RunOptions } from './wire.js'

export type BackgroundState =
  | 'idle' | 'starting' | 'playing' | 'paused' | 'halted' | 'finished' | 'stopped'

/**
 * Why it halted: the run was stopped, replaced or failed; it is `lost` (the service began again, or
 * forgot it); `superseded` by another run of its button; or a start was `refused`.
 */
export type HaltReason =
  | 'explicit_stop' | 'replaced' | 'playback_error' | 'lost' | 'superseded' | 'refused'

/** What a background tells of itself. */
export interface BackgroundView {
  readonly state: BackgroundState
  /** Why it halted; null in every other state. */
  readonly reason: HaltReason | null
  /** What the service said when it refused; null where nothing was refused. */
  readonly error: CartwallError | null
  /** The place in the list of the bed that plays, or played last. */
  readonly index: number
  /** The button of that bed. */
  readonly bed: string
  readonly executionId: string | null
  /** The run as it was last seen. */
  readonly execution: Execution | null
}

export interface BackgroundOptions {
  /** The buttons, in their order. */
  readonly beds: readonly string[]
  /** After the last bed the first one comes again. Else the list is `finished`. */
  readonly wrap?: boolean | undefined
  /** For every start; `externalSequencing` is always true: nobody else moves the list on. */
  readonly runOptions?: RunOptions | undefined
  /**
   * What to do when the service began again and knows the run no more: `halt` (the app decides), or
   * `start` the same bed again, once it is certain that it does not play.
   */
  readonly whenLost?: 'halt' | 'start' | undefined
  /** Called at every change of `state`, `bed` or `executionId`. */
  readonly onChange?: ((background: BackgroundView) => void) | undefined
  readonly pollMs?: number | undefined
  /** For how long one call may go unanswered. */
  readonly timeoutMs?: number | undefined
  /** False: polls only, does not listen to the service's events. */
  readonly events?: boolean | undefined
  /** In place of real time, e.g. `player.wait` of a test player. */
  readonly wait?: Wait | undefined
}
