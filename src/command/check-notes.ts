// What `cartwall check` says of a show beside its faults: settings that are likely a mistake, and
// what a stage cannot show, or not well. All of it plays.
import { framesToWholeMs, ZERO } from '../clock/frame.js'
import type { Button, Playlist } from '../engine/catalogue.js'
import { faultText, type Fault } from '../io/files/fault.js'
import type { ProbeAnswer } from '../io/media/probe-file.js'
import { combsReason, mendingLine, notShownReason, slowReason } from '../io/media/stage-format.js'
import { faultAt, withTitles } from '../io/show/fault-titles.js'
import type { NamedFile } from '../io/show/named-files.js'
import type { LoadedShow } from '../io/show/show-file.js'
import { keyNotes } from './key-notes.js'

/** What was found of files that are no images, by path. */
export type Probes = ReadonlyMap<string, ProbeAnswer>

/** Settings that do nothing as they or the others stand, each by its place. */
export const settingNotes = (
  { show, looks }: Pick<LoadedShow<unknown>, 'show' | 'looks'>, probes: Probes,
): readonly string[] => {
  const notes = show.playlists.flatMap((playlist, p) => [
    ...playlistNotes(playlist, `playlists[${p}]`),
    ...playlist.buttons.flatMap((button, b) =>
      buttonNotes(button, `playlists[${p}].buttons[${b}]`, probes)),
    ...keyNotes(playlist, `playlists[${p}]`, looks),
  ])
  return withTitles(show, [...titleNotes(show.title, 'title'), ...notes]).map(faultText)
}

const titleNotes = (title: string, place: string): readonly Fault[] =>
  title.trim() === '' ? [{ place, message: 'is blank: pages show no name' }] : []

const playlistNotes = (
  { title, mode, wrap, mixOnTransition, crossfadeMs }: Playlist, at: string,
): readonly Fault[] => [
  ...titleNotes(title, `${at}.title`),
  ...(wrap && mode === 'manual'
    ? [{ place: `${at}.wrap`, message: 'does nothing where mode is manual' }]
    : []),
  ...(crossfadeMs > 0 && !mixOnTransition
    ? [{ place: `${at}.crossfadeMs`, message: 'does nothing without mixOnTransition' }]
    : []),
]

const buttonNotes = (
  { title, media, endMs, fadeOutMs, fadeOutAtEnd }: Button, at: string, probes: Probes,
): readonly Fault[] => {
  const answer = media === null ? undefined : probes.get(media)
  const lasts = answer?.ok === true && !answer.facts.isEstimate ? answer.facts.duration : ZERO
  const lastsMs = framesToWholeMs(lasts)
  return [
    ...titleNotes(title, `${at}.title`),
    ...(fadeOutAtEnd && fadeOutMs === 0
      ? [{ place: `${at}.fadeOutAtEnd`, message: 'does nothing without fadeOutMs' }]
      : []),
    ...(endMs !== null && lastsMs > 0 && endMs > lastsMs
      ? [{ place: `${at}.endMs`, message: `the media end before it (${lastsMs})` }]
      : []),
  ]
}

/** It is no fault: its sound plays all the same, and not every show has a stage. */
export const stageNotes = (media: readonly NamedFile[], probes: Probes): readonly string[] =>
  media.filter(({ button }) => button.kind === 'video').flatMap((reference) => {
    const { path } = reference
    const answer = probes.get(path)
    if (answer?.ok !== true || answer.facts.video === null) return []
    const { facts, facts: { video } } = answer
    const reason = notShownReason(facts) ?? combsReason(facts) ?? slowReason(video)
    if (reason === null) return []
    const note = faultAt(reference, `on a stage: ${path}: ${reason}`)
    return [faultText(note), `  ${mendingLine(path, video)}`]
  })
