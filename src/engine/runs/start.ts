// What a start captures, and the run that it makes.
import { frame, msToFrames, ZERO, type Frame } from '../../clock/frame.js'
import { mixFrames, type Button, type Playlist } from '../catalogue.js'
import { NO_OPTIONS, type RunOptions } from '../commands/commands.js'
import { decibelsToGain, steady } from '../sound/ramp.js'
import type { Run } from './run.js'
import { Voice, type Pass } from '../sound/voice.js'

export interface StartOrder {
  readonly button: Button
  /** Null for an automatic start: it carries no overrides (decisions 3). */
  readonly options: RunOptions | null
  readonly pass: Pass
  readonly order: number
  /** The run whose place an automatic start takes; null for a start by command. */
  readonly follows: string | null
  readonly tried: ReadonlySet<string>
}

export const startFrame = (button: Button): Frame => msToFrames(button.startMs)
export const endFrame = (button: Button): Frame | null =>
  button.endMs === null ? null : msToFrames(button.endMs)

/** 3.4.8, before the limits: the explicit value, else what Mix on transition gives. */
const wishedOverlap = (button: Button, options: RunOptions, list: Playlist | null): Frame => {
  if (options.loopCrossfadeMs !== null) return msToFrames(options.loopCrossfadeMs)
  if (list?.mixOnTransition !== true) return ZERO
  return button.fadeOutMs > 0 ? msToFrames(button.fadeOutMs) : mixFrames(list)
}

export const createRun = (
  start: StartOrder, serial: number, executionId: string, list: Playlist | null, now: Frame,
): Run => {
  const { button } = start
  if (button.media === null) throw new Error('bug: a run without media')
  const options = start.options ?? NO_OPTIONS
  const from = startFrame(button)
  const voice = new Voice(start.pass, from)
  voice.at = now
  return {
    serial,
    order: start.order,
    executionId,
    button,
    path: button.media,
    start: from,
    to: endFrame(button),
    gain: decibelsToGain(button.gainDb),
    options,
    loopOverlap: wishedOverlap(button, options, list),
    automatic: start.follows !== null,
    tried: start.tried,
    voice,
    state: 'starting',
    endReason: null,
    ramp: steady(0, now),
    fadeReason: 'explicit_stop',
    stopLands: false,
    pauseWhenReady: false,
    starving: false,
    lateTold: false,
    handedOver: null,
    advance: null,
    atEndFade: false,
    riseEnd: frame(0),
    soundedAt: null,
    sourceFrames: start.pass.source,
    mediaDue: null,
    rampDue: null,
    until: null,
  }
}
