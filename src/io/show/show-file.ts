// Reads show.json and makes the engine's show of it, or names every fault by its place.
import { basename, dirname, resolve } from 'node:path'
import type { Button, Playlist, Show, TimelineRef } from '../../engine/catalogue.js'
import type { CompiledTimeline } from '../../engine/lighting/timeline.js'
import type { Fault } from '../files/fault.js'
import type { TimelineAnswer } from '../timeline/timeline-file.js'
import { FilesOfButtons, type NamedFile, type NamedFiles } from './named-files.js'
import { readShowShape } from './show-read.js'
import type { ButtonShape, ShowShape } from './show-shape.js'

type Timelines = ReadonlyMap<string, TimelineAnswer>

/** Compiles files, given by absolute path; every path asked for has its answer. */
type CompileTimelines = (paths: readonly string[]) => Promise<Timelines>

/** As much of a timeline's answer as its button tells. */
export type TimelineLength =
  | { readonly ok: true; readonly timeline: Pick<CompiledTimeline, 'durationFrames'> }
  | Exclude<TimelineAnswer, { readonly ok: true }>

const NO_TIMELINES: Timelines = new Map()

type Lengths = ReadonlyMap<string, TimelineLength>

/** What pages alone want to know of a button: the engine has no use for it. */
export type ButtonLook = Pick<
  ButtonShape, 'color' | 'hotkey' | 'pressAgain' | 'fit' | 'dissolveMs' | 'target'
>

/** The keys of the show that only pages read. */
export interface ShowLooks {
  readonly buttons: ReadonlyMap<string, ButtonLook>
  /** Of the playlists that say how many columns their grid has. */
  readonly columns: ReadonlyMap<string, number>
}

export interface LoadedShow extends NamedFiles {
  readonly ok: true
  readonly show: Show
  readonly looks: ShowLooks
  /** The absolute path of the show file. */
  readonly file: string
  /** By timelineId, which is the timeline's absolute path. */
  readonly timelines: Timelines
}

export type ShowAnswer =
  | LoadedShow
  | { readonly ok: false; readonly faults: readonly Fault[] }

/**
 * Loads a show. Missing media are no fault, nor is a timeline that does not compile (it stands in
 * its button with the reason); `compile` null leaves every timeline uncompiled.
 */
export const loadShow = async (
  path: string, compile: CompileTimelines | null,
): Promise<ShowAnswer> => {
  const file = resolve(path)
  const read = await readShowShape(file)
  if (!read.ok) return read
  const { shape } = read
  const folder = dirname(file)
  const paths = timelinePaths(shape, folder)
  const timelines = compile === null || paths.length === 0 ? NO_TIMELINES : await compile(paths)
  return { ok: true, file, timelines, ...builtShow(shape, folder, timelines) }
}

const timelinePaths = (shape: ShowShape, folder: string): readonly string[] => {
  const paths = new Set<string>()
  for (const playlist of shape.playlists) {
    for (const { dmx } of playlist.buttons) {
      if (dmx !== null) paths.add(resolve(folder, dmx.timeline))
    }
  }
  return [...paths]
}

export const builtShow = (
  shape: ShowShape, folder: string, timelines: Lengths,
): Omit<LoadedShow, 'ok' | 'file' | 'timelines'> => {
  const files = new FilesOfButtons()
  const playlists = shape.playlists.map(({ columns: _, ...playlist }, p): Playlist => {
    const buttons = playlist.buttons.map((entry, b): Button => {
      const button = builtButton(entry, playlist.id, folder, timelines)
      files.note(p, b, button, { media: button.media, timeline: button.dmx?.timelineId ?? null })
      return button
    })
    return { ...playlist, buttons }
  })
  const { media, lights } = files
  return { show: { title: shape.title, playlists }, looks: looksOf(shape), media, lights }
}

const looksOf = ({ playlists }: ShowShape): ShowLooks => {
  const buttons = new Map<string, ButtonLook>()
  const columns = new Map<string, number>()
  for (const playlist of playlists) {
    if (playlist.columns !== null) columns.set(playlist.id, playlist.columns)
    for (const { id, color, hotkey, pressAgain, fit, dissolveMs, target } of playlist.buttons) {
      const opens = target?.toLowerCase() ?? null
      buttons.set(id, { color, hotkey, pressAgain, fit, dissolveMs, target: opens })
    }
  }
  return { buttons, columns }
}

/** A path is always a file's, below the show's folder or absolute: `http:` names a folder here. */
const builtButton = (
  entry: ButtonShape, playlistId: string, folder: string, timelines: Lengths,
): Button => {
  return {
    id: entry.id,
    title: entry.title,
    kind: entry.kind,
    playlistId,
    media: entry.media === null ? null : resolve(folder, entry.media),
    startMs: entry.startMs,
    endMs: entry.endMs,
    fadeInMs: entry.fadeInMs,
    fadeOutMs: entry.fadeOutMs,
    fadeOutAtEnd: entry.fadeOutAtEnd,
    isLoopEnabled: entry.isLoopEnabled,
    pauseWhenReplaced: entry.pauseWhenReplaced,
    allowOverlap: entry.allowOverlap,
    gainDb: entry.gainDb,
    own: entry.own,
    dmx:
      entry.dmx === null
        ? null
        : timelineRef(resolve(folder, entry.dmx.timeline), entry.dmx.loop, timelines),
  }
}

const timelineRef = (timelineId: string, loop: boolean, timelines: Lengths): TimelineRef => {
  const answer = timelines.get(timelineId)
  if (answer === undefined) return { timelineId, loop, durationFrames: null, error: 'not compiled' }
  if (!answer.ok) {
    // Told where the button is known and the file is not: on the wall, in the log, in a refusal.
    const error = `${basename(timelineId)}: ${answer.message}`
    return { timelineId, loop, durationFrames: null, error }
  }
  return { timelineId, loop, durationFrames: answer.timeline.durationFrames, error: null }
}

/** Files that nothing but images use: nothing is to be found in them. */
export const imagePaths = (media: readonly NamedFile[]): ReadonlySet<string> => {
  const images = new Set(media.map(({ path }) => path))
  for (const { path, button } of media) if (button.kind !== 'image') images.delete(path)
  return images
}
