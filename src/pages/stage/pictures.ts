// What is on the stage at a frame, from below (docs/stage.md, "What is on"): a pure reading.
import type { LiveChange, LiveImage, LiveParts, LiveRun } from '../../contract/live.js'
import {
  addMoment, firstMoment, KEPT_FRAMES, placeAt, type Past, type Place,
} from './anchors.js'

/** One picture; its key is new with each showing, and with each pass of a loop. */
export type Picture = ImagePicture | VideoPicture

export interface ImagePicture {
  readonly kind: 'image'
  readonly key: string
  readonly buttonId: string
  /** The engine frame at which it came. */
  readonly cameAt: number
}

export interface VideoPicture {
  readonly kind: 'video'
  readonly key: string
  readonly buttonId: string
  readonly cameAt: number
  readonly place: Place
}

interface ImageMoment {
  readonly from: number
  readonly image: LiveImage | null
}

/** By execution. */
type Videos = ReadonlyMap<string, Past>

/** What was told of runs and images, over the last second. Never changed in place. */
export interface Told {
  readonly videos: Videos
  readonly images: readonly ImageMoment[]
}

export const NOTHING_TOLD: Told = {
  videos: new Map(), images: [{ from: Number.NEGATIVE_INFINITY, image: null }],
}

const VIDEOS_MOST = 64

/** All anew: at the start, and after a loss. A run that is known still keeps its past. */
export const withState = (before: Told, state: LiveParts, at: number): Told => {
  const videos = new Map<string, Past>()
  for (const run of state.runs) {
    if (isVideo(before.videos, run)) videos.set(run.executionId, pastWith(before.videos, run, at))
  }
  return { videos, images: addImage(before.images, state.image, at) }
}

export const withChange = (before: Told, change: LiveChange): Told => {
  const videos = new Map(before.videos)
  for (const run of change.runs) {
    if (isVideo(videos, run)) videos.set(run.executionId, pastWith(videos, run, change.at))
  }
  const { image } = change
  const images = image === undefined ? before.images : addImage(before.images, image, change.at)
  return { videos: lastVideos(videos, change.at), images }
}

/** From below: stills in the order in which they came, then what moves, the latest on top. */
export const picturesAt = (told: Told, frame: number, isAlone: boolean): readonly Picture[] => {
  const stills: Picture[] = []
  const moving: VideoPicture[] = []
  const shown = told.images.findLast(({ from }) => from <= frame)?.image ?? null
  if (shown !== null) stills.push(imagePicture(shown))
  for (const past of told.videos.values()) {
    const place = placeAt(past, frame, isAlone)
    if (place?.isOn !== true) continue
    const picture = videoPicture(place)
    if (place.run.state === 'paused') stills.push(picture)
    else moving.push(picture)
  }
  stills.sort((a, b) => a.cameAt - b.cameAt || (a.key < b.key ? -1 : 1))
  moving.sort((a, b) => byAcceptance(a.place.run, b.place.run))
  return [...stills, ...moving]
}

export const videoKey = (executionId: string, pass: number): string => `${executionId}/${pass}`

const imagePicture = ({ buttonId, at }: LiveImage): ImagePicture => ({
  kind: 'image', key: `${buttonId}@${at}`, buttonId, cameAt: at,
})

const videoPicture = (place: Place): VideoPicture => ({
  kind: 'video',
  key: videoKey(place.run.executionId, place.pass),
  buttonId: place.run.buttonId,
  cameAt: place.anchor.at,
  place,
})

const byAcceptance = (a: LiveRun, b: LiveRun): number => a.order - b.order || a.serial - b.serial

/** One that is known is a video to its end, though an edit of the show made its button a sound. */
const isVideo = (known: Videos, { kind, executionId }: LiveRun): boolean =>
  kind === 'video' || known.has(executionId)

const pastWith = (known: Videos, run: LiveRun, at: number): Past => {
  const past = known.get(run.executionId)
  return past === undefined ? firstMoment(run) : addMoment(past, run, at)
}

const addImage = (
  before: readonly ImageMoment[], image: LiveImage | null, at: number,
): readonly ImageMoment[] => {
  const last = before.at(-1)
  if (last?.image?.buttonId === image?.buttonId && last?.image?.at === image?.at) return before
  const from = image?.at ?? at
  const kept = before.filter((moment) => moment.from < from)
  const first = kept.findLastIndex((moment) => moment.from <= from - KEPT_FRAMES)
  return [...kept.slice(Math.max(0, first)), { from, image }]
}

/** What ended longer ago than the stage can be behind is forgotten. */
const lastVideos = (videos: Map<string, Past>, at: number): Videos => {
  for (const [id, past] of videos) {
    const last = past.at(-1)
    const isOver = last !== undefined && last.run.endReason !== null
    if (isOver && (last.from < at - KEPT_FRAMES || videos.size > VIDEOS_MOST)) videos.delete(id)
  }
  return videos
}
