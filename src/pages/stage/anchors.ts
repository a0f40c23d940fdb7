// Where a run is at the frame that is heard: by the anchor that was in force then.
//
// What is heard lies up to tens of ms behind the newest anchor, so the last second of them is kept:
// by the newest one each start, pause and seam would be wrong by the output's latency.
import type { LiveAnchor, LiveRun } from '../../contract/live.js'

/** The last second; what is heard lies tens of ms behind. */
export const KEPT_FRAMES = 48_000
/** An anchor that continues the one before it does so to the frame; a seam jumps. */
const JUMP_FRAMES = 48

/** From this engine frame on the run was as it stands here. */
export interface Moment {
  readonly from: number
  readonly run: LiveRun
  /** How many seams lie behind it. */
  readonly pass: number
}

/** Oldest first; never empty. */
export type Past = readonly Moment[]

/** A run as it is at one frame. */
export interface Place {
  readonly run: LiveRun
  readonly pass: number
  readonly anchor: LiveAnchor
  /** In the source, in frames. */
  readonly position: number
  /** Started, paused or not, and not over. */
  readonly isOn: boolean
}

/** What is known of a run at first: it holds for all that lies behind, but for a start. */
export const firstMoment = (run: LiveRun): Past => {
  const from = run.anchor.moving ? run.anchor.at : Number.NEGATIVE_INFINITY
  return [{ from, run, pass: 0 }]
}

/** Adds what was told of a run at engine frame `changedAt`. */
export const addMoment = (past: Past, run: LiveRun, changedAt: number): Past => {
  const last = past.at(-1)
  if (last === undefined) return firstMoment(run)
  const isMoved = !sameAnchor(last.run.anchor, run.anchor)
  const isNew = run.anchor.at !== last.run.anchor.at || run.state !== last.run.state
  // The same moment told anew, e.g. with another `until` since the show was edited.
  if (!isNew) return [...past.slice(0, -1), { ...last, run }]
  const from = isMoved ? run.anchor.at : changedAt
  const kept = past.filter((moment) => moment.from < from)
  const before = kept.at(-1)
  const pass = before === undefined ? last.pass : before.pass + (isSeam(before, run) ? 1 : 0)
  return recent([...kept, { from, run, pass }], from)
}

/** The run at an engine frame; null: not known by then. `isAlone`: no daemon is there. */
export const placeAt = (past: Past, frame: number, isAlone: boolean): Place | null => {
  const moment = past.findLast(({ from }) => from <= frame)
  if (moment === undefined) return null
  const { run, pass } = moment
  const { anchor } = run
  const isOn = run.endReason === null && run.state !== 'starting'
  const until = isAlone ? ownEnd(run) : anchor.until
  const held = { run, pass, anchor, isOn, position: anchor.position }
  if (!anchor.moving) return held
  const reached = anchor.position + Math.max(0, frame - anchor.at)
  if (until === null || reached < until) return { ...held, position: reached }
  const then = isAlone && anchor.then?.kind !== 'wrap' ? END : anchor.then
  switch (then?.kind) {
    case 'end':
      return { ...held, position: until, isOn: false }
    case 'wrap':
      return wrapped(held, until, then.to, frame, isAlone)
    case 'on':
    case undefined:
      return { ...held, position: until }
  }
}

const END = { kind: 'end' } as const

/** A seam is met by the clock; its own anchor comes later than it is heard where latency is 0. */
const wrapped = (
  place: Place, until: number, to: number, frame: number, isAlone: boolean,
): Place => {
  const at = place.anchor.at + until - place.anchor.position
  const anchor = { at, position: to, moving: true, until: null, then: null }
  const end = place.run.range.end ?? Number.POSITIVE_INFINITY
  const position = Math.min(to + frame - at, end)
  // Alone it plays one more pass, to its End.
  const isOn = place.isOn && !(isAlone && position === end)
  return { ...place, pass: place.pass + 1, anchor, position, isOn }
}

/** Without a daemon a video runs on to its End, whatever was to happen before it. */
const ownEnd = ({ anchor, range, duration }: LiveRun): number | null =>
  anchor.then?.kind === 'wrap' ? anchor.until : (range.end ?? duration ?? anchor.until)

const sameAnchor = (a: LiveAnchor, b: LiveAnchor): boolean =>
  a.at === b.at && a.position === b.position && a.moving === b.moving

const isSeam = (before: Moment, run: LiveRun): boolean => {
  const { anchor } = before.run
  if (before.run.state === 'starting') return false
  const reached = anchor.position + (anchor.moving ? Math.max(0, run.anchor.at - anchor.at) : 0)
  return Math.abs(run.anchor.position - reached) > JUMP_FRAMES
}

/** All of the last second, and the one that was in force when it began. */
const recent = (past: Past, now: number): Past => {
  const first = past.findLastIndex(({ from }) => from <= now - KEPT_FRAMES)
  return first <= 0 ? past : past.slice(first)
}
