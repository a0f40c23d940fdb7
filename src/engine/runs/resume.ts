// Resume (4.1): a paused run, or one that is about to pause, plays on and replaces what came since.
import { add } from '../../clock/frame.js'
import { moveOf, no, ok, type CommandParts, type Of } from '../commands/command-parts.js'
import type { Reply } from '../commands/commands.js'
import { liveTarget } from '../commands/which-run.js'
import { tell } from '../run-events.js'
import { rampTo } from '../sound/ramp.js'
import { fadeFrames } from './fade-precedence.js'
import { incomingCurve, replaceOthers } from './replacement.js'
import { listOf, PLAYING, type Run } from './run.js'
import type { RunParts } from './run-parts.js'
import { executionBody } from './run-view.js'

export const resumeCommand = (parts: CommandParts, command: Of<'resume'>): Reply => {
  const run = liveTarget(parts, command)
  if ('ok' in run) return run
  const { context } = parts
  const move = moveOf(run, 'resume')
  if (move === 'refuse') return no('execution_not_resumable', 'the run is being stopped')
  const refusal = parts.output.refusal()
  if (refusal !== null) return refusal
  if (move === 'forget_pause') run.phase = { state: 'starting', pausesWhenReady: false }
  if (move === 'rise') resumeRun(parts, run, command.fadeInMs)
  return ok(executionBody(context.view(run), context.now))
}

/**
 * From paused or pausing back to playing: accepted anew, so it replaces what came before. One that
 * was paused while it was `starting`, and has nothing to be heard yet, replaces once it has: what
 * plays would give way to silence, and for ever if its decoder fails.
 */
export const resumeRun = (parts: RunParts, run: Run, fadeInMs: number | null): void => {
  run.order = parts.accepted()
  if (run.soundedAt === null && !run.voice.tail.ready) {
    run.phase = { state: 'playing', rises: { fadeInMs }, atEndFade: false }
    tell(parts.context, run, 'command', null)
    parts.boundaries.plan(run)
    return
  }
  soundAfterResume(parts, run, fadeInMs)
  tell(parts.context, run, 'command', null)
  parts.boundaries.settle(run)
}

/** It is heard from here on, and what it replaces gives way. */
export const soundAfterResume = (parts: RunParts, run: Run, fadeInMs: number | null): void => {
  const { now } = parts.context
  const list = listOf(run, parts.context.catalogue)
  const replaced = replaceOthers(parts, run)
  const frames = fadeFrames(fadeInMs, run.button.fadeInMs, list)
  run.ramp = rampTo(run.ramp, 1, now, frames, incomingCurve(list, replaced))
  run.riseEnd = add(now, frames)
  // Much may have been played since a successor was prepared: it is chosen anew, in time.
  parts.sequencer.drop(run)
  takeBack(parts, run)
  run.phase = PLAYING
  run.soundedAt ??= now
  // What starves holds the sound and its lights.
  if (run.starving === null) {
    run.voice.go(now)
    parts.dmx.release(now, run.button.id)
  }
}

/** A successor that this resume replaced may come again at the end. */
const takeBack = (parts: RunParts, run: Run): void => {
  run.takenBack = null
  if (run.handedOver === null) return
  const successor = parts.context.runs.run(run.handedOver)
  if (successor === null || successor.phase.state !== 'playing') run.handedOver = null
}
