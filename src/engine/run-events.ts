// What is told of a run as it happens (6): that it came to be, its states, that it came round, and
// what becomes known of its length.
import { framesToWholeMs, msToFrames } from '../clock/frame.js'
import type { RunCause } from '../contract/vocabulary.js'
import type { Context } from './context.js'
import type { Birth } from './events.js'
import { endReasonOf, type Run } from './runs/run.js'
import { lengthMs } from './runs/run-view.js'

/** A loop of a few milliseconds must not fill the memory of events: ten a second are told. */
const WRAPS_APART = msToFrames(100)

/** `follows`: the run whose place in its list it takes; null where it was started by command. */
export const tellBirth = (context: Context, run: Run, follows: string | null): void => {
  const cause = follows === null ? 'command' : 'sequence'
  tell(context, run, cause, null, { stream: run.voice.tail.stream, follows })
}

/** Its state has changed. */
export const tell = (
  context: Context, run: Run, cause: RunCause, message: string | null, birth: Birth | null = null,
): void => {
  const { durationMs, startMs, endMs } = lengthMs(context.view(run))
  context.touched.add(run)
  run.toldLength = { durationMs, endMs }
  context.emit({
    kind: 'run', at: context.now, executionId: run.executionId, buttonId: run.button.id,
    state: run.phase.state, endReason: endReasonOf(run), durationMs, startMs, endMs,
    positionMs: framesToWholeMs(run.voice.positionAt(context.now)), cause, message, birth,
  })
}

/** A loop came round. */
export const tellWrap = (context: Context, run: Run): void => {
  run.passes += 1
  tellLength(context, run)
  if (run.wrapToldAt !== null && context.now - run.wrapToldAt < WRAPS_APART) return
  run.wrapToldAt = context.now
  context.emit({
    kind: 'wrap', at: context.now, executionId: run.executionId, buttonId: run.button.id,
    positionMs: framesToWholeMs(run.voice.positionAt(context.now)), passes: run.passes,
  })
}

/** More may be known of the length of a file: told where it is news of a run that plays it. */
export const tellLengthOf = (context: Context, path: string): void => {
  for (const run of context.runs.live()) {
    if (run.path !== path) continue
    context.touched.add(run)
    tellLength(context, run)
  }
}

const tellLength = (context: Context, run: Run): void => {
  const { durationMs, startMs, endMs } = lengthMs(context.view(run))
  const { toldLength } = run
  if (toldLength.durationMs === durationMs && toldLength.endMs === endMs) return
  run.toldLength = { durationMs, endMs }
  context.emit({
    kind: 'duration', at: context.now, executionId: run.executionId, buttonId: run.button.id,
    durationMs, startMs, endMs,
  })
}
