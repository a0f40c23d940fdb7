// Sync (2.8, 3.5): what a message of the external clock says of a timeline, whether it is refused,
// how far apart the two are, and where the timeline goes on.
import {
  add, frame, FRAMES_PER_MS, FRAMES_PER_SECOND, framesToMs, type Frame,
} from '../../clock/frame.js'
import { refuse, type Refusal } from '../../contract/errors.js'
import { LIMITS } from '../../contract/limits.js'
import type { SyncAnswer } from '../../contract/schemas.js'
import { positionAt, type DmxRun } from './dmx-run.js'

/** One message of the external clock (2.8), and whether its button has a timeline now. */
export interface SyncMessage {
  readonly buttonId: string
  readonly hasTimeline: boolean
  readonly executionId: string
  readonly sequence: number
  readonly positionMs: number
  readonly isPlaying: boolean
  readonly forceSeek: boolean
}

export type SyncReply =
  | { readonly ok: true; readonly body: SyncAnswer }
  | { readonly ok: false; readonly refusal: Refusal }

/** The errors of sync, in their order (7). */
export const syncRefusal = (
  run: DmxRun | undefined, message: SyncMessage, ownerOf: (executionId: string) => string | null,
): Refusal | null => {
  const { buttonId, executionId, sequence } = message
  if (!message.hasTimeline) return refuse('media_file_missing', 'the button has no DMX timeline')
  if (run?.dmxExecutionId !== executionId) {
    const owner = ownerOf(executionId)
    if (owner === null) return refuse('dmx_not_active', 'no DMX run has this id')
    if (owner !== buttonId) return refuse('stale_execution', 'the DMX run is another button\'s')
    return refuse('dmx_not_active', 'the DMX run has ended')
  }
  if (run.state === 'initializing') {
    return refuse('dmx_initializing', 'the DMX run waits for its media to sound')
  }
  if (sequence <= run.sequence) {
    return refuse('dmx_stale_sequence', `sequence must be greater than ${String(run.sequence)}`)
  }
  return null
}

export interface Correction {
  readonly position: Frame
  readonly driftMs: number
  readonly corrected: boolean
  /** The play state changes. */
  readonly turned: boolean
  /** Told at or past the end of a timeline that does not loop: it completes. */
  readonly past: boolean
}

/** 3.5: corrects on drift over 100 ms, on a change of the play state and on a forced seek. */
export const correctionOf = (run: DmxRun, now: Frame, message: SyncMessage): Correction => {
  const { isPlaying, forceSeek } = message
  const here = positionAt(run, now)
  const told = toldFrames(run, message.positionMs)
  const driftMs = driftMsOf(run, here, told, message.positionMs)
  const turned = isPlaying !== (run.state === 'running')
  const past = !run.loop && told >= run.duration
  const corrected = past || turned || forceSeek || Math.abs(driftMs) > LIMITS.dmxDriftMs
  const position = past ? run.duration : corrected ? landing(run, told) : here
  return { position, driftMs, corrected, turned, past }
}

/** From the first message on, the external clock owns play, pause and position. */
export const noteMessage = (
  run: DmxRun, now: Frame, message: SyncMessage, driftMs: number,
): void => {
  run.follows = 'external'
  run.sequence = message.sequence
  run.lastMessageAt = now
  run.lastDriftMs = driftMs
  // An intended seek says nothing of how well the two clocks agree.
  const worst = Math.abs(run.worstDriftMs ?? 0)
  if (!message.forceSeek && Math.abs(driftMs) >= worst) run.worstDriftMs = driftMs
  run.sync = 'chasing'
}

/** An external clock that was not heard for so long has gone quiet. */
const QUIET_FRAMES = FRAMES_PER_SECOND

/** When a timeline that chases an external clock begins to freewheel; null: it does not. */
export const quietAt = ({ sync, lastMessageAt }: DmxRun): Frame | null =>
  sync === 'chasing' && lastMessageAt !== null ? add(lastMessageAt, QUIET_FRAMES) : null

/**
 * What a message says, in frames, unrounded. On a loop the time is wrapped before anything else. A
 * finite number of any size has an answer; a negative zero is a zero. A length in milliseconds is
 * that length again in frames: what is divided by 48 (32 + 16) and multiplied comes out exactly.
 */
const toldFrames = (
  run: { readonly loop: boolean; readonly duration: Frame }, positionMs: number,
): number => {
  const frames = positionMs * FRAMES_PER_MS + 0
  if (!run.loop) return frames
  if (Number.isFinite(frames)) return frames % run.duration
  return (positionMs % framesToMs(run.duration)) * FRAMES_PER_MS
}

/**
 * Timeline minus message in milliseconds, unrounded; on a loop the shorter way round, which is
 * ((d + D/2) mod D) - D/2 written so that no rounding comes in at the threshold.
 */
const driftMsOf = (run: DmxRun, here: Frame, told: number, positionMs: number): number => {
  if (!Number.isFinite(told)) return framesToMs(here) - positionMs
  const apart = here - told
  const half = run.duration / 2
  const shorter = !run.loop ? apart
    : apart >= half ? apart - run.duration
    : apart < -half ? apart + run.duration
    : apart
  return shorter / FRAMES_PER_MS
}

/** Only a new position is rounded to a frame, and never onto an end that was not told. */
const landing = (run: DmxRun, told: number): Frame => {
  const rounded = Math.round(told)
  if (rounded < run.duration) return frame(rounded)
  return frame(run.loop ? 0 : run.duration - 1)
}
