// The phases of a background, and what each of them is for an app.
import type {
  BackgroundMemory, BackgroundState, HaltReason,
} from './background-options.js'
import type { CartwallError } from './error.js'
import type { Execution } from './wire.js'

export interface Run {
  readonly buttonId: string
  readonly executionId: string
}

/** A bed that is to start as soon as the app wants no silence. */
export interface Due {
  readonly kind: 'due'
  readonly index: number
  /** The moment from which on it starts no more. */
  readonly by: number
  /** The run of ours that sounds until this start takes its place. */
  readonly run: Run | null
  /** Of a start that may have been sent before the page was loaded again. */
  readonly key: string | null
}

/** A start that may be under way. */
export interface Starting {
  readonly kind: 'starting'
  readonly index: number
  readonly by: number
  readonly run: Run | null
  readonly buttonId: string
  readonly key: string
  /** The run that the button had before: a start whose answer was lost is told from it. */
  readonly before: string | null
  /** It may have reached the service. */
  isSent: boolean
}

export interface Running {
  readonly kind: 'running'
  readonly run: Run
  /** As it was last seen; null: not yet. */
  execution: Execution | null
  /** Another start put it aside. */
  isPutAside: boolean
}

/** A start that was given up, and yet may have happened: until the service says which. */
export interface Withdrawing {
  readonly kind: 'withdrawing'
  readonly start: Starting
  readonly until: number
  readonly as: 'halted' | 'stopped'
}

export type Phase =
  | { readonly kind: 'idle' | 'finished' | 'stopped' }
  | Due
  | Starting
  | Running
  | { readonly kind: 'halted'; readonly reason: HaltReason; readonly error: CartwallError | null }
  | Withdrawing

/** What the app asked for last and what was not carried out yet. */
export type Intent =
  | { readonly kind: 'start'; readonly index: number; readonly by: number }
  | { readonly kind: 'pause'; readonly fadeOutMs: number | undefined; readonly key: string }
  | { readonly kind: 'resume'; readonly fadeInMs: number | undefined; readonly key: string }
  | { readonly kind: 'stop'; readonly fadeOutMs: number | undefined }
  | { readonly kind: 'adopt'; readonly memory: BackgroundMemory | null }

export const stateOf = (phase: Phase, wantsPause: boolean): Exclude<BackgroundState, 'away'> => {
  switch (phase.kind) {
    case 'due':
      return wantsPause ? 'paused' : 'starting'
    case 'running': {
      const state = phase.execution?.state
      if (state !== 'paused' && state !== 'pausing') return 'playing'
      return phase.isPutAside && !wantsPause ? 'replaced' : 'paused'
    }
    case 'withdrawing':
      return phase.as
    case 'idle':
    case 'finished':
    case 'stopped':
    case 'starting':
    case 'halted':
      return phase.kind
  }
}

export const reasonOf = (phase: Phase): HaltReason | null => {
  if (phase.kind === 'halted') return phase.reason
  return phase.kind === 'withdrawing' && phase.as === 'halted' ? 'late' : null
}

/** The run that sounds because of us. */
export const runOf = (phase: Phase): Run | null => ('run' in phase ? phase.run : null)

/** Something is to come or to be looked after. */
export const isActive = ({ kind }: Phase): boolean =>
  kind === 'due' || kind === 'starting' || kind === 'running' || kind === 'withdrawing'

export const memoryOf = (
  phase: Phase, index: number, isPaused: boolean, atMs: number,
): BackgroundMemory => ({
  index: phase.kind === 'due' ? phase.index : index,
  executionId: runOf(phase)?.executionId ?? null,
  isPaused,
  isDue: phase.kind === 'due' || phase.kind === 'starting',
  key: phase.kind === 'starting' || phase.kind === 'due' ? phase.key : null,
  before: phase.kind === 'starting' ? phase.before : null,
  atMs,
})
