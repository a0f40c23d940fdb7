// Who gives way when a run begins to sound (decisions 3), each by its own setting and fade.
import type { Frame } from '../../clock/frame.js'
import type { CrossfadeCurve } from '../../contract/vocabulary.js'
import { listOf } from './boundary.js'
import type { Catalogue } from '../catalogue.js'
import type { Cause } from '../events.js'
import { fadeFrames } from './fades.js'
import type { Run } from './run.js'

interface Replacer {
  readonly context: {
    readonly catalogue: Catalogue
    readonly runs: { live(): IterableIterator<Run> }
  }
  readonly sequencer: { dropOlder(order: number): void }
  pause(run: Run, frames: Frame, cause: Cause, curve: CrossfadeCurve): void
  stop(run: Run, frames: Frame, reason: 'explicit_stop' | 'replaced', curve: CrossfadeCurve): void
}

/**
 * Replaces every other run that was accepted before `incoming` and is starting or playing; answers
 * how many. Paused, pausing and fading runs are left to what they are doing. Fades go by the one
 * precedence rule, with the incoming run's playlist as the owning one.
 */
export const replaceOthers = (lifecycle: Replacer, incoming: Run): number => {
  if (incoming.options.allowOverlap ?? incoming.button.allowOverlap) return 0
  const list = listOf(incoming, lifecycle.context.catalogue)
  const curve = list?.crossfadeCurve ?? 'linear'
  const outgoing = [...lifecycle.context.runs.live()].filter(
    (run) =>
      run !== incoming && run.order < incoming.order &&
      (run.state === 'starting' || run.state === 'playing'),
  )
  // A list that still looks for its next item was accepted before, too: it does not come later.
  lifecycle.sequencer.dropOlder(incoming.order)
  for (const run of outgoing) {
    const frames = fadeFrames(null, run.button.fadeOutMs, list)
    if (run.options.pauseWhenReplaced ?? run.button.pauseWhenReplaced) {
      lifecycle.pause(run, frames, 'replaced', curve)
    } else {
      lifecycle.stop(run, frames, 'replaced', curve)
    }
  }
  return outgoing.length
}
