// One run of an audio or video button, from its accepted start to its terminal snapshot.
import type { Frame } from '../../clock/frame.js'
import type { EndReason, TerminalState } from '../../contract/vocabulary.js'
import type { Due } from '../agenda.js'
import type { Button, Catalogue, Playlist } from '../catalogue.js'
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
  /** Captured at the start: kind, media, range, gain, options, the loop's overlap. */
  readonly kind: Button['kind']
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
  phase: Phase
  ramp: Ramp
  /** Sounding, but its decoder is late: the position holds. */
  starving: Starving | null
  /** How long its decoder was late in all, without what lasts still. */
  starvedFrames: Frame
  /** The successor that an early crossfade has started already. */
  handedOver: string | null
  /**
   * That one broke and nobody else followed: the list goes on from this run at its End, without
   * what was tried in vain. It is falling already, so it neither repeats nor blends once more.
   */
  takenBack: ReadonlySet<string> | null
  advance: Advance | null
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

/** The state of a run, and what there is in that state alone. */
export type Phase =
  /** `pausesWhenReady`: a pause was asked for meanwhile. */
  | { readonly state: 'starting'; readonly pausesWhenReady: boolean }
  | {
      readonly state: 'playing'
      /** Resumed before its first sound is ready: by this fade it rises and replaces once it is. */
      readonly rises: { readonly fadeInMs: number | null } | null
      /** The fade that lands on End has begun. */
      readonly atEndFade: boolean
    }
  | { readonly state: 'pausing' | 'paused' }
  | {
      readonly state: 'fading_out'
      readonly reason: StopReason
      /** It looped when it was stopped: a fade longer than what is left lands on End. */
      readonly lands: boolean
    }
  | { readonly state: TerminalState; readonly reason: EndReason }

export type StopReason = 'explicit_stop' | 'replaced'

export const PLAYING: Phase = { state: 'playing', rises: null, atEndFade: false }

export interface ToldLength {
  readonly durationMs: number
  readonly endMs: number | null
}

/** A decoder is late since `since`; `told` once that lasted a frame: it was heard as a gap. */
export interface Starving {
  readonly since: Frame
  readonly told: boolean
}

/** One search for a successor: prepared ahead, or made when the moment has come. */
export interface Advance {
  readonly from: Run
  readonly tried: Set<string>
  /** It was begun for an early crossfade. */
  readonly blends: boolean
  /** Still meant for an early crossfade: the predecessor itself is no candidate then. */
  early: boolean
  /** Null where nobody was found. */
  candidate: Button | null
  pass: Pass | null
  /** The outstanding check of the candidate's file. */
  ticket: number | null
}

/** The owning playlist; a button that vanished from a show keeps obeying the one it was in. */
export const listOf = (run: Run, catalogue: Catalogue): Playlist | null =>
  catalogue.playlist(run.button.playlistId)

/** Nothing of it was heard yet: it replaces nothing, and ends or rests without a fade. */
export const awaitsSound = ({ phase }: Run): boolean =>
  phase.state === 'starting' || (phase.state === 'playing' && phase.rises !== null)

export const isSounding = ({ phase: { state } }: Run): boolean =>
  state === 'playing' || state === 'pausing' || state === 'fading_out'

/** Its frames are read now: one that waits for its decoder is silent, though its state sounds. */
export const isRead = (run: Run): boolean => run.voice.moving && isSounding(run)

/** Null while it is live. */
export const endReasonOf = ({ phase }: Run): EndReason | null =>
  'reason' in phase && phase.state !== 'fading_out' ? phase.reason : null

export const isLive = (run: Run): boolean => endReasonOf(run) === null

/** Why it is stopped already; an explicit stop, where nothing else has begun to stop it. */
export const stopReasonOf = ({ phase }: Run): StopReason =>
  phase.state === 'fading_out' ? phase.reason : 'explicit_stop'
