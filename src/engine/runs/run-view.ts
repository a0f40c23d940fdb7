// A run as others see it (2.2): plain data that crosses threads and outlives the run.
import { add, framesToWholeMs, ZERO, type Frame } from '../../clock/frame.js'
import type { Execution } from '../../contract/schemas.js'
import type { EndReason, RunState } from '../../contract/vocabulary.js'
import { effectiveEnd, type Button } from '../catalogue.js'
import type { Ramp } from '../sound/ramp.js'
import { positionMs, type Heading, type Playhead } from './playhead.js'
import { endReasonOf, type Run } from './run.js'

export interface RunView {
  readonly serial: number
  readonly executionId: string
  readonly buttonId: string
  readonly title: string
  readonly kind: Button['kind']
  /** Of the medium that it plays; its button may have another one by now. */
  readonly path: string
  readonly state: RunState
  readonly endReason: EndReason | null
  readonly playhead: Playhead
  readonly order: number
  /** In the source: what is played of it, and its length; null while that is not known. */
  readonly start: Frame
  readonly end: Frame | null
  readonly duration: Frame | null
  readonly starving: boolean
  /** How long its decoder was late, without what lasts still, and since when that lasts. */
  readonly starvedFrames: Frame
  readonly starvingSince: Frame | null
  readonly heading: Heading | null
  /** The fade that runs, or ran last. */
  readonly ramp: Ramp
  /** The present pass is followed by another one. */
  readonly comesRound: boolean
  /** The button that its list plays next, once that is chosen. */
  readonly next: string | null
}

/** `probed` is what is known of its source's length beside what its decoder told. */
export const viewOf = (run: Run, probed: Frame | null): RunView => ({
  serial: run.serial,
  executionId: run.executionId,
  buttonId: run.button.id,
  title: run.button.title,
  kind: run.kind,
  path: run.path,
  state: run.phase.state,
  endReason: endReasonOf(run),
  playhead: {
    at: run.voice.at,
    position: run.voice.position,
    moving: run.voice.moving,
    until: run.until,
  },
  order: run.order,
  start: run.start,
  end: run.voice.tail.end ?? effectiveEnd(run.to, run.sourceFrames ?? probed),
  duration: run.sourceFrames ?? probed,
  starving: run.starving !== null,
  starvedFrames: run.starvedFrames,
  starvingSince: run.starving?.since ?? null,
  heading: run.voice.moving ? run.heading : null,
  ramp: run.ramp,
  comesRound: run.comesRound,
  next: run.advance?.candidate?.id ?? null,
})

/** 2.2. */
export const executionBody = (view: RunView, now: Frame): Execution => {
  const { executionId, buttonId, state, endReason } = view
  const { durationMs, startMs, endMs } = lengthMs(view)
  return {
    executionId, buttonId, state, positionMs: positionMs(view.playhead, now), durationMs, endReason,
    startMs, endMs, starvedMs: starvedMs(view, now),
  }
}

/** The length of a run's source, and what is played of it, in whole milliseconds (2.2). */
export const lengthMs = (
  { start, end, duration }: RunView,
): { readonly durationMs: number; readonly startMs: number; readonly endMs: number | null } => ({
  durationMs: framesToWholeMs(duration ?? ZERO),
  startMs: framesToWholeMs(start), endMs: end === null ? null : framesToWholeMs(end),
})

/** How long the decoder of a run was late in all, whole milliseconds, rounded down. */
const starvedMs = ({ starvedFrames, starvingSince }: RunView, now: Frame): number => {
  if (starvingSince === null) return framesToWholeMs(starvedFrames)
  return framesToWholeMs(add(starvedFrames, Math.max(0, now - starvingSince)))
}
