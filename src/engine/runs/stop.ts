// Stop (4.1): a fade to silence or a cut, never a natural end; the lights go out at once (3.5).
import { add, earlier, ZERO, type Frame } from '../../clock/frame.js'
import type { CrossfadeCurve } from '../../contract/vocabulary.js'
import { moveOf, no, ok, type CommandParts, type Of } from '../commands/command-parts.js'
import type { Reply } from '../commands/commands.js'
import { knowsButton, stopTarget } from '../commands/which-run.js'
import { tell } from '../run-events.js'
import { rampTo } from '../sound/ramp.js'
import { endRun } from './terminal-outcome.js'
import { fadeFrames } from './fade-precedence.js'
import { leftOfLoop, loopsNow } from './loop.js'
import { awaitsSound, isSounding, listOf, type Run, type StopReason } from './run.js'
import type { RunParts } from './run-parts.js'

export const stopCommand = (parts: CommandParts, command: Of<'stop'>): Reply => {
  const { buttonId } = command
  if (!knowsButton(parts, buttonId)) return no('button_not_found', `no button ${buttonId}`)
  const run = stopTarget(parts, command)
  if (run !== null && 'ok' in run) return run
  const id = buttonId
  parts.sequencer.dropDueOf(buttonId, command.executionId)
  parts.dmx.darken(parts.context.now, buttonId)
  if (run === null) {
    const dark = command.executionId === null && stopSilent(parts, buttonId)
    const result = dark ? 'stopped' : 'already_stopped'
    return ok({ result, id, executionId: command.executionId })
  }
  const { executionId } = run
  const fading = stopAsTold(parts, run, command.fadeOutMs)
  return ok({ result: fading ? 'fading_out' : 'stopped', id, executionId })
}

/** Stops a run as the table of 3.2 says; true while it fades. */
export const stopAsTold = (parts: RunParts, run: Run, fadeOutMs: number | null): boolean => {
  const move = moveOf(run, 'stop')
  if (move === 'none') return true
  const list = listOf(run, parts.context.catalogue)
  const frames = fadeFrames(fadeOutMs, run.button.fadeOutMs, list)
  stopRun(parts, run, move === 'cut' ? ZERO : frames, 'explicit_stop', 'linear')
  return isSounding(run)
}

/** Images and DMX-only buttons stop at once (4.1); false where nothing ran. */
export const stopSilent = ({ context, dmx, images }: CommandParts, buttonId: string): boolean => {
  const lit = dmx.runOf(buttonId) !== null
  const shown = images.shown?.id === buttonId
  if (shown) images.hide()
  else if (lit) dmx.end(context.now, buttonId)
  return lit || shown
}

/** To stopped, by a fade or at once; automatic advancement is suppressed (4.1). */
export const stopRun = (
  parts: RunParts, run: Run, frames: Frame, reason: StopReason,
  curve: CrossfadeCurve,
): void => {
  const cause = reason === 'replaced' ? 'replaced' : 'command'
  parts.sequencer.drop(run)
  if (awaitsSound(run) || run.phase.state === 'paused' || frames === 0) {
    endRun(parts, run, reason, cause, null)
    return
  }
  const { now } = parts.context
  const lands = reason === 'explicit_stop' && (loopsNow(run) || run.voice.seam !== null)
  const left = lands ? leftOfLoop(run, now) : null
  run.phase = { state: 'fading_out', reason, lands }
  run.ramp = rampTo(run.ramp, 0, now, left === null ? frames : earlier(frames, left), curve)
  parts.dmx.endWithMedia(now, run.button.id, reason)
  tell(parts.context, run, cause, null)
  parts.boundaries.plan(run)
}

/**
 * 3.4.7: the fade of a loop that was stopped lands on its End; an End that is told while it fades
 * may lie before the end of its fade.
 */
export const landStop = (run: Run, now: Frame): void => {
  const { phase } = run
  if (phase.state !== 'fading_out' || !phase.lands) return
  const left = leftOfLoop(run, now)
  if (left === null || add(now, left) >= run.ramp.end) return
  run.ramp = rampTo(run.ramp, 0, now, left, 'linear')
}
