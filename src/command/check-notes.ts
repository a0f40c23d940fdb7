// What `cartwall check` says of a show beside its faults: settings that are likely a mistake, and
// what a stage cannot show, or not well. All of it plays.
import { framesToWholeMs, ZERO } from '../clock/frame.js'
import type { Button, Playlist, Show } from '../engine/catalogue.js'
import type { ProbeAnswer } from '../io/media/probe-file.js'
import { mendingLine, notShownReason, slowReason } from '../io/media/stage-format.js'
import type { NamedFile } from '../io/show/named-files.js'

/** What was found of files that are no images, by path. */
export type Probes = ReadonlyMap<string, ProbeAnswer>

/** Settings that do nothing as the others stand, each by its place. */
export const settingNotes = ({ playlists }: Show, probes: Probes): readonly string[] =>
  playlists.flatMap((playlist, p) => [
    ...playlistNotes(playlist).map((note) => `playlists[${p}].${note}`),
    ...playlist.buttons.flatMap((button, b) =>
      buttonNotes(button, probes).map((note) => `playlists[${p}].buttons[${b}].${note}`)),
  ])

const playlistNotes = (
  { mode, wrap, mixOnTransition, crossfadeMs }: Playlist,
): readonly string[] => [
  ...(wrap && mode === 'manual' ? ['wrap: does nothing where mode is manual'] : []),
  ...(crossfadeMs > 0 && !mixOnTransition
    ? ['crossfadeMs: does nothing without mixOnTransition']
    : []),
]

const buttonNotes = (
  { media, endMs, fadeOutMs, fadeOutAtEnd }: Button, probes: Probes,
): readonly string[] => {
  const answer = media === null ? undefined : probes.get(media)
  const lasts = answer?.ok === true && !answer.facts.isEstimate ? answer.facts.duration : ZERO
  const lastsMs = framesToWholeMs(lasts)
  return [
    ...(fadeOutAtEnd && fadeOutMs === 0 ? ['fadeOutAtEnd: does nothing without fadeOutMs'] : []),
    ...(endMs !== null && lastsMs > 0 && endMs > lastsMs
      ? [`endMs: the media end before it (${lastsMs})`]
      : []),
  ]
}

/** It is no fault: its sound plays all the same, and not every show has a stage. */
export const stageNotes = (media: readonly NamedFile[], probes: Probes): readonly string[] =>
  media.filter(({ button }) => button.kind === 'video').flatMap(({ place, path }) => {
    const answer = probes.get(path)
    if (answer?.ok !== true || answer.facts.video === null) return []
    const { facts, facts: { video } } = answer
    const reason = notShownReason(facts) ?? slowReason(video)
    if (reason === null) return []
    return [`${place}: on a stage: ${path}: ${reason}`, `  ${mendingLine(path, video)}`]
  })
