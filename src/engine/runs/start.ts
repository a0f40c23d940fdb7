// A start (decisions 3): what it captures, the run it makes, and the moment it begins to sound.
import { frame, type Frame } from '../../clock/frame.js'
import { endFrame, startFrame, type Button, type Playlist } from '../catalogue.js'
import type { RunOptions } from '../commands/commands.js'
import { tell } from '../run-events.js'
import { decibelsToGain, rampTo, steady } from '../sound/ramp.js'
import { Voice, type Pass } from '../sound/voice.js'
import { wishedOverlap } from './loop.js'
import { enterPaused } from './pause.js'
import { fadeInAtStart, incomingCurve, replaceOthers } from './replacement.js'
import { soundAfterResume } from './resume.js'
import { listOf, PLAYING, type Run } from './run.js'
import type { RunParts } from './run-parts.js'

export interface StartOrder {
  readonly button: Button
  readonly options: RunOptions
  readonly pass: Pass
  readonly order: number
  /** The run whose place an automatic start takes; null for a start by command. */
  readonly follows: string | null
  readonly tried: ReadonlySet<string>
}

export const createRun = (
  start: StartOrder, serial: number, executionId: string, list: Playlist | null, now: Frame,
): Run => {
  const { button, options } = start
  if (button.media === null) throw new Error('bug: a run without media')
  return {
    serial,
    order: start.order,
    executionId,
    button,
    kind: button.kind,
    path: button.media,
    start: startFrame(button),
    to: endFrame(button),
    gain: decibelsToGain(button.gainDb),
    options,
    loopOverlap: wishedOverlap(button, options, list),
    automatic: start.follows !== null,
    tried: start.tried,
    voice: new Voice(start.pass, now),
    phase: { state: 'starting', pausesWhenReady: false },
    ramp: steady(0, now),
    starving: null,
    starvedFrames: frame(0),
    handedOver: null,
    takenBack: null,
    advance: null,
    riseEnd: frame(0),
    soundedAt: null,
    sourceFrames: start.pass.source,
    mediaDue: null,
    rampDue: null,
    until: null,
    heading: null,
    comesRound: false,
    passes: 0,
    wrapToldAt: null,
    toldLength: { durationMs: 0, endMs: null },
  }
}

/** Its first audio is ready: it sounds, or rests at its Start where a pause was asked for. */
export const becomeReady = (parts: RunParts, run: Run): void => {
  const { phase } = run
  if (phase.state === 'playing' && phase.rises !== null) {
    soundAfterResume(parts, run, phase.rises.fadeInMs)
    parts.boundaries.settle(run)
    return
  }
  if (phase.state !== 'starting' || !phase.pausesWhenReady) {
    beginToSound(parts, run, null)
    return
  }
  parts.dmx.mediaSounds(parts.context.now, run.button.id)
  enterPaused(parts, run, 'ready')
}

/** The run begins to sound, and what it replaces gives way only now (decisions 3). */
export const beginToSound = (parts: RunParts, run: Run, crossfade: Frame | null): void => {
  const { now, catalogue } = parts.context
  const list = listOf(run, catalogue)
  const replaced = run.automatic ? 0 : replaceOthers(parts, run)
  const fadeIn = fadeInAtStart(run, list, replaced)
  const curve = incomingCurve(list, replaced)
  const silent = steady(0, now)
  run.ramp =
    crossfade === null
      ? rampTo(silent, 1, now, fadeIn, curve)
      : rampTo(silent, 1, now, crossfade, 'linear')
  run.phase = PLAYING
  run.soundedAt = now
  run.voice.go(now)
  parts.dmx.mediaSounds(now, run.button.id)
  tell(parts.context, run, 'ready', null)
  parts.boundaries.settle(run)
}
