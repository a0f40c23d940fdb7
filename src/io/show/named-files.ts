// The files that a show names, also where the show is refused: `check` tells all faults at once.
import { resolve } from 'node:path'
import type { Button } from '../../engine/catalogue.js'
import { rawList } from './raw-show.js'
import { namingOf } from './show-shape.js'

/** A file that the show names, where it names it; what uses it says what it must hold. */
export interface NamedFile {
  readonly place: string
  readonly path: string
  readonly button: Pick<Button, 'kind' | 'startMs' | 'title'>
}

export interface NamedFiles {
  readonly media: readonly NamedFile[]
  readonly lights: readonly NamedFile[]
}

/** Gathered button by button, in the order of the show. */
export class FilesOfButtons implements NamedFiles {
  readonly media: NamedFile[] = []
  readonly lights: NamedFile[] = []

  /** What the button in this place names, as absolute paths; null: nothing. */
  note(p: number, b: number, button: NamedFile['button'], paths: ButtonPaths): void {
    const place = `playlists[${p}].buttons[${b}]`
    const { media, timeline } = paths
    if (media !== null) this.media.push({ place: `${place}.media`, path: media, button })
    if (timeline !== null) {
      this.lights.push({ place: `${place}.dmx.timeline`, path: timeline, button })
    }
  }
}

interface ButtonPaths {
  readonly media: string | null
  readonly timeline: string | null
}

/** Of each button as far as it can be read, e.g. one whose fade is wrong and whose file is gone. */
export const namedFiles = (raw: unknown, folder: string): NamedFiles => {
  const files = new FilesOfButtons()
  const at = (path: string | null): string | null => path === null ? null : resolve(folder, path)
  for (const [p, playlist] of rawList(raw, 'playlists').entries()) {
    for (const [b, entry] of rawList(playlist, 'buttons').entries()) {
      const button = namingOf(entry)
      // A link to a playlist has no files: that it names some is a fault of the show's.
      if (button === null || button.kind === 'navigation') continue
      const media = button.kind === 'dmx' ? null : button.media
      files.note(p, b, button, { media: at(media), timeline: at(button.dmx?.timeline ?? null) })
    }
  }
  return files
}
