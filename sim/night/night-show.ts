// The show of a quiz night, and any show as somebody with a stopwatch and its list would read it.
import { PLAIN_BUTTON, PLAIN_LIST, type ButtonSpec, type ListSpec } from '../scenario/scenario.js'
import { pathOf } from '../scenario/show.js'

export const SECOND = 48_000
export const MS = 48

/** What the place of a button in the show says of it; all times are frames. */
export interface Piece {
  readonly n: number
  readonly id: string
  readonly title: string
  readonly kind: ButtonSpec['kind']
  readonly list: ListSpec
  readonly listIndex: number
  readonly listId: string
  readonly path: string | null
  /** Whether its file is there. */
  readonly there: boolean
  /** The whole file; 0 where it has none. */
  readonly source: number
  /** The range that is played. */
  readonly start: number
  readonly end: number
  readonly fadeIn: number
  readonly fadeOut: number
  /** Its list's Crossfade, 0 where Mix is off. */
  readonly mix: number
  readonly padlock: boolean
  readonly kept: boolean
  readonly overlaps: boolean
  readonly lights: { readonly loop: boolean; readonly length: number } | null
}

const idOf = (space: string, n: number): string =>
  `0000000${space}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

export interface ShowSpec {
  readonly lists: readonly ListSpec[]
  /** Every file that is there, with its length in frames. */
  readonly lengths: ReadonlyMap<string, number>
  /** Files whose length was found out beforehand. */
  readonly probed: readonly string[]
}

export const piecesOf = ({ lists, lengths }: ShowSpec): readonly Piece[] => {
  const pieces: Piece[] = []
  for (const [listIndex, list] of lists.entries()) {
    for (const spec of list.buttons) {
      const n = pieces.length
      const path = spec.file === null ? null : pathOf(spec.file)
      const source = path === null ? 0 : (lengths.get(path) ?? 0)
      const { lights } = spec
      pieces.push({
        n, id: idOf('b', n), title: `b${n}`, kind: spec.kind, list, listIndex,
        listId: idOf('a', listIndex), path, there: path !== null && lengths.has(path), source,
        start: spec.startMs * MS, end: Math.min(source, (spec.endMs ?? 1e9) * MS),
        fadeIn: spec.fadeInMs * MS, fadeOut: spec.fadeOutMs * MS,
        mix: list.mixOnTransition ? list.crossfadeMs * MS : 0,
        padlock: spec.isLoopEnabled, kept: spec.pauseWhenReplaced, overlaps: spec.allowOverlap,
        lights: lights === null
          ? null : { loop: lights.loop, length: Math.round((lights.durationMs ?? 0) * MS) },
      })
    }
  }
  return pieces
}

/** Collects files as buttons are written down. */
class Shelf {
  readonly lengths = new Map<string, number>()
  #files = 0

  /** A file of so many seconds; null where the disk has lost it. */
  file(seconds: number | null): number {
    const file = this.#files
    this.#files += 1
    if (seconds !== null) this.lengths.set(pathOf(file), Math.round(seconds * SECOND))
    return file
  }

  audio(seconds: number | null, more: Partial<ButtonSpec> = {}): ButtonSpec {
    return { ...PLAIN_BUTTON, file: this.file(seconds), ...more }
  }
}

/** Where the buttons of the night stand, by number. */
export const NIGHT = {
  beds: [0, 1, 2, 3],
  videos: [4, 5, 6],
  thinking: [7, 8, 9],
  buzzers: [10, 11],
  missing: 12,
  music: [13, 14, 15, 16, 17, 18],
  /** The third has lost its file. */
  sponsors: [19, 20, 21, 22, 23],
  pictures: [24, 25],
  lamps: [26, 27],
  navigation: 28,
} as const

export const nightShow = (): ShowSpec => {
  const shelf = new Shelf()
  const bed = { fadeInMs: 300, fadeOutMs: 800, pauseWhenReplaced: true }
  const beds = [
    shelf.audio(96, bed),
    // The quiz plays its beds with externalSequencing: this padlock is never obeyed.
    shelf.audio(201, { ...bed, startMs: 5_000, endMs: 85_250, isLoopEnabled: true }),
    shelf.audio(132.333, { ...bed, fadeOutMs: 0, fadeInMs: 0 }),
    shelf.audio(83.7, { ...bed, lights: { loop: true, durationMs: 31_000 } }),
  ]
  const film = (seconds: number, loop: boolean, durationMs: number, fadeOutMs: number) =>
    shelf.audio(seconds, { kind: 'video', fadeOutMs, lights: { loop, durationMs } })
  const videos = [film(45, true, 20_000, 0), film(30, false, 25_000, 0),
    film(38.4567, false, 60_000, 300)]
  const thinking = [
    shelf.audio(12, { fadeOutMs: 250 }),
    shelf.audio(15, { isLoopEnabled: true, startMs: 1_000, endMs: 9_001 }),
    shelf.audio(61.0001, { allowOverlap: true, fadeOutMs: 1_200 }),
  ]
  const buzz = { allowOverlap: true }
  const buzzers = [shelf.audio(2, buzz), shelf.audio(3.3, { ...buzz, fadeOutMs: 400 }),
    shelf.audio(null)]
  // The third is so short that no whole Crossfade fits into it.
  const music = [64, 71.5, 5.25, 90.25, 80, 67].map((seconds) => shelf.audio(seconds))
  const sponsors = [8, 11.111, null, 9.5, 14].map((seconds) => shelf.audio(seconds))
  const picture = { ...PLAIN_BUTTON, kind: 'image' as const }
  const lamp = { ...PLAIN_BUTTON, kind: 'dmx' as const }
  const others = [
    { ...picture, file: shelf.file(0) },
    { ...picture, file: shelf.file(0), lights: { loop: true, durationMs: 4_000 } },
    { ...lamp, lights: { loop: true, durationMs: 10_000 } },
    { ...lamp, lights: { loop: false, durationMs: 7_000 } },
    { ...PLAIN_BUTTON, kind: 'navigation' as const },
  ]
  const mixed = { ...PLAIN_LIST, mixOnTransition: true }
  return {
    lengths: shelf.lengths,
    lists: [
      { ...mixed, crossfadeMs: 1_000, buttons: beds },
      // Mix is off: its Crossfade means nothing.
      { ...PLAIN_LIST, crossfadeMs: 2_500, buttons: videos },
      { ...mixed, crossfadeMs: 1_500, buttons: thinking },
      { ...PLAIN_LIST, buttons: buzzers },
      { ...mixed, mode: 'sequence', wrap: true, crossfadeMs: 3_000, buttons: music },
      { ...PLAIN_LIST, mode: 'sequence', buttons: sponsors },
      { ...PLAIN_LIST, buttons: others },
    ],
    // The lengths of the beds and buzzers are found out when they are first played.
    probed: [...NIGHT.videos, ...NIGHT.thinking, ...NIGHT.music, ...NIGHT.sponsors]
      .map(pathOf).filter((path) => shelf.lengths.has(path)),
  }
}
