// What the reference model keeps of a show, a run, a stream; all times are frames.
import type { EndReason, RunState } from '../../../src/contract/vocabulary.js'
import type { RunOptions } from '../../../src/engine/commands/commands.js'
import type { SeenStream } from '../../world/media.js'
import type { ButtonSpec, ListSpec, OptionsSpec } from '../../scenario/scenario.js'
import type { RunEvent } from '../../world/engine-observer.js'
import { resting, type Fade } from './runs/gain.js'

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
export const optionsOf = (spec: OptionsSpec): RunOptions => ({
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

/** What a start captures. */
export interface Birth {
  readonly button: ModelButton
  readonly options: RunOptions
  readonly tried: Tried
  readonly event: RunEvent
  readonly from: ModelRun | null
}

export class ModelRun {
  readonly id: string
  button: ModelButton
  readonly kind: ModelButton['kind']
  readonly start: number
  readonly to: number | null
  readonly level: number
  readonly options: RunOptions
  readonly wish: number
  /** The run whose place it took; null where it was started by hand. */
  readonly from: ModelRun | null
  tried: Tried
  state: RunState = 'starting'
  reason: EndReason | null = null
  endedAt = Infinity
  /** The position at `since`; it moves from there while `moving`. */
  position: number
  since: number
  moving = false
  starving = false
  /** Frames for which it starved, and since when it does so now. */
  starved = 0
  starvedFrom = 0
  fade: Fade
  why: 'explicit_stop' | 'replaced' = 'explicit_stop'
  /** A loop that was stopped: its fade ends at End at the latest. */
  lands = false
  pauseWanted = false
  /** Resumed before there was anything to hear of it: it rises, and replaces, once there is. */
  rises: { readonly suppliedMs: number | null } | null = null
  /** The loop's next pass, opened ahead of its time. */
  next: ModelStream | null = null
  seam: Seam | null = null
  decided = false
  /** How often it came round, and when that was told last. */
  passes = 0
  wrapToldAt = -Infinity
  source: number | null
  handedTo: ModelRun | null = null
  /** It has its list back: what was tried in vain in its place. */
  takenBack: Tried | null = null
  endFade = false
  riseEnd = 0
  soundedAt: number | null = null
  /** Since when nothing but time has touched it: what must be prepared ahead has had its chance. */
  calmSince: number
  /** When it starved no more, at last. */
  fedAt = -1
  /** The frame at which its place was looked at last. */
  settledAt = -1
  /** Its decoder told something, or its list moved: its place is looked at in this frame. */
  newsHeard = false
  /** As it was told last, and judged then: what has ended learns nothing more. */
  durationMs = 0
  endMs: number | null = null

  constructor(
    { button, options, tried, event, from }: Birth, list: ModelList, public tail: ModelStream,
    public order: number, readonly name: string, readonly bornAt: number,
  ) {
    const saved = list.mixOnTransition ? button.fadeOutMs || list.crossfadeMs : 0
    this.id = event.executionId
    this.button = button
    this.kind = button.kind
    this.start = framesOf(button.startMs)
    this.to = button.endMs === null ? null : framesOf(button.endMs)
    this.level = Math.pow(10, button.gainDb / 20)
    this.options = options
    this.wish = framesOf(options.loopCrossfadeMs ?? saved)
    this.from = from
    this.tried = tried
    this.position = this.start
    this.since = bornAt
    this.fade = resting(0, bornAt)
    this.source = tail.source
    this.calmSince = bornAt
  }
}

export const hasItsList = ({ handedTo, takenBack }: ModelRun): boolean =>
  handedTo === null || takenBack !== null
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
