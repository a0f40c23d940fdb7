// Who gives way when a run begins to sound (decisions 3), each by its own setting and fade, and how
// the one that comes in rises against them.
import type { Frame } from '../../clock/frame.js'
import type { CrossfadeCurve } from '../../contract/vocabulary.js'
import type { Playlist } from '../catalogue.js'
import { fadeFrames } from './fade-precedence.js'
import { pauseRun } from './pause.js'
import { listOf, type Run } from './run.js'
import type { RunParts } from './run-parts.js'
import { stopRun } from './stop.js'

/**
 * Replaces every other run that was accepted before `incoming` and is starting or playing; answers
 * how many. Paused, pausing and fading runs are left to what they are doing. Fades go by the one
 * precedence rule, with the incoming run's playlist as the owning one.
 */
export const replaceOthers = (parts: RunParts, incoming: Run): number => {
  if (incoming.options.allowOverlap ?? incoming.button.allowOverlap) return 0
  const list = listOf(incoming, parts.context.catalogue)
  const curve = curveOf(list)
  const outgoing = [...parts.context.runs.live()].filter(
    (run) =>
      run !== incoming && run.order < incoming.order &&
      (run.phase.state === 'starting' || run.phase.state === 'playing'),
  )
  // A list that still looks for its next item was accepted before, too: it does not come later.
  parts.sequencer.dropOlder(incoming.order)
  for (const run of outgoing) {
    const frames = fadeFrames(null, run.button.fadeOutMs, list)
    if (run.options.pauseWhenReplaced ?? run.button.pauseWhenReplaced) {
      pauseRun(parts, run, frames, 'replaced', curve)
    } else {
      stopRun(parts, run, frames, 'replaced', curve)
    }
  }
  return outgoing.length
}

const curveOf = (list: Playlist | null): CrossfadeCurve => list?.crossfadeCurve ?? 'linear'

/** The incoming run's curve: its playlist's where it replaced something, so that powers add up. */
export const incomingCurve = (list: Playlist | null, replaced: number): CrossfadeCurve =>
  replaced > 0 ? curveOf(list) : 'linear'

/**
 * How long a start fades in: its saved Fade in, else its playlist's crossfade, which holds only
 * where something gave way. A start from silence begins at once.
 */
export const fadeInAtStart = (run: Run, list: Playlist | null, replaced: number): Frame =>
  fadeFrames(null, run.button.fadeInMs, replaced > 0 ? list : null)
