// What the reference model keeps of a show, a run, a stream; all times are frames.
import type { EndReason, RunState } from '../../../src/contract/vocabulary.js'
import type { SeenStream } from '../../world/media.js'
import type { ButtonSpec, ListSpec, OptionsSpec } from '../../scenario/scenario.js'
import type { Fade } from './runs/gain.js'

/** A button as the model has it: the scenario's own words plus its names. */
export interface ModelButton extends ButtonSpec {
  readonly n: number
  readonly id: string
  readonly list: number
}

export interface ModelList extends Omit<ListSpec, 'buttons'> {
  readonly n: number
  readonly buttons: readonly ModelButton[]
}

export interface ModelShow {
  readonly lists: readonly ModelList[]
  readonly buttons: ReadonlyMap<string, ModelButton>
}

/** 2.3 with every field written out. */
export type Options = { readonly [K in keyof OptionsSpec]-?: Exclude<OptionsSpec[K], undefined> }

export const optionsOf = (spec: OptionsSpec): Options => ({
  pauseWhenReplaced: spec.pauseWhenReplaced ?? null,
  allowOverlap: spec.allowOverlap ?? null,
  externalSequencing: spec.externalSequencing ?? false,
  loop: spec.loop ?? null,
  loopCrossfadeMs: spec.loopCrossfadeMs ?? null,
})

/** What a list tried in vain: true where that is sure, false where it may have been. */
export type Tried = ReadonlyMap<string, boolean>

/** A decode as an observer saw it, with the facts that were told so far. */
export interface ModelStream {
  readonly seen: SeenStream
  readonly from: number
  supplied: number
  end: number | null
  /** When the end was told. */
  endKnownAt: number
  source: number | null
  held: boolean
  /** What it said when it gave up. */
  broken: string | null
}

export interface Seam {
  readonly begin: number
  readonly frames: number
  readonly head: ModelStream
}

export interface ModelRun {
  readonly id: string
  readonly name: string
  button: ModelButton
  readonly start: number
  readonly to: number | null
  readonly level: number
  readonly options: Options
  readonly wish: number
  readonly auto: boolean
  tried: Tried
  readonly bornAt: number
  order: number
  state: RunState
  reason: EndReason | null
  endedAt: number
  /** The position at `since`; it moves from there while `moving`. */
  position: number
  since: number
  moving: boolean
  starving: boolean
  /** Frames for which it starved, and since when it does so now. */
  starved: number
  starvedFrom: number
  fade: Fade
  why: 'explicit_stop' | 'replaced'
  /** A loop that was stopped: its fade ends at End at the latest. */
  lands: boolean
  pauseWanted: boolean
  /** Resumed before there was anything to hear of it: it rises, and replaces, once there is. */
  rises: { readonly suppliedMs: number | null } | null
  tail: ModelStream
  /** The loop's next pass, opened ahead of its time. */
  next: ModelStream | null
  seam: Seam | null
  decided: boolean
  /** How often it came round; how many of these were told, and when the last one was. */
  passes: number
  wrapsTold: number
  wrapToldAt: number
  source: number | null
  handedTo: ModelRun | null
  endFade: boolean
  riseEnd: number
  soundedAt: number | null
  /** Since when nothing but time has touched it: what must be prepared ahead has had its chance. */
  calmSince: number
  /** The frame at which its place was looked at last. */
  settledAt: number
  /** Its decoder told something: its place is looked at when all facts of the frame were heard. */
  newsHeard: boolean
  /** As it was told last, and judged then: what has ended learns nothing more. */
  durationMs: number
  endMs: number | null
  /** How many of the engine's events about it were told so far. */
  told: number
}

export const isLive = (run: ModelRun): boolean => run.reason === null
export const sounds = (run: ModelRun): boolean =>
  run.state === 'playing' || run.state === 'pausing' || run.state === 'fading_out'
export const unheard = (run: ModelRun): boolean =>
  run.state === 'starting' || run.rises !== null
export const placeOf = (run: ModelRun, at: number): number =>
  run.moving ? run.position + (at - run.since) : run.position
export const go = (run: ModelRun, now: number): void => {
  if (run.moving) return
  run.since = now
  run.moving = true
}
export const hold = (run: ModelRun, now: number): void => {
  run.position = placeOf(run, now)
  run.since = now
  run.moving = false
}
export const starvedOf = (run: ModelRun, at: number): number =>
  run.starving ? run.starved + (at - run.starvedFrom) : run.starved
export const wholeMs = (frames: number): number => Math.floor(frames / 48)
export const framesOf = (ms: number): number => Math.round(ms * 48)
