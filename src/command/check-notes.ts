// What `cartwall check` says of a show beside its faults: settings that are likely a mistake, and
// what a stage cannot show, or not well. All of it plays.
import { framesToWholeMs, ZERO } from '../clock/frame.js'
import { isBlank } from '../contract/blank-text.js'
import { makesRuns } from '../contract/vocabulary.js'
import type { Button, Playlist } from '../engine/catalogue.js'
import { faultText, type Fault } from '../io/files/fault.js'
import type { ProbeAnswer } from '../io/media/probe/probe-file.js'
import { combsReason, mendingLine, notShownReason, slowReason } from '../io/media/stage-format.js'
import { faultAt, withTitles } from '../io/show/fault-titles.js'
import type { NamedFile } from '../io/show/named-files.js'
import type { LoadedShow, ShowLooks } from '../io/show/show-file.js'
import { keyNotes } from './key-notes.js'

/** What was found of files that are no images, by path. */
export type Probes = ReadonlyMap<string, ProbeAnswer>

/** Settings that do nothing as they or the others stand, each by its place. */
export const settingNotes = (
  { show, looks }: Pick<LoadedShow, 'show' | 'looks'>, probes: Probes,
): readonly string[] => {
  const notes = show.playlists.flatMap((playlist, p) => [
    ...playlistNotes(playlist, `playlists[${p}]`),
    ...playlist.buttons.flatMap((button, b) => {
      const at = `playlists[${p}].buttons[${b}]`
      return [...buttonNotes(button, at, probes), ...pressNotes(button, at, looks)]
    }),
    ...keyNotes(playlist, `playlists[${p}]`, looks),
  ])
  return withTitles(show, [...titleNotes(show.title, 'title'), ...notes]).map(faultText)
}

const titleNotes = (title: string, place: string): readonly Fault[] =>
  isBlank(title) ? [{ place, message: 'is blank: pages show no name' }] : []

/** E.g. a slide show: nothing in it ends by itself, so that nothing follows. */
const NO_ENDS = 'does nothing in a list without sound and video: '
  + 'images and lights are followed by nothing'

const playlistNotes = (
  { title, mode, wrap, mixOnTransition, crossfadeMs, buttons }: Playlist, at: string,
): readonly Fault[] => [
  ...titleNotes(title, `${at}.title`),
  ...(mode !== 'manual' && buttons.length > 0 && !buttons.some(({ kind }) => makesRuns(kind))
    ? [{ place: `${at}.mode`, message: NO_ENDS }]
    : []),
  ...(wrap && mode === 'manual'
    ? [{ place: `${at}.wrap`, message: 'does nothing where mode is manual' }]
    : []),
  ...(crossfadeMs > 0 && !mixOnTransition
    ? [{ place: `${at}.crossfadeMs`, message: 'does nothing without mixOnTransition' }]
    : []),
]

const buttonNotes = (button: Button, at: string, probes: Probes): readonly Fault[] => {
  const { title, media, endMs, fadeOutMs, fadeOutAtEnd } = button
  const answer = media === null ? undefined : probes.get(media)
  const lasts = answer?.ok === true && !answer.facts.isEstimate ? answer.facts.duration : ZERO
  const lastsMs = framesToWholeMs(lasts)
  return [
    ...titleNotes(title, `${at}.title`),
    ...soundlessNotes(button, at),
    ...(fadeOutAtEnd && fadeOutMs === 0
      ? [{ place: `${at}.fadeOutAtEnd`, message: 'does nothing without fadeOutMs' }]
      : []),
    ...(endMs !== null && lastsMs > 0 && endMs > lastsMs
      ? [{ place: `${at}.endMs`, message: `the media end before it (${lastsMs})` }]
      : []),
  ]
}

/** What means something in a button that makes no run too. */
type OfAnyKind = 'id' | 'title' | 'kind' | 'playlistId' | 'media' | 'dmx' | 'own'

/**
 * What only a run obeys, and its value where nothing is asked for. A new setting of a button that
 * stands neither here nor above does not compile.
 */
const OF_RUNS: Readonly<Omit<Button, OfAnyKind>> = {
  startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0, fadeOutAtEnd: false, isLoopEnabled: false,
  pauseWhenReplaced: false, allowOverlap: false, gainDb: 0,
}

/** An image, lights alone and a link make no run: a fade of 3 s on one of them is a cut. */
const soundlessNotes = (button: Button, at: string): readonly Fault[] => {
  const { kind } = button
  if (makesRuns(kind)) return []
  const keys = Object.keys(OF_RUNS) as (keyof typeof OF_RUNS)[]
  return keys.filter((key) => button[key] !== OF_RUNS[key])
    .map((key) => ({ place: `${at}.${key}`, message: nothingIn(kind, INSTEAD[kind]?.[key]) }))
}

const nothingIn = (kind: string, instead: string | undefined): string =>
  `does nothing in a button of kind ${kind}${instead === undefined ? '' : `: ${instead}`}`

/** What a press does while they are on, whatever is asked for. */
const STOPS: Readonly<Record<string, string>> = {
  image: 'a press stops a picture that is shown',
  dmx: 'a press stops lights that run',
}

const pressNotes = ({ id, kind }: Button, at: string, looks: ShowLooks): readonly Fault[] =>
  looks.buttons.get(id)?.pressAgain === 'restart' && !makesRuns(kind)
    ? [{ place: `${at}.pressAgain`, message: nothingIn(kind, STOPS[kind]) }]
    : []

const DISSOLVES = 'its picture comes and goes by dissolveMs'
const BY_KEYFRAMES = 'light comes and goes by the keyframes of its timeline'
/** Where the same is asked for otherwise. */
const INSTEAD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  image: { fadeInMs: DISSOLVES, fadeOutMs: DISSOLVES },
  dmx: {
    fadeInMs: BY_KEYFRAMES, fadeOutMs: BY_KEYFRAMES,
    isLoopEnabled: 'its timeline comes round by dmx.loop',
  },
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
