// A scenario is data: a show, its files, and a list of operations with gaps; faults stand in the
// list.
import { readFileSync } from 'node:fs'

/** How a file behaves when it is looked at and decoded. All times are frames. */
export interface FileSpec {
  readonly frames: number
  /** From the open to the first supply; null: it never comes. */
  readonly readyAfter: number | null
  /** From the look to its answer; null: it never comes. */
  readonly checkedAfter: number | null
  readonly missing: boolean
  /** The decoder breaks once it has supplied up to this position. */
  readonly breaksAt: number | null
  /** Supplied in steps of `frames`, each `every` frames after the one before; null: all at once. */
  readonly step: { readonly frames: number; readonly every: number } | null
  /** The supply stands still at this position for so long. */
  readonly stall: { readonly at: number; readonly frames: number } | null
  /** Nobody knows where it ends, not even its decoder. */
  readonly endless: boolean
  readonly holds: boolean
  /** The decoder knows its end with the first supply, not only with the last. */
  readonly tellsEndEarly: boolean
}

export interface LightsSpec {
  readonly loop: boolean
  /** Null: a timeline that could not be read. */
  readonly durationMs: number | null
}

export interface ButtonSpec {
  readonly kind: 'audio' | 'video' | 'image' | 'dmx' | 'navigation'
  readonly file: number | null
  readonly startMs: number
  readonly endMs: number | null
  readonly fadeInMs: number
  readonly fadeOutMs: number
  readonly fadeOutAtEnd: boolean
  readonly isLoopEnabled: boolean
  readonly pauseWhenReplaced: boolean
  readonly allowOverlap: boolean
  readonly gainDb: number
  readonly lights: LightsSpec | null
  /** It is not in the show at the moment. */
  readonly gone: boolean
}

export interface ListSpec {
  readonly mode: 'manual' | 'sequence' | 'shuffle'
  readonly wrap: boolean
  readonly mixOnTransition: boolean
  readonly crossfadeMs: number
  readonly crossfadeCurve: 'linear' | 'equal-power'
  readonly buttons: readonly ButtonSpec[]
}

/** 2.3, as a client sends it; what is absent is not sent. */
export interface OptionsSpec {
  readonly pauseWhenReplaced?: boolean | null
  readonly allowOverlap?: boolean | null
  readonly externalSequencing?: boolean
  readonly loop?: boolean | null
  readonly loopCrossfadeMs?: number | null
}

/**
 * Executions are named by what they are to a button, so that a scenario stays valid when operations
 * are taken out: its live run (or its last), the last, the one before, a run of another button, an
 * id that nobody ever had, the id of its DMX run.
 */
export type RunRef = 'live' | 'last' | 'older' | 'other' | 'unknown' | 'lights'

export type Edit =
  | { readonly button: number; readonly set: Partial<ButtonSpec> }
  | { readonly list: number; readonly set: Partial<Omit<ListSpec, 'buttons'>> }

export type Act =
  | { readonly op: 'play' | 'restart'; readonly button: number; readonly options: OptionsSpec }
  | { readonly op: 'pause' | 'resume'; readonly button: number; readonly run: RunRef
      readonly fadeMs: number | null }
  | { readonly op: 'stop'; readonly button: number; readonly run: RunRef | null
      readonly fadeMs: number | null }
  | { readonly op: 'panic'; readonly fadeMs: number | null }
  | { readonly op: 'sync'; readonly button: number; readonly run: RunRef
      /**
       * Added to the last sequence that was sent for this run: 1 is right, 0 and less are stale.
       */
      readonly step: number
      /** Timeline minus message in ms, or a position in ms. */
      readonly at: { readonly driftMs: number } | { readonly ms: number }
      readonly isPlaying: boolean; readonly forceSeek: boolean }
  | { readonly op: 'wait' }
  | { readonly op: 'read' }
  | { readonly op: 'output'; readonly up: boolean }
  | { readonly op: 'file'; readonly file: number; readonly set: Partial<FileSpec> }
  | { readonly op: 'probe'; readonly file: number; readonly frames: number }
  | { readonly op: 'swap'; readonly busyFor: number; readonly edits: readonly Edit[] }
  | { readonly op: 'kept'; readonly busyFor: number }
  | { readonly op: 'shutdown' }

/**
 * `gap` frames pass before it. `again`: the answer was lost, and the client sends the same again.
 */
export type Op = Act & { readonly gap: number; readonly again?: boolean }

export interface Scenario {
  readonly version: 1
  readonly seed: number
  readonly note: string
  readonly dmxAllowed: boolean
  readonly retentionMs: number
  readonly loopHeadBytes: number
  /** No class of fault is on: nothing may stay under way past its bound. */
  readonly calm: boolean
  readonly files: readonly FileSpec[]
  readonly lists: readonly ListSpec[]
  readonly ops: readonly Op[]
}

export const PLAIN_FILE: FileSpec = {
  frames: 480_000, readyAfter: 0, checkedAfter: 0, missing: false, breaksAt: null, step: null,
  stall: null, endless: false, holds: true, tellsEndEarly: true,
}

export const PLAIN_BUTTON: ButtonSpec = {
  kind: 'audio', file: null, startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0,
  fadeOutAtEnd: false, isLoopEnabled: false, pauseWhenReplaced: false, allowOverlap: false,
  gainDb: 0, lights: null, gone: false,
}

export const PLAIN_LIST: Omit<ListSpec, 'buttons'> = {
  mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0, crossfadeCurve: 'linear',
}

/** What is usual of a scenario apart from its show and operations. */
export const PLAIN_SCENARIO: Omit<Scenario, 'files' | 'lists' | 'ops'> = {
  version: 1, seed: 0, note: '', dmxAllowed: true, retentionMs: 600_000, loopHeadBytes: 33_554_432,
  calm: false,
}

/** What stands in no file has its plain value, so that a scenario written by hand can be short. */
export const parseScenario = (text: string): Scenario => {
  const raw = JSON.parse(text) as Partial<Scenario>
  if (raw.version !== 1) throw new Error('not a scenario of version 1')
  const files = raw.files ?? []
  const lists = raw.lists ?? []
  return {
    ...PLAIN_SCENARIO, ...raw,
    files: files.map((file) => ({ ...PLAIN_FILE, ...file })),
    lists: lists.map((list) => ({
      ...PLAIN_LIST, ...list,
      buttons: list.buttons.map((button) => ({ ...PLAIN_BUTTON, ...button })),
    })),
    ops: raw.ops ?? [],
  }
}

export const readScenario = (path: string): Scenario => parseScenario(readFileSync(path, 'utf8'))
