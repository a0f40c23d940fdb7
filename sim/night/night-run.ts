// One run of a night as a stopwatch sees it: where it stands, and what it does next by itself.
import type { Piece } from './night-show.js'

export type State =
  | 'starting' | 'playing' | 'pausing' | 'paused' | 'fading_out' | 'completed' | 'stopped'
export type Reason = 'natural_end' | 'explicit_stop' | 'replaced'
export type Cause = 'command' | 'ready' | 'fade_done' | 'media_end' | 'replaced' | 'sequence'

export interface Played {
  readonly piece: Piece
  readonly serial: number
  /** Null until the answer or the event that tells it. */
  id: string | null
  /** Order of acceptance; a resume is accepted anew. */
  order: number
  state: State
  endReason: Reason | null
  /** It stood at `position` at frame `at`, and moves since then or not. */
  position: number
  at: number
  moves: boolean
  readyAt: number
  pauseWhenReady: boolean
  fadeEnd: number
  fadeReason: 'explicit_stop' | 'replaced'
  readonly kept: boolean
  readonly overlaps: boolean
  /** It repeats: by the option, or by the padlock where nothing speaks against it. */
  readonly loops: boolean
  /** The loop's overlap, its three limits applied. */
  readonly overlap: number
  /** The moment of this pass at which it is decided whether another follows is over. */
  decided: boolean
  /** Tail and head are both heard, or will be: this pass comes round. */
  comesRound: boolean
  /** Its list goes on after it. */
  readonly goesOn: boolean
  /** How long before its end the next begins; 0: on the frame after its last. */
  readonly early: number
  /** The successor that an early crossfade has started. */
  successor: Played | null
  /** After a resume the next may begin early from here on: its fade is over, a decoder is ready. */
  earlyFrom: number
  /** From then on a successor that was looked for anew, after a resume, is ready. */
  nextReady: number
  /** Started by its list. */
  readonly automatic: boolean
  endedAt: number
  /** As it was known when the run ended: a snapshot learns nothing more. */
  lastDurationMs: number
}

export const placeOf = (run: Played, now: number): number =>
  run.position + (run.moves ? now - run.at : 0)

// What comes first where several things fall on one frame.
export const READY_NOW = 0
export const DECIDE = 1
export const EARLY = 2
export const END = 3
const FADED = 4

export interface Due {
  readonly run: Played
  readonly at: number
  readonly what: number
}

/** The next thing that happens to a run by itself. */
export const dueOf = (run: Played): Due => {
  let at = run.readyAt
  let what = READY_NOW
  const consider = (other: number, thing: number): void => {
    if (other >= at) return
    at = other
    what = thing
  }
  if (run.moves) {
    const left = run.piece.end - run.position
    if (run.loops && !run.decided) consider(run.at + left - run.overlap, DECIDE)
    if (run.early > 0 && run.state === 'playing' && run.successor === null) {
      const at = Math.max(run.earlyFrom, run.at + left - run.early)
      if (at < run.at + left) consider(at, EARLY)
    }
    consider(run.at + left, END)
  }
  consider(run.fadeEnd, FADED)
  return { run, at, what }
}
