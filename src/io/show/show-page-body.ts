// The body of GET /show: what pages need of the show, with what is known of its files by now.
import { withoutFolder } from '../../contract/errors.js'
import type { Tagged } from '../../contract/page-file.js'
import type {
  PageSettings, ShowButton, ShowMedia, ShowPage, ShowPlaylist,
} from '../../contract/show-page.js'
import { framesToWholeMs } from '../../clock/frame.js'
import type { Button, Playlist } from '../../engine/catalogue.js'
import { tagged } from '../files/page-files.js'
import { notImageReason } from '../media/image-file.js'
import type { LookedAt } from '../media/probe/prober.js'
import type { MediaFacts } from '../media/probe/probe-file.js'
import { noPictureReason, notShownReason } from '../media/stage-format.js'
import type { LoadedShow, ShowLooks } from './show-file.js'

/** A show as it was loaded, as far as pages hear of it. */
export type ShownShow = Pick<LoadedShow, 'show' | 'looks'>

export interface ShowBodyOptions {
  readonly version: string
  readonly settings: PageSettings
}

/** What is wrong with a file as it was then; null: it was not there. */
interface Fault {
  readonly message: string
  readonly version: string | null
}

/** It is written when it is asked for, and again when something has changed. */
export class ShowBody {
  #show: ShownShow
  readonly #facts = new Map<string, MediaFacts>()
  readonly #looks = new Map<string, LookedAt>()
  readonly #faults = new Map<string, Fault>()
  #written: Tagged | null = null

  constructor(
    private readonly options: ShowBodyOptions, show: ShownShow,
  ) {
    this.#show = show
  }

  /** What is known of a file that leaves the show goes: a daemon may run for weeks. */
  setShow(show: ShownShow): void {
    this.#show = show
    const media = new Set(show.show.playlists.flatMap(({ buttons }) => buttons)
      .map((button) => button.media))
    for (const known of [this.#facts, this.#looks, this.#faults]) {
      for (const path of known.keys()) if (!media.has(path)) known.delete(path)
    }
    this.#written = null
  }

  /** A file is there; what was known of another one in its place is void. */
  looked(path: string, look: LookedAt): void {
    const known = this.#looks.get(path)
    const fault = this.#faults.get(path)
    this.#looks.set(path, look)
    if (known !== undefined && known.version !== look.version) this.#facts.delete(path)
    // One that cannot be played is looked into again and again: until it can, nothing has changed.
    const isAsItWas = (fault ?? known)?.version === look.version
    if (isAsItWas) return
    this.#faults.delete(path)
    this.#written = null
  }

  /** A file was looked into. */
  learn(path: string, facts: MediaFacts): void {
    this.#facts.set(path, facts)
    this.#faults.delete(path)
    this.#written = null
  }

  /** A file is not there, or nothing that plays; false where that was known. */
  miss(path: string, message: string, version: string | null): boolean {
    const known = this.#faults.get(path)
    this.#faults.set(path, { message, version })
    if (known?.message === message) return false
    this.#facts.delete(path)
    this.#written = null
    return true
  }

  body(): Tagged {
    this.#written ??= tagged(Buffer.from(JSON.stringify(this.#page())))
    return this.#written
  }

  #page(): ShowPage {
    const { show, looks } = this.#show
    const { version, settings } = this.options
    const playlists = show.playlists.map((playlist) => this.#playlist(playlist, looks))
    return { title: show.title, version, settings, playlists }
  }

  #playlist(playlist: Playlist, looks: ShowLooks): ShowPlaylist {
    const { id, title, mode, wrap, mixOnTransition, crossfadeMs, crossfadeCurve } = playlist
    return {
      id, title, mode, wrap, mixOnTransition, crossfadeMs, crossfadeCurve,
      columns: looks.columns.get(id) ?? null,
      buttons: playlist.buttons.map((button) => this.#button(button, looks)),
    }
  }

  #button(button: Button, looks: ShowLooks): ShowButton {
    const { media, dmx } = button
    const {
      id, title, kind, startMs, endMs, fadeInMs, fadeOutMs, fadeOutAtEnd, isLoopEnabled,
      pauseWhenReplaced, allowOverlap, gainDb,
    } = button
    const look = looks.buttons.get(button.id)
    if (look === undefined) throw new Error('bug: a button without its look')
    const facts = media === null ? null : this.#facts.get(media) ?? null
    const lights = button.kind === 'dmx' ? dmx?.durationFrames ?? null : null
    const frames = facts?.duration ?? lights
    return {
      id, title, kind, startMs, endMs, fadeInMs, fadeOutMs, fadeOutAtEnd, isLoopEnabled,
      pauseWhenReplaced, allowOverlap, gainDb, ...look,
      dmx: dmx === null ? null : { loop: dmx.loop, error: dmx.error },
      durationMs: frames === null ? 0 : framesToWholeMs(frames),
      media: media === null ? null : this.#media(media, kind, facts),
    }
  }

  #media(path: string, kind: Button['kind'], facts: MediaFacts | null): ShowMedia {
    const fault = this.#faults.get(path)
    const look = fault === undefined ? this.#looks.get(path) ?? null : null
    const notImage = kind === 'image' && look !== null ? notImageReason(look.type) : null
    const noPicture = kind === 'video' && facts !== null ? noPictureReason(facts) : null
    return {
      missing: fault === undefined ? null : withoutFolder(fault.message, path),
      version: look?.version ?? null,
      type: look?.type ?? null,
      notShown: notImage ?? (noPicture === null ? null : `it ${noPicture}`)
        ?? (facts === null ? null : notShownReason(facts)),
      video: facts?.video ?? null,
      audio: facts?.audio ?? null,
    }
  }
}
