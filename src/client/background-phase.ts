// The phases of a background, and what each of them is for an app.
import type {
  BackgroundMemory, BackgroundState, HaltReason,
} from './background-options.js'
import type { CartwallError } from './error.js'
import type { Execution, StatusItem } from './wire.js'

export interface Run {
  readonly buttonId: string
  readonly executionId: string
}

/** The bed that sounds until a start takes its place, and goes on where that start fails. */
export interface Back {
  readonly running: Running
  readonly index: number
}

/** A bed that is to start as soon as the app wants no silence. */
export interface Due {
  readonly kind: 'due'
  readonly index: number
  /** The moment from which on it starts no more. */
  readonly by: number
  readonly back: Back | null
  /** Of a start that may have been sent before the page was loaded again. */
  readonly key: string | null
}

/** A start that may be under way. */
export interface Starting {
  readonly kind: 'starting'
  readonly index: number
  /** A later start may bring its own. */
  by: number
  readonly back: Back | null
  readonly buttonId: string
  readonly key: string
  /** The run that the button had before: a start whose answer was lost is told from it. */
  readonly before: string | null
  /** It may have reached the service. */
  isSent: boolean
  /** The bed that the app asked for since. */
  next?: { readonly index: number; readonly by: number }
}

export interface Running {
  readonly kind: 'running'
  readonly run: Run
  /** As it was last seen; null: not yet. */
  execution: Execution | null
  /** Another start put it aside. */
  isPutAside: boolean
  /** What gives way to it only once it sounds; null: it has sounded. */
  back: Back | null
}

/** A command that was given up, and yet may be carried out: until the service says which. */
export interface Stray {
  readonly buttonId: string
  readonly key: string
  /** Where it was carried out. Null: what was asked for since makes up for it. */
  readonly undo: (() => Promise<void>) | null
}

export type Phase =
  | { readonly kind: 'idle' | 'finished' | 'stopped' }
  | Due
  | Starting
  | Running
  | { readonly kind: 'halted'; readonly reason: HaltReason; readonly error: CartwallError | null }

export interface Resume {
  readonly kind: 'resume'
  readonly fadeInMs: number | undefined
  readonly key: string
  /** The moment from which on nobody expects it. */
  readonly by: number
  /** There was silence when it was asked for: what is given up must not break it later. */
  readonly wasQuiet: boolean
  /** For which run it may have reached the service. */
  sentFor: Run | null
  refusal: CartwallError | null
}

export interface Pause {
  readonly kind: 'pause'
  readonly fadeOutMs: number | undefined
  readonly key: string
  /** For which run it may have reached the service. */
  sentFor: Run | null
  /** What the service said to it: the run is looked at before the app is told. */
  refusal: CartwallError | null
}

export interface Adopt {
  readonly kind: 'adopt'
  readonly memory: BackgroundMemory | null
}

/** What the app asked for last and what was not carried out yet. */
export type Wish =
  | { readonly kind: 'start'; readonly index: number; readonly by: number }
  | Pause
  | Resume
  | { readonly kind: 'stop'; readonly fadeOutMs: number | undefined }

export type Intent = Wish | Adopt

export const stateOf = (phase: Phase, wantsPause: boolean): Exclude<BackgroundState, 'away'> => {
  if (phase.kind === 'due') return wantsPause ? 'paused' : 'starting'
  if (phase.kind !== 'running') return phase.kind
  const { execution, isPutAside } = phase
  // A pause of a run that is not ready yet holds, and is seen once it is.
  if (execution?.state === 'starting') return wantsPause ? 'paused' : 'playing'
  if (!rests(execution)) return 'playing'
  return isPutAside && !wantsPause ? 'replaced' : 'paused'
}

export const rests = (run: Pick<Execution | StatusItem, 'state'> | null): boolean =>
  run?.state === 'paused' || run?.state === 'pausing'

/** It is to be made anew, or the one that was asked for since. */
export const dueAgain = (start: Starting): Due =>
  ({ ...start, ...(start.next && { ...start.next, key: null }), kind: 'due' })

/** The same with another key, its own is used up; of a bed that comes by itself on all pages. */
export const dueAnew = (start: Starting): Due => {
  const due = dueAgain(start)
  return { ...due, key: due.key && `${due.key}+` }
}

/** As far as it was seen. */
export const hasSounded = ({ execution }: Running): boolean =>
  execution !== null && execution.state !== 'starting'

/** A run of ours that was not looked at yet. */
export const runningAs = (run: Run, back: Back | null = null): Running =>
  ({ kind: 'running', run, execution: null, isPutAside: false, back })

/** The run that sounds because of us. */
export const runOf = (phase: Phase): Run | null =>
  phase.kind === 'running' ? phase.run : backOf(phase)?.running.run ?? null

/** The bed that sounds meanwhile, where a start is under way. */
export const backOf = (phase: Phase): Back | null =>
  phase.kind === 'due' || phase.kind === 'starting' ? phase.back : null

/**
 * Of the bed that comes by itself after a run: the same on every page that looks after the list, so
 * that the service starts it once, and the later pages are told of that run.
 */
export const keyAfter = (executionId: string): string => `after-${executionId}`

export const isNext = ({ key }: Starting): boolean => key.startsWith('after')

/** What a start that is asked for now would take the place of. */
export const backFrom = (phase: Phase, index: number): Back | null =>
  phase.kind === 'running' ? { running: phase, index } : backOf(phase)

/** Somebody else paused it, e.g. an operator: that is a wish for silence like our own. */
export const isPausedByOthers = (phase: Phase): boolean =>
  phase.kind === 'running' && !phase.isPutAside && rests(phase.execution)

/** Something is to come or to be looked after. */
export const isActive = ({ kind }: Phase): boolean =>
  kind === 'due' || kind === 'starting' || kind === 'running'

export const memoryOf = (
  phase: Phase, index: number, isPaused: boolean, atMs: number,
): BackgroundMemory => ({
  index: phase.kind === 'due' ? phase.index : index,
  executionId: runOf(phase)?.executionId ?? null,
  isPaused,
  isDue: phase.kind === 'due' || phase.kind === 'starting',
  key: phase.kind === 'starting' || phase.kind === 'due' ? phase.key : null,
  before: phase.kind === 'starting' ? phase.before : null,
  ...(phase.kind === 'running' && phase.back && { back: phase.back.running.run.executionId }),
  atMs,
})
