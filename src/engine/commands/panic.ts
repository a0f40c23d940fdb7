// Panic: everything stops at once, ahead of all that waits (an addition; docs/decisions.md).
import type { Refusal } from '../../contract/errors.js'
import { endRun } from '../runs/terminal-outcome.js'
import { isLive, stopReasonOf } from '../runs/run.js'
import { stopAsTold, stopSilent } from '../runs/stop.js'
import { ok, type CommandParts } from './command-parts.js'
import type { Reply } from './commands.js'

/** What waited when everything was stopped; its answer has the header Swept-By-Panic. */
export const SWEPT_BY_PANIC: Refusal = {
  code: 'command_failed', message: 'everything was stopped before it could run', isSwept: true,
}

/**
 * Everything stops: sound by its fades or the one supplied, images and lights at once. Whoever
 * supplies zero wants silence now, e.g. as the second panic while the first one still fades: what
 * fades out already is cut too, and keeps the reason of its fade (decisions 8).
 */
export const panic = (
  parts: CommandParts, fadeOutMs: number | null, cause: 'command' | 'shutdown',
): Reply => {
  const { context, dmx, images, sequencer } = parts
  let fadingOut = 0
  let stopped = 0
  sequencer.dropDue()
  for (const run of [...context.runs.live()]) {
    if (fadeOutMs === 0) endRun(parts, run, stopReasonOf(run), cause, null)
    if (isLive(run) && stopAsTold(parts, run, fadeOutMs)) fadingOut += 1
    else stopped += 1
  }
  const image = images.shown
  if (image !== null && stopSilent(parts, image.id)) stopped += 1
  for (const view of dmx.views()) {
    dmx.end(context.now, view.buttonId)
    stopped += 1
  }
  dmx.darken(context.now, null)
  const result = fadingOut > 0 ? 'fading_out' : stopped > 0 ? 'stopped' : 'already_stopped'
  return ok({ result, fadingOut, stopped })
}
