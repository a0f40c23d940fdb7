// Where a sounding run's next boundaries lie: loop, early crossfade, fade at End, end of supply.
import {
  add, earlier, FRAMES_PER_SECOND, frame, later, msToFrames, ZERO, type Frame,
} from '../../clock/frame.js'
import { LIMITS } from '../../contract/limits.js'
import { hasTwoPlayable, mixFrames, type Catalogue, type Playlist } from '../catalogue.js'
import type { Run } from './run.js'

/** How long before its moment a successor or a loop's next pass is opened. */
export const LEAD: Frame = frame(5 * FRAMES_PER_SECOND)

const BYTES_PER_FRAME = 8

export interface RangeLimits {
  /**
   * The bound of a decoded head, in bytes of stereo f32; a parameter so that tests can make it
   * small.
   */
  readonly loopHeadBytes: number
}

/** The owning playlist; a button that vanished from a show keeps obeying the one it was in. */
export const listOf = (run: Run, catalogue: Catalogue): Playlist | null =>
  catalogue.playlist(run.button.playlistId)

/** 3.4.8: half the range (rounded down to a frame), the decoded-head bound, sixty seconds. */
export const loopOverlap = (run: Run, end: Frame, limits: RangeLimits): Frame => {
  const half = frame(Math.floor((end - run.start) / 2))
  const head = frame(Math.floor(limits.loopHeadBytes / BYTES_PER_FRAME))
  return earlier(earlier(run.loopOverlap, half), earlier(head, msToFrames(LIMITS.fadeMsMax)))
}

/** Whether a loop is possible at all by the run's options (3.4.2, 3.4.3). */
export const mayLoop = (run: Run): boolean =>
  run.options.loop ?? !run.options.externalSequencing

/** Whether the run repeats as things stand: an explicit loop, or the saved padlock. */
export const loopsNow = (run: Run): boolean =>
  run.options.loop ?? (!run.options.externalSequencing && run.button.isLoopEnabled)

/** 3.4.7: what fades because it was replaced loops on; what was stopped does not wrap any more. */
export const wrapsOn = (run: Run): boolean =>
  run.handedOver === null && loopsNow(run) &&
  (run.state !== 'fading_out' || run.fadeReason === 'replaced')

/**
 * Frames to the End at which a loop that was stopped ends: of this pass, or of the one that an
 * overlap under way leads into. Null while nobody knows, or while the position holds.
 */
export const leftOfLoop = (run: Run, now: Frame): Frame | null => {
  const { tail, seam, moving } = run.voice
  if (!moving || tail.end === null) return null
  const left = Math.max(0, tail.end - run.voice.positionAt(now))
  if (seam === null) return frame(left)
  if (seam.head.end === null) return null
  return frame(left + Math.max(0, seam.head.end - run.start - seam.overlap))
}

/** Whether the list goes on by itself after this run (3.3.2, 3.4.1). */
export const listGoesOn = (run: Run, catalogue: Catalogue): boolean => {
  if (run.options.externalSequencing || run.options.loop === true) return false
  // A vanished button has no place in its list that something could follow.
  if (catalogue.button(run.button.id) === null) return false
  return (listOf(run, catalogue)?.mode ?? 'manual') !== 'manual'
}

/**
 * The early crossfade's length before the incoming range is looked at; zero where there is none.
 */
const earlyWish = (run: Run, catalogue: Catalogue): Frame => {
  const list = listOf(run, catalogue)
  if (list === null || !listGoesOn(run, catalogue) || !hasTwoPlayable(list)) return ZERO
  return mixFrames(list)
}

/**
 * At most half of either range; the incoming range as far as it is known. A resume that fades in
 * until End leaves no room for it.
 */
export const earlyOverlap = (
  run: Run, end: Frame, { now, catalogue, incoming }: Omit<BoundaryView, 'limits'>,
): Frame => {
  if (run.riseEnd >= now + (end - run.voice.positionAt(now))) return ZERO
  const half = frame(Math.floor((end - run.start) / 2))
  const wish = earlier(earlyWish(run, catalogue), half)
  return incoming === null ? wish : earlier(wish, frame(Math.floor(incoming / 2)))
}

/** The fade that lands on End, where the button asks for one and the pass is the last. */
export const atEndFrames = (run: Run): Frame =>
  run.button.fadeOutAtEnd && run.state === 'playing' ? msToFrames(run.button.fadeOutMs) : ZERO

export interface BoundaryView {
  readonly now: Frame
  readonly catalogue: Catalogue
  readonly limits: RangeLimits
  /** Length of the prepared successor's range, as far as it is known. */
  readonly incoming: Frame | null
}

/** The first position past the playhead at which something may have to be decided. */
export const nextPosition = (run: Run, view: BoundaryView): Frame => {
  const { voice } = run
  const { now, catalogue } = view
  const position = voice.positionAt(now)
  let next = voice.limit()
  const consider = (at: number): void => {
    if (at > position && at < next) next = frame(at)
  }
  const { end } = voice.tail
  if (end === null) return next
  consider(end)
  if (voice.seam !== null) return next
  if (mayLoop(run) && !voice.decided) {
    const decision = end - loopOverlap(run, end, view.limits)
    consider(decision)
    if (voice.next === null && !voice.tail.held) consider(decision - LEAD)
  }
  if (run.state !== 'playing') return next
  if (run.riseEnd > now) consider(position + (run.riseEnd - now))
  if (listGoesOn(run, catalogue) && run.handedOver === null) {
    const overlap = earlyOverlap(run, end, view)
    consider(end - overlap)
    consider(end - later(overlap, atEndFrames(run)) - LEAD)
  }
  consider(end - atEndFrames(run))
  return next
}

/**
 * What a decoder must keep ahead, so that an end is known before something has to blend into it.
 */
export const aheadOf = (blend: Frame): Frame => add(blend, 2 * FRAMES_PER_SECOND)
