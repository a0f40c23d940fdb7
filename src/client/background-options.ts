// What an app can ask of a background and what it learns of it.
import type { CartwallError } from './error.js'
import type { Outcome } from './failure.js'
import type { Wait } from './wait.js'
import type { Execution, RunOptions } from './wire.js'

/**
 * `replaced`: another start put the bed aside, and it is kept paused (`resume` brings it back).
 * `away`: the service has not answered for two seconds; it goes on as soon as that is back.
 */
export type BackgroundState =
  | 'idle' | 'starting' | 'playing' | 'paused' | 'replaced' | 'away' | 'halted' | 'finished'
  | 'stopped'

/**
 * Why it halted: the run was stopped, replaced or failed; it is `lost` (the service began again, or
 * forgot it); `superseded` by another run of its button; a start was `refused`, or it was `late`:
 * its deadline came first.
 */
export type HaltReason =
  | 'explicit_stop' | 'replaced' | 'playback_error' | 'lost' | 'superseded' | 'refused' | 'late'

/** What a start rejects with that was not answered before its deadline, or before a stop. */
export class NotStartedError extends Error {
  override readonly name = 'NotStartedError'

  /** `not_answered`: it may have begun; it is stopped as soon as the service answers. */
  constructor(
    readonly outcome: Exclude<Outcome, 'refused'>,
    /** What the service said each time, e.g. that it has no sound output; null: nothing. */
    override readonly cause: CartwallError | null = null,
    isStopped = false,
  ) {
    super(isStopped ? 'a stop took its place'
      : cause !== null ? `not possible in time: ${cause.message}`
      : outcome === 'not_sent' ? 'the service was not reached in time' : 'no answer in time')
  }
}

/** What a page keeps over a reload, e.g. in `sessionStorage`: plain JSON, for `adopt`. */
export interface BackgroundMemory {
  readonly index: number
  readonly executionId: string | null
  /** The app wants silence. */
  readonly isPaused: boolean
  /** The bed was about to start. */
  readonly isDue: boolean
  /** Of a start that may be under way: its key, and the run that the button had before it. */
  readonly key: string | null
  readonly before: string | null
  /** The run that gives way to that of `executionId`, which was not seen to sound yet. */
  readonly back?: string | undefined
  /** When this held, in milliseconds since 1970: a bed that ended long after it is not followed. */
  readonly atMs: number
}

/** What a background tells of itself. */
export interface BackgroundView {
  readonly state: BackgroundState
  /**
   * Why it halted; and once, in the change that tells it, why a bed ended before it sounded and
   * the one before it plays on. Null else.
   */
  readonly reason: HaltReason | null
  /**
   * What the service said when it refused; null where nothing was refused, and where the bed is no
   * sound: an image, or lights alone, which have no run to follow.
   */
  readonly error: CartwallError | null
  /** The place in the list of the bed that plays, or played last. */
  readonly index: number
  /** The button of that bed. */
  readonly bed: string
  readonly executionId: string | null
  /** The run as it was last seen. */
  readonly execution: Execution | null
  /** What `onMemory` is told. */
  readonly memory: BackgroundMemory
}

export interface StartCall {
  /** After so many milliseconds it is given up and taken back, 10 000 where nothing is said. */
  readonly deadlineMs?: number | undefined
  /** Takes the start back, unless it has begun by then. */
  readonly signal?: AbortSignal | undefined
}

export interface ResumeCall {
  readonly fadeInMs?: number | undefined
  /** After so many milliseconds it is given up, 10 000 where nothing is said. */
  readonly deadlineMs?: number | undefined
}

export interface BackgroundOptions {
  /** The buttons, in their order. */
  readonly beds: readonly string[]
  /** After the last bed the first one comes again. Else the list is `finished`. */
  readonly wrap?: boolean | undefined
  /** For every start; `externalSequencing` is always true: nobody else moves the list on. */
  readonly runOptions?: RunOptions | undefined
  /**
   * What to do when the service began again, in order or not, and knows the run no more: `halt`
   * (the app decides), or `start` the same bed again, once it is certain that it does not play.
   */
  readonly whenLost?: 'halt' | 'start' | undefined
  /**
   * A bed that comes by itself (the next one, or one that was lost) and could not start within so
   * long starts no more, 60 000 where nothing is said: nobody expects it by then.
   */
  readonly lateMs?: number | undefined
  /**
   * Called with what a page should keep for its next life, at every change of it and every five
   * seconds while a bed plays; see `adopt`.
   */
  readonly onMemory?: ((memory: BackgroundMemory) => void) | undefined
  /** Called at every change of `state`, `bed` or `executionId`. */
  readonly onChange?: ((background: BackgroundView) => void) | undefined
  /** Between two looks, 750 where nothing (0 or NaN neither) is said. */
  readonly pollMs?: number | undefined
  /** For how long one call may go unanswered. */
  readonly timeoutMs?: number | undefined
  /** False: polls only, does not listen to the service's events. */
  readonly events?: boolean | undefined
  /** In place of the client's own time, e.g. `player.wait` of a test player. */
  readonly wait?: Wait | undefined
}
