// One run of an audio or video button, from its accepted start to its terminal snapshot.
import { earlier, framesToWholeMs, type Frame } from '../../clock/frame.js'
import type { Execution } from '../../contract/schemas.js'
import { type EndReason, type RunState } from '../../contract/vocabulary.js'
import type { Due } from '../agenda.js'
import type { Button } from '../catalogue.js'
import type { RunOptions } from '../commands/commands.js'
import { positionMs, type Heading, type Playhead } from './playhead.js'
import type { Ramp } from '../sound/ramp.js'
import type { Pass, Voice } from '../sound/voice.js'

export interface Run {
  /** Order of creation: voices are summed in it. */
  readonly serial: number
  /** Order of acceptance: who may replace whom. A resume is accepted anew (decisions 3). */
  order: number
  readonly executionId: string
  /** Settings as they are read when needed; kept from the last catalogue that had the button. */
  button: Button
  /** Captured at the start: media, range, gain, options, the loop's overlap. */
  readonly path: string
  readonly start: Frame
  readonly to: Frame | null
  readonly gain: number
  readonly options: RunOptions
  readonly loopOverlap: Frame
  readonly automatic: boolean
  /**
   * What an automatic start has tried in vain so far, so that one fruitless round ends the list.
   */
  readonly tried: ReadonlySet<string>
  readonly voice: Voice
  state: RunState
  endReason: EndReason | null
  ramp: Ramp
  /** Why a fading_out run ends. */
  fadeReason: 'explicit_stop' | 'replaced'
  /** It looped when it was stopped: a fade longer than what is left of the pass lands on End. */
  stopLands: boolean
  /** A pause was asked for while starting. */
  pauseWhenReady: boolean
  /** Sounding, but its decoder is late: the position holds. */
  starving: boolean
  /** Somebody was told of it: it lasted a frame at least. */
  lateTold: boolean
  /** The successor that an early crossfade has started already. */
  handedOver: string | null
  advance: Advance | null
  /** The fade that lands on End has begun. */
  atEndFade: boolean
  /** Until here an explicit resume's fade is left alone. */
  riseEnd: Frame
  soundedAt: Frame | null
  sourceFrames: Frame | null
  mediaDue: Due | null
  rampDue: Due | null
  /** The position of the next boundary. */
  until: Frame | null
  /** What readers are told of where it goes. */
  heading: Heading | null
  /** The present pass is followed by another one, as things stand. */
  comesRound: boolean
}

/** One search for a successor. It is prepared ahead, and `due` once its moment has come. */
export interface Advance {
  readonly from: Run
  readonly playlistId: string
  readonly tried: Set<string>
  /** It was begun for an early crossfade. */
  readonly blends: boolean
  /** Still meant for an early crossfade: the predecessor itself is no candidate then. */
  early: boolean
  candidate: Button | null
  pass: Pass | null
  /** The outstanding check of the candidate's file. */
  ticket: number | null
  due: boolean
  over: boolean
}

/** A run as others see it: plain data that crosses threads and outlives the run. */
export interface RunView {
  readonly serial: number
  readonly executionId: string
  readonly buttonId: string
  readonly title: string
  readonly kind: Button['kind']
  readonly state: RunState
  readonly endReason: EndReason | null
  readonly durationMs: number
  readonly playhead: Playhead
  readonly order: number
  /** In the source: what is played of it, and its length; null while that is not known. */
  readonly start: Frame
  readonly end: Frame | null
  readonly duration: Frame | null
  readonly starving: boolean
  readonly heading: Heading | null
  /** The fade that runs, or ran last. */
  readonly ramp: Ramp
  /** The present pass is followed by another one. */
  readonly comesRound: boolean
  /** The button that its list plays next, once that is chosen. */
  readonly next: string | null
}

export const isSounding = (run: Run): boolean =>
  run.state === 'playing' || run.state === 'pausing' || run.state === 'fading_out'

/** `probed` is what is known of its source's length beside what its decoder told. */
export const viewOf = (run: Run, probed: Frame | null): RunView => ({
  serial: run.serial,
  executionId: run.executionId,
  buttonId: run.button.id,
  title: run.button.title,
  kind: run.button.kind,
  state: run.state,
  endReason: run.endReason,
  durationMs: wholeMsOf(run.sourceFrames ?? probed),
  playhead: {
    at: run.voice.at,
    position: run.voice.position,
    moving: run.voice.moving,
    until: run.until,
  },
  order: run.order,
  start: run.start,
  end: run.voice.tail.end ?? rangeEnd(run.to, run.sourceFrames ?? probed),
  duration: run.sourceFrames ?? probed,
  starving: run.starving,
  heading: run.voice.moving ? run.heading : null,
  ramp: run.ramp,
  comesRound: run.comesRound,
  next: run.advance?.candidate?.id ?? null,
})

/** An End past the source's end means that end (decisions 3). */
const rangeEnd = (to: Frame | null, source: Frame | null): Frame | null =>
  to === null || source === null ? source ?? to : earlier(to, source)

/** 2.2. */
export const executionBody = (view: RunView, now: Frame): Execution => ({
  executionId: view.executionId,
  buttonId: view.buttonId,
  state: view.state,
  positionMs: positionMs(view.playhead, now),
  durationMs: view.durationMs,
  endReason: view.endReason,
})

/** Whole milliseconds; 0 where they are not known. */
const wholeMsOf = (frames: Frame | null): number => frames === null ? 0 : framesToWholeMs(frames)
