// What GET /show tells pages of the show: types and plain words.
import type { ButtonKind, CrossfadeCurve, PlaylistMode } from './vocabulary.js'

export const BUTTON_COLORS = [
  'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'grey',
] as const
export type ButtonColor = (typeof BUTTON_COLORS)[number]

/** What a press does to a button that plays. */
export const PRESS_AGAIN = ['pause', 'stop', 'restart'] as const
export type PressAgain = (typeof PRESS_AGAIN)[number]

export const FITS = ['contain', 'cover'] as const
export type Fit = (typeof FITS)[number]

/** The body of GET /show. It holds no path of the file system. */
export interface ShowPage {
  readonly title: string
  /** Of cartwall: pages of another one want to be loaded again. */
  readonly version: string
  readonly settings: PageSettings
  readonly playlists: readonly ShowPlaylist[]
}

/** Of the configuration. */
export interface PageSettings {
  /** pages.panicFadeMs */
  readonly panicFadeMs: number
  /** pages.guardMs */
  readonly guardMs: number
  /** stage.offsetMs: picture later (below 0: earlier) than sound. */
  readonly stageOffsetMs: number
}

export interface ShowPlaylist {
  readonly id: string
  readonly title: string
  readonly mode: PlaylistMode
  readonly wrap: boolean
  readonly mixOnTransition: boolean
  readonly crossfadeMs: number
  readonly crossfadeCurve: CrossfadeCurve
  /** Of the grid; null: by width. */
  readonly columns: number | null
  readonly buttons: readonly ShowButton[]
}

export interface ShowButton {
  readonly id: string
  readonly title: string
  readonly kind: ButtonKind
  readonly startMs: number
  readonly endMs: number | null
  readonly fadeInMs: number
  readonly fadeOutMs: number
  readonly fadeOutAtEnd: boolean
  readonly isLoopEnabled: boolean
  readonly pauseWhenReplaced: boolean
  readonly allowOverlap: boolean
  readonly gainDb: number
  readonly color: ButtonColor | null
  /** A key code (`event.code`), unique in its playlist; null: by place. */
  readonly hotkey: string | null
  readonly pressAgain: PressAgain
  /** How a picture fits the stage, and how it comes and goes; for images and videos. */
  readonly fit: Fit
  readonly dissolveMs: number
  /** The playlist that a navigation button opens; else null. */
  readonly target: string | null
  readonly dmx: ShowTimeline | null
  /** Of the source, or of the timeline of a DMX-only button; 0 while it is not known. */
  readonly durationMs: number
  readonly media: ShowMedia | null
}

export interface ShowTimeline {
  readonly loop: boolean
  /** Why it cannot run; null: it can. */
  readonly error: string | null
}

/** In a reason: nothing has the name of the file. Of a timeline it stands behind that name. */
export const FILE_MISSING = 'the file is missing'

/** The file of a button, as far as it was looked into. */
export interface ShowMedia {
  /** Why there is none: the file is not there, or is no media; null: it is there. */
  readonly missing: string | null
  /** Changes with the file: put it into the address of its media, so that caches ask anew. */
  readonly version: string | null
  /** The content type that /media answers with; null while it is not known. */
  readonly type: string | null
  /** Why a browser shows no picture of it; null: it does, or it is sound, or it is not known. */
  readonly notShown: string | null
  readonly video: VideoFacts | null
  readonly audio: AudioFacts | null
}

export interface VideoFacts {
  readonly codec: string
  readonly pixelFormat: string | null
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number | null
  /** Where time begins in its file: not at 0 in a cut of a longer recording. */
  readonly beginsMs: number
  /** The longest way between two keyframes, as far as it was looked at. */
  readonly keyframesMs: number | null
}

export interface AudioFacts {
  readonly codec: string
  readonly channels: number
  readonly sampleRate: number
}
