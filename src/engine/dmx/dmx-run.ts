// One run of a DMX timeline: its playhead as a closed form of the frame, and how far it drifted.
import { frame, type Frame } from '../../clock/frame.js'
import type { SyncState } from '../../contract/vocabulary.js'

/** Reckoned from the frame itself and never added up: the size of blocks cannot change it. */
export interface TimelinePlayhead {
  readonly at: Frame
  readonly position: Frame
  readonly rate: 0 | 1
}

/** Who owns play, pause and position: the button's media, nobody else, or an external clock. */
export type Follows = 'media' | 'itself' | 'external'
/** `darkened`: it had ended, and a stop came before lamps that are late had seen its end. */
export type DmxRunState = 'initializing' | 'running' | 'held' | 'ended' | 'darkened'

export interface DmxRun {
  readonly dmxExecutionId: string
  readonly buttonId: string
  /** The button's, for one that leaves the show while its lights go on. */
  readonly title: string
  readonly timelineId: string
  /** Rises with each accepted start: who is the latest (LTP). */
  readonly startedSerial: number
  /** As the show has them now: one that is edited while it runs goes by them from then on. */
  loop: boolean
  duration: Frame
  state: DmxRunState
  follows: Follows
  playhead: TimelinePlayhead
  sync: SyncState
  /** The last accepted sequence; -1 before the first. */
  sequence: number
  lastMessageAt: Frame | null
  lastDriftMs: number | null
  worstDriftMs: number | null
}

/** What others see of a live run: a copy that does not change. */
export interface DmxView extends Readonly<Omit<DmxRun, 'sequence' | 'lastMessageAt'>> {
  readonly isPlaying: boolean
}

export const dmxViewOf = (run: DmxRun): DmxView => ({
  dmxExecutionId: run.dmxExecutionId,
  buttonId: run.buttonId,
  title: run.title,
  timelineId: run.timelineId,
  startedSerial: run.startedSerial,
  loop: run.loop,
  duration: run.duration,
  state: run.state,
  follows: run.follows,
  playhead: run.playhead,
  sync: run.sync,
  lastDriftMs: run.lastDriftMs,
  worstDriftMs: run.worstDriftMs,
  isPlaying: run.state === 'running',
})

/** A looping timeline wraps the time, a non-looping one stays at its end (3.5). */
export const positionAt = (
  run: { readonly playhead: TimelinePlayhead; readonly loop: boolean; readonly duration: Frame },
  now: Frame,
): Frame => {
  const { at, position, rate } = run.playhead
  const reached = position + rate * (now - at)
  if (!run.loop) return frame(Math.max(0, Math.min(reached, run.duration)))
  return frame(reached % run.duration)
}

/** The frame at which a run completes by itself; null while it is held, and for a loop. */
export const completesAt = (run: DmxRun): Frame | null =>
  run.state === 'running' && !run.loop
    ? frame(run.playhead.at + run.duration - run.playhead.position)
    : null
