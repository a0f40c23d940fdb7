// What a start captures, and the run that the model makes of it.
import type { RunEvent } from '../../../world/engine-observer.js'
import { resting } from './gain.js'
import {
  framesOf, type ModelButton, type ModelList, type ModelRun, type ModelStream, type Options,
  type Tried,
} from '../shapes.js'

export interface Birth {
  readonly button: ModelButton
  readonly options: Options
  readonly order: number
  readonly auto: boolean
  readonly tried: Tried
  readonly event: RunEvent
  readonly tail: ModelStream
  /** The run whose place it takes; null where it was started by hand. */
  readonly from: ModelRun | null
}

export const newRun = (birth: Birth, list: ModelList, name: string, now: number): ModelRun => {
  const { button, event, tail, options } = birth
  const start = framesOf(button.startMs)
  const to = button.endMs === null ? null : framesOf(button.endMs)
  const saved = list.mixOnTransition ? button.fadeOutMs || list.crossfadeMs : 0
  return {
    id: event.executionId, name, button, start, to,
    level: Math.pow(10, button.gainDb / 20), options,
    wish: framesOf(options.loopCrossfadeMs ?? saved),
    auto: birth.auto, tried: birth.tried, bornAt: now, order: birth.order,
    state: 'starting', reason: null, endedAt: 0, position: start, since: now, moving: false,
    starving: false, starved: 0, starvedFrom: 0,
    fade: resting(0, now), why: 'explicit_stop', lands: false,
    pauseWanted: false, rises: null, tail,
    next: null, seam: null, decided: false, passes: 0, wrapsTold: 0, wrapToldAt: -Infinity,
    source: tail.source,
    handedTo: null, endFade: false, riseEnd: 0, soundedAt: null, calmSince: now,
    settledAt: -1, newsHeard: false, durationMs: 0, endMs: null, told: 0,
  }
}
