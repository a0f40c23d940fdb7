// Pause (4.1): a fade to silence, during which audio goes on, and the position that it reached.
import type { Frame } from '../../clock/frame.js'
import type { CrossfadeCurve, RunCause } from '../../contract/vocabulary.js'
import { moveOf, ok, type CommandParts, type Of } from '../commands/command-parts.js'
import type { Reply } from '../commands/commands.js'
import { liveTarget } from '../commands/which-run.js'
import { tell } from '../run-events.js'
import { rampTo, steady } from '../sound/ramp.js'
import { fadeFrames } from './fade-precedence.js'
import { awaitsSound, listOf, type Run } from './run.js'
import type { RunParts } from './run-parts.js'
import { executionBody } from './run-view.js'
import { endStarving } from './starvation.js'

export const pauseCommand = (parts: CommandParts, command: Of<'pause'>): Reply => {
  const run = liveTarget(parts, command)
  if ('ok' in run) return run
  const { context } = parts
  const move = moveOf(run, 'pause')
  if (move === 'pause_when_ready') run.phase = { state: 'starting', pausesWhenReady: true }
  if (move === 'fade_to_pause') {
    const list = listOf(run, context.catalogue)
    const frames = fadeFrames(command.fadeOutMs, run.button.fadeOutMs, list)
    pauseRun(parts, run, frames, 'command', 'linear')
  }
  return ok(executionBody(context.view(run), context.now))
}

/** To paused, by a fade of so many frames or at once. */
export const pauseRun = (
  parts: RunParts, run: Run, frames: Frame, cause: RunCause, curve: CrossfadeCurve,
): void => {
  const { now } = parts.context
  if (awaitsSound(run) || frames === 0) {
    if (run.phase.state === 'starting') parts.dmx.mediaSounds(now, run.button.id)
    enterPaused(parts, run, cause)
    return
  }
  run.phase = { state: 'pausing' }
  run.ramp = rampTo(run.ramp, 0, now, frames, curve)
  tell(parts.context, run, cause, null)
  parts.boundaries.plan(run)
}

/** The run is paused where it is: at the end of its fade, at once, or at its Start. */
export const enterPaused = (parts: RunParts, run: Run, cause: RunCause): void => {
  const { now } = parts.context
  endStarving(parts.context, run, 'paused: its decoder was late')
  run.voice.hold(now)
  run.phase = { state: 'paused' }
  run.ramp = steady(0, now)
  parts.dmx.hold(now, run.button.id)
  tell(parts.context, run, cause, null)
  parts.boundaries.plan(run)
}
