// The loop (3.4): whether a run repeats, its overlap and limits, its next pass and the wrap.
import { earlier, frame, msToFrames, ZERO, type Frame } from '../../clock/frame.js'
import { LIMITS } from '../../contract/limits.js'
import { mixFrames, type Button, type Playlist } from '../catalogue.js'
import type { RunOptions } from '../commands/commands.js'
import type { Context } from '../context.js'
import { obeysPadlock } from '../playlists/external-sequencing.js'
import { STEREO_FRAME_BYTES } from '../ports.js'
import { tellWrap } from '../run-events.js'
import { rampTo } from '../sound/ramp.js'
import type { Pass } from '../sound/voice.js'
import { LEAD } from './opened-ahead.js'
import type { Run } from './run.js'
import type { RangeLimits, RunParts } from './run-parts.js'
import { starve } from './starvation.js'

/** 3.4.8, before the limits: the explicit value, else what Mix on transition gives. */
export const wishedOverlap = (
  button: Button, options: RunOptions, list: Playlist | null,
): Frame => {
  if (options.loopCrossfadeMs !== null) return msToFrames(options.loopCrossfadeMs)
  if (list?.mixOnTransition !== true) return ZERO
  return button.fadeOutMs > 0 ? msToFrames(button.fadeOutMs) : mixFrames(list)
}

/** 3.4.8: half the range (rounded down to a frame), the decoded-head bound, sixty seconds. */
export const loopOverlap = (run: Run, end: Frame, limits: RangeLimits): Frame => {
  const half = frame(Math.floor((end - run.start) / 2))
  const head = frame(Math.floor(limits.loopHeadBytes / STEREO_FRAME_BYTES))
  return earlier(earlier(run.loopOverlap, half), earlier(head, msToFrames(LIMITS.fadeMsMax)))
}

/** Whether a loop is possible at all: the padlock may be locked while the run plays (3.4.4). */
const mayLoop = (run: Run): boolean => run.options.loop ?? obeysPadlock(run)

/** Whether the run repeats as things stand: an explicit loop, or the saved padlock (3.4.4). */
export const loopsNow = (run: Pick<Run, 'options' | 'button'>): boolean =>
  run.options.loop ?? (obeysPadlock(run) && run.button.isLoopEnabled)

/** 3.4.7: what fades because it was replaced loops on; what was stopped does not wrap any more. */
const wrapsOn = (run: Run): boolean =>
  run.handedOver === null && loopsNow(run) &&
  (run.phase.state !== 'fading_out' || run.phase.reason === 'replaced')

/**
 * Once a pass has begun to end, with its overlap or its successor, a repeat that is switched on has
 * no effect on it any more.
 */
export const roundFollows = (run: Run): boolean =>
  wrapsOn(run) && (!run.voice.decided || run.voice.seam !== null)

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

/** The positions at which a pass decides to come round, and opens the next one before that. */
export const loopPositions = (run: Run, end: Frame, limits: RangeLimits): readonly number[] => {
  const { voice } = run
  if (!mayLoop(run) || voice.decided) return []
  const decision = end - loopOverlap(run, end, limits)
  return voice.next === null && !voice.tail.held ? [decision, decision - LEAD] : [decision]
}

/** The overlap is over: what came in is the pass now. True where that happened. */
export const leaveOverlap = (context: Context, run: Run, end: Frame): boolean => {
  const { voice } = run
  if (voice.seam === null || voice.positionAt(context.now) < end) return false
  voice.wrap(voice.seam.head, context.now)
  tellWrap(context, run)
  return true
}

/**
 * Where the overlap begins (at End if there is none) the pass decides, once, whether it comes
 * round; true where it did.
 */
export const comeRoundWhenDue = (parts: RunParts, run: Run, end: Frame): boolean => {
  const { voice } = run
  if (!mayLoop(run) || voice.decided) return false
  const position = voice.positionAt(parts.context.now)
  const decision = end - loopOverlap(run, end, parts.limits)
  // Once a successor blends in, this pass is the last: a padlock locked since comes too late.
  const opens = wrapsOn(run)
  if (opens && position >= decision - LEAD) openNext(parts, run)
  if (position < decision) return false
  voice.decided = true
  const head = voice.tail.held ? voice.tail : voice.next
  if (!opens || head === null) return false
  comeRound(parts, run, head, frame(Math.max(0, end - position)))
  return true
}

const openNext = (parts: RunParts, run: Run): void => {
  const { voice } = run
  if (voice.next === null && !voice.tail.held) voice.next = parts.openAgain(run)
}

const comeRound = (parts: RunParts, run: Run, head: Pass, overlap: Frame): void => {
  const { now } = parts.context
  if (run.phase.state === 'playing' && run.phase.atEndFade) {
    // The padlock was locked while a fade was landing on End: the next pass is heard in full.
    run.phase = { ...run.phase, atEndFade: false }
    run.ramp = rampTo(run.ramp, 1, now, overlap, 'linear')
  }
  if (overlap > 0) run.voice.beginSeam(overlap, head, now)
  else {
    run.voice.wrap(head, now)
    tellWrap(parts.context, run)
  }
  // The pass before was heard in full; the next one waits for its cushion, as a start does.
  if (!head.filled) starve(run, now)
}
