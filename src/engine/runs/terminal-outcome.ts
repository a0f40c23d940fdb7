// How a run ends, and as what (3.1): natural_end at its End, by a stop or a replacement, or as
// playback_error where its decoder failed.
import { frame, type Frame } from '../../clock/frame.js'
import { TERMINAL, type EndReason, type RunCause } from '../../contract/vocabulary.js'
import { listGoesOn } from '../playlists/external-sequencing.js'
import { tell } from '../run-events.js'
import { awaitsSound, isLive, type Run } from './run.js'
import type { RunParts } from './run-parts.js'
import { endStarving } from './starvation.js'

/** A list that only ever fails must end; a run that sounded this long was worth its place. */
const WORTH_ITS_PLACE: Frame = frame(48_000)

/** The one way in which a run ends. */
export const endRun = (
  parts: RunParts, run: Run, reason: EndReason, cause: RunCause, message: string | null,
): void => {
  const { now } = parts.context
  if (!isLive(run)) throw new Error('bug: a run ends once')
  endStarving(parts.context, run, 'ended: its decoder was late')
  run.voice.hold(now)
  run.phase = { state: TERMINAL[reason], reason }
  parts.boundaries.leave(run)
  run.voice.close()
  parts.sequencer.drop(run)
  parts.dmx.endWithMedia(now, run.button.id, reason)
  parts.context.retire(run)
  tell(parts.context, run, cause, message)
  parts.sequencer.listMoved(run)
}

/** End reached; inside a fade nothing starts by itself (decisions 3). */
export const reachEnd = (parts: RunParts, run: Run): void => {
  const { phase } = run
  if (phase.state === 'fading_out') {
    endRun(parts, run, phase.reason, 'media_end', null)
    return
  }
  const onward = phase.state === 'playing' && listGoesOn(run, parts.context.catalogue)
  const advance = onward ? parts.sequencer.take(run) : null
  endRun(parts, run, 'natural_end', 'media_end', null)
  if (!onward) return
  if (advance !== null) advance.early = false
  parts.sequencer.handOver(run, advance)
}

/** The decoder gave up: a list moves on, anything else just ends (decisions 3). */
export const failRun = (parts: RunParts, run: Run, message: string): void => {
  const { phase, soundedAt } = run
  const fruitful = soundedAt !== null && parts.context.now - soundedAt >= WORTH_ITS_PLACE
  const isHeard = phase.state === 'playing' && phase.rises === null
  const pauses = phase.state === 'starting' && phase.pausesWhenReady
  const onward =
    (isHeard || (awaitsSound(run) && run.automatic && !pauses)) &&
    listGoesOn(run, parts.context.catalogue)
  const tried = new Set([...(fruitful ? [] : run.tried), run.button.id])
  const advance = onward ? parts.sequencer.take(run) : null
  endRun(parts, run, 'playback_error', 'decoder', message)
  if (onward) parts.sequencer.handOver(run, advance, tried)
}
