// The show as the engine reads it: buttons in playlists, settings in frames, looked up by id.
import { msToFrames, type Frame } from '../clock/frame.js'
import type { OwnKeys } from '../contract/schemas.js'
import {
  makesRuns, type ButtonKind, type CrossfadeCurve, type PlaylistMode,
} from '../contract/vocabulary.js'

/** A timeline that was compiled; one that could not be has `error` and makes no DMX run. */
export interface TimelineRef {
  /** Names the compiled data for whoever evaluates it. */
  readonly timelineId: string
  readonly loop: boolean
  /** Null when the file is missing or bad; the reason stands in `error`. */
  readonly durationFrames: Frame | null
  readonly error: string | null
}

export interface Button {
  readonly id: string
  readonly title: string
  readonly kind: ButtonKind
  readonly playlistId: string
  /** An absolute path; null for dmx and navigation. */
  readonly media: string | null
  readonly startMs: number
  readonly endMs: number | null
  readonly fadeInMs: number
  readonly fadeOutMs: number
  readonly fadeOutAtEnd: boolean
  readonly isLoopEnabled: boolean
  readonly pauseWhenReplaced: boolean
  readonly allowOverlap: boolean
  readonly gainDb: number
  readonly dmx: TimelineRef | null
  /** Its `x-` keys, which readers of the catalogue get as they are; null: it has none. */
  readonly own: Readonly<OwnKeys> | null
}

export interface Playlist {
  readonly id: string
  readonly title: string
  readonly mode: PlaylistMode
  readonly wrap: boolean
  readonly mixOnTransition: boolean
  readonly crossfadeMs: number
  readonly crossfadeCurve: CrossfadeCurve
  readonly buttons: readonly Button[]
}

export interface Show {
  readonly title: string
  readonly playlists: readonly Playlist[]
}

/** What stands where in a show; it grows with one that comes in parts. */
export class ShowIndex {
  readonly buttons = new Map<string, Button>()
  readonly playlists = new Map<string, Playlist>()

  addPlaylist(playlist: Playlist): void {
    this.playlists.set(playlist.id, playlist)
  }

  addButton(button: Button): void {
    this.buttons.set(button.id, button)
  }
}

const indexOf = ({ playlists }: Show): ShowIndex => {
  const index = new ShowIndex()
  for (const playlist of playlists) {
    index.addPlaylist(playlist)
    for (const button of playlist.buttons) index.addButton(button)
  }
  return index
}

/** A show made ready for look-up; swapped whole, never changed. */
export class Catalogue {
  readonly title: string
  readonly playlists: readonly Playlist[]
  readonly #index: ShowIndex

  /** `index`: of this very show, where it was made already. */
  constructor(show: Show, index = indexOf(show)) {
    this.title = show.title
    this.playlists = show.playlists
    this.#index = index
  }

  button(id: string): Button | null {
    return this.#index.buttons.get(id) ?? null
  }

  playlist(id: string): Playlist | null {
    return this.#index.playlists.get(id) ?? null
  }
}

export const EMPTY_SHOW: Show = { title: '', playlists: [] }

export const startFrame = (button: Button): Frame => msToFrames(button.startMs)
export const endFrame = (button: Button): Frame | null =>
  button.endMs === null ? null : msToFrames(button.endMs)

/** An End past the source's end means that end (decisions 3); null while neither is known. */
export const effectiveEnd = <T extends number>(end: T | null, source: T | null): T | null =>
  end === null || source === null ? end ?? source : end < source ? end : source

/** The Crossfade duration where Mix on transition is on, else none (4.1 fade precedence 3). */
export const mixFrames = (playlist: Playlist | null): Frame =>
  msToFrames(playlist?.mixOnTransition === true ? playlist.crossfadeMs : 0)

/** Audio and video buttons can follow one another in a list; nothing else does. */
export const playableButtons = (playlist: Playlist): readonly Button[] =>
  playlist.buttons.filter((button) => makesRuns(button.kind))

/** Asked at every boundary of a list's run, so it looks no further than it must. */
export const hasTwoPlayable = (playlist: Playlist): boolean => {
  const first = playlist.buttons.findIndex((button) => makesRuns(button.kind))
  if (first < 0) return false
  return playlist.buttons.some((button, n) => n > first && makesRuns(button.kind))
}
