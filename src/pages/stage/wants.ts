// What the video elements should be doing at a frame, most important first: a pure reading.
import type { LiveRun } from '../../contract/live.js'
import { FRAMES_PER_MS } from '../shared/clock.js'
import { placeAt, type Past } from './anchors.js'
import { FORESEEN, type Want } from './assignment.js'
import { picturesAt, videoKey, type Picture, type Told, type VideoPicture } from './pictures.js'
import type { ShowLook } from './show-look.js'

/** In frames: so far ahead a start or a seam is seen coming. */
const AHEAD = FRAMES_PER_MS * 300
/** In frames: a successor that was not told for so long after its moment does not come. */
const LATE = FRAMES_PER_MS * 1_000

export type Doing =
  /** Move with what is heard of a run in one of its passes. */
  | {
    readonly kind: 'run'
    readonly executionId: string
    readonly pass: number
    /** In the source: where it ends though its file goes on; Infinity: with its file. */
    readonly endMs: number
  }
  /** Move from `positionMs` on, as if that were heard at engine frame `at`. */
  | { readonly kind: 'foresee'; readonly at: number }
  | { readonly kind: 'hold' }
  | { readonly kind: 'park' }
  /** Seen still, though it is over. */
  | { readonly kind: 'freeze' }

export interface VideoWant extends Want {
  readonly doing: Doing
}

export interface Sight {
  readonly told: Told
  readonly look: ShowLook
  readonly frame: number
  readonly isAlone: boolean
  /** The buttons of what is on the screen, gone or not, by key. */
  readonly seen: ReadonlyMap<string, string>
  /** What was on top last, where nothing is now: what follows it may not be told yet. */
  readonly last: VideoPicture | null
}

const nextKey = (buttonId: string): string => `${FORESEEN}${buttonId}`

export const wantsAt = (sight: Sight, pictures: readonly Picture[]): readonly VideoWant[] => {
  const { told, frame, isAlone, look } = sight
  const now = pictures.filter(isVideo)
  const soon = picturesAt(told, frame + AHEAD, isAlone).filter(isVideo)
  const wants: VideoWant[] = []
  const add = (want: VideoWant | null): void => {
    if (want !== null && !wants.some(({ key }) => key === want.key)) wants.push(want)
  }
  const top = now.at(-1) ?? null
  if (top !== null) add(onScreen(sight, top, soon))
  // Until that is there, what is seen below it is what there is.
  for (const picture of [...now].reverse()) {
    if (sight.seen.has(picture.key)) add(onScreen(sight, picture, soon))
  }
  for (const [key, buttonId] of sight.seen) add(frozen(sight, key, buttonId, now))
  for (const picture of [...soon].reverse()) {
    if (!now.some(({ key }) => key === picture.key)) add(coming(sight, picture))
  }
  if (top !== null) add(twin(sight, top))
  const before = top ?? sight.last
  if (before !== null) add(successor(sight, before, soon))
  for (const picture of [...now].reverse()) add(onScreen(sight, picture, soon))
  const likely = before === null ? look.first() : look.after(before.buttonId)
  // What was foreseen and has come keeps its element under its own key; what is over has one still.
  const used = [...now, ...soon].map(({ buttonId }) => buttonId).concat(...sight.seen.values())
  for (const buttonId of likely.filter((one) => !used.includes(one))) {
    add(parked(sight, nextKey(buttonId), buttonId))
  }
  return wants
}

const isVideo = (picture: Picture): picture is VideoPicture => picture.kind === 'video'

const onScreen = (
  sight: Sight, { key, buttonId, place }: VideoPicture, soon: readonly VideoPicture[],
): VideoWant => {
  const later = soon.find((picture) => picture.key === key)
  const isMoving = place.anchor.moving || later?.place.anchor.moving === true
  const { executionId } = place.run
  const endMs = endMsOf(place.run)
  return {
    key,
    buttonId,
    source: sight.look.sourceOf(buttonId),
    positionMs: place.anchor.position / FRAMES_PER_MS,
    doing: isMoving ? { kind: 'run', executionId, pass: place.pass, endMs } : { kind: 'hold' },
  }
}

const endMsOf = ({ range: { end }, duration }: LiveRun): number =>
  end === null || end === duration ? Number.POSITIVE_INFINITY : end / FRAMES_PER_MS

/** A start or a seam that is not heard yet. */
const coming = (sight: Sight, picture: VideoPicture): VideoWant => onScreen(sight, picture, [])

/** It is over, and seen until what comes is there. */
const frozen = (
  sight: Sight, key: string, buttonId: string, now: readonly VideoPicture[],
): VideoWant | null => {
  if (!key.includes('/') || now.some((picture) => picture.key === key)) return null
  return {
    key, buttonId, source: sight.look.sourceOf(buttonId), positionMs: 0, doing: { kind: 'freeze' },
  }
}

/** The next pass of a loop stands ready where it begins. */
const twin = (sight: Sight, { buttonId, place }: VideoPicture): VideoWant | null => {
  const then = place.run.anchor.then ?? null
  const isLoop = place.run.loops && place.anchor.moving
  if (!isLoop && then?.kind !== 'wrap') return null
  const to = then?.kind === 'wrap' ? then.to : place.run.range.start
  return {
    key: videoKey(place.run.executionId, place.pass + 1),
    buttonId,
    source: sight.look.sourceOf(buttonId),
    positionMs: to / FRAMES_PER_MS,
    doing: { kind: 'park' },
  }
}

/** What a list plays next begins where this one ends, to the frame: so it is not waited for. */
const successor = (
  sight: Sight, { place }: VideoPicture, soon: readonly VideoPicture[],
): VideoWant | null => {
  const { next, anchor } = place.run
  if (next === null || sight.look.of(next) === null) return null
  if (soon.some(({ buttonId }) => buttonId === next)) return null
  const want = parked(sight, nextKey(next), next)
  if (anchor.then?.kind !== 'end' || anchor.until === null || !anchor.moving) return want
  const at = anchor.at + anchor.until - anchor.position
  // Cut, or followed by nothing: what was foreseen stands ready again, else it would run on unseen.
  const run = sight.told.videos.get(place.run.executionId)?.at(-1)?.run
  const isCut = run === undefined || (run.endReason !== null && run.endReason !== 'natural_end')
  return isCut || sight.frame > at + LATE ? want : { ...want, doing: { kind: 'foresee', at } }
}

const parked = (sight: Sight, key: string, buttonId: string): VideoWant => ({
  key,
  buttonId,
  source: sight.look.sourceOf(buttonId),
  positionMs: sight.look.of(buttonId)?.startMs ?? 0,
  doing: { kind: 'park' },
})

/**
 * Where the picture of a pass belongs at a frame, in ms of the source. Before it begins to move it
 * lies as far before its place as there is time left, so that a start can be timed by it.
 */
export const heardMsAt = (
  past: Past, pass: number, frame: number, isAlone: boolean,
): number | null => {
  const at = placeAt(past, frame, isAlone)
  if (at?.pass === pass && at.isOn && at.anchor.moving) return at.position / FRAMES_PER_MS
  const later = placeAt(past, frame + AHEAD, isAlone)
  if (later?.pass !== pass || !later.isOn || !later.anchor.moving) return null
  return (later.position - AHEAD) / FRAMES_PER_MS
}
