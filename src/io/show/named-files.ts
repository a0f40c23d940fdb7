// The files that a show names, also where the show is refused: `check` tells all faults at once.
import { resolve } from 'node:path'
import type { Button } from '../../engine/catalogue.js'
import { namingOf } from './show-shape.js'

/** A file that the show names, where it names it; what uses it says what it must hold. */
export interface NamedFile {
  readonly place: string
  readonly path: string
  readonly button: Pick<Button, 'kind' | 'startMs'>
}

export interface NamedFiles {
  readonly media: readonly NamedFile[]
  readonly lights: readonly NamedFile[]
}

/** Of each button as far as it can be read, e.g. one whose fade is wrong and whose file is gone. */
export const namedFiles = (raw: unknown, folder: string): NamedFiles => {
  const media: NamedFile[] = []
  const lights: NamedFile[] = []
  for (const [p, playlist] of entries(raw, 'playlists')) {
    for (const [b, entry] of entries(playlist, 'buttons')) {
      const button = namingOf(entry)
      if (button === null) continue
      const place = `playlists[${String(p)}].buttons[${String(b)}]`
      // What is not played has no media: that it names some is a fault of the show's.
      const plays = button.kind !== 'dmx' && button.kind !== 'navigation'
      if (plays && button.media !== null) {
        media.push({ place: `${place}.media`, path: resolve(folder, button.media), button })
      }
      if (button.kind === 'navigation' || button.dmx === null) continue
      const path = resolve(folder, button.dmx.timeline)
      lights.push({ place: `${place}.dmx.timeline`, path, button })
    }
  }
  return { media, lights }
}

const entries = (value: unknown, key: string): IterableIterator<[number, unknown]> => {
  const isObject = typeof value === 'object' && value !== null
  const inner = isObject ? (value as Readonly<Record<string, unknown>>)[key] : null
  return (Array.isArray(inner) ? (inner as readonly unknown[]) : []).entries()
}
