// What the stage needs of the show: how a button's picture looks, where its file is, what follows.
import type { ShowButton, ShowPage, ShowPlaylist } from '../../contract/show-page.js'
import { FRAMES_PER_MS } from '../shared/clock.js'

export interface Look {
  /** The address of its file; another file has another one. */
  readonly source: string
  readonly fit: ShowButton['fit']
  readonly dissolveFrames: number
  /** Milliseconds of a frame; null: not known yet. */
  readonly frameMs: number | null
  readonly startMs: number
  /** Where time begins in its file; null: not known yet. */
  readonly beginsMs: number | null
  /** Why a browser cannot show it; null: nothing is known against it. */
  readonly notShown: string | null
}

export class ShowLook {
  readonly #looks: Map<string, Look>
  readonly #playlists = new Map<string, ShowPlaylist>()
  readonly version: string | null
  readonly offsetMs: number

  /** `before`: the look that this one takes the place of. */
  constructor(show: ShowPage | null, before: ShowLook | null) {
    this.version = show?.version ?? null
    this.offsetMs = show?.settings.stageOffsetMs ?? 0
    // A button may leave the show while its picture is on: it goes on as it looked.
    this.#looks = new Map(before === null ? [] : before.#looks)
    for (const playlist of show?.playlists ?? []) {
      for (const button of playlist.buttons) {
        this.#playlists.set(button.id, playlist)
        if (button.kind === 'video' || button.kind === 'image') {
          this.#looks.set(button.id, lookOf(button))
        }
      }
    }
  }

  /** Null: the show has no such picture, or is not read yet. */
  of(buttonId: string): Look | null {
    return this.#looks.get(buttonId) ?? null
  }

  /** The address of its file: by its id alone where the show says no more. */
  sourceOf(buttonId: string): string {
    return this.of(buttonId)?.source ?? pathOf(buttonId)
  }

  /** What is most likely played after a video: the next one of its playlist, and it again. */
  after(buttonId: string): readonly string[] {
    const playlist = this.#playlists.get(buttonId)
    if (playlist === undefined) return this.first()
    const { buttons } = playlist
    const place = buttons.findIndex(({ id }) => id === buttonId)
    const next = [...buttons.slice(place + 1), ...buttons.slice(0, place)].find(isPlayable)
    return [next, buttons[place]].flatMap((button) =>
      button !== undefined && isPlayable(button) ? [button.id] : [])
  }

  /** With nothing of it played yet: the first video of the show, if there is one. */
  first(): readonly string[] {
    for (const { buttons } of new Set(this.#playlists.values())) {
      const video = buttons.find(isPlayable)
      if (video !== undefined) return [video.id]
    }
    return []
  }
}

const isPlayable = ({ kind, media }: ShowButton): boolean =>
  kind === 'video' && media !== null && media.missing === null && media.notShown === null

const pathOf = (buttonId: string): string => `/media/${buttonId}`

const lookOf = (button: ShowButton): Look => {
  const { media, id } = button
  const rate = media?.video?.framesPerSecond ?? null
  const version = media?.version ?? null
  return {
    source: `${pathOf(id)}${version === null ? '' : `?v=${encodeURIComponent(version)}`}`,
    fit: button.fit,
    dissolveFrames: button.dissolveMs * FRAMES_PER_MS,
    frameMs: rate === null || rate <= 0 ? null : 1000 / rate,
    startMs: button.startMs,
    beginsMs: media?.video?.beginsMs ?? null,
    // One that was missing when it was looked for may play by now, and an image be another one: the
    // file itself will tell.
    notShown: button.kind === 'video' ? media?.notShown ?? null : null,
  }
}
