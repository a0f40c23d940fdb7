// One run of an audio or video button, from its accepted start to its terminal snapshot.
import type { Frame } from '../../clock/frame.js'
import type { EndReason, RunState } from '../../contract/vocabulary.js'
import type { Due } from '../agenda.js'
import type { Button } from '../catalogue.js'
import type { RunOptions } from '../commands/commands.js'
import type { Heading } from './playhead.js'
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
  /** Resumed before its first sound is ready: by this fade it rises, and replaces, once it is. */
  risesWhenReady: { readonly fadeInMs: number | null } | null
  /** Sounding, but its decoder is late: the position holds. */
  starving: Starving | null
  /** How long its decoder was late in all, without what lasts still. */
  starvedFrames: Frame
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
  /** How often it came round, and when that was told last. */
  passes: number
  wrapToldAt: Frame | null
  /** What its events said last of its source's length and End. */
  toldLength: ToldLength
}

export interface ToldLength {
  readonly durationMs: number
  readonly endMs: number | null
}

/** A decoder is late since `since`; `told` once that lasted a frame: it was heard as a gap. */
export interface Starving {
  readonly since: Frame
  readonly told: boolean
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

/** Nothing of it was heard yet: it replaces nothing, and ends or rests without a fade. */
export const awaitsSound = (run: Run): boolean =>
  run.state === 'starting' || run.risesWhenReady !== null

export const isSounding = (run: Run): boolean =>
  run.state === 'playing' || run.state === 'pausing' || run.state === 'fading_out'
