// The show of a quiz night: its files, lists and buttons, and where each stands.
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type ButtonSpec, type FileSpec,
  type ListSpec, type Scenario,
} from '../scenario/scenario.js'

export const SECOND = 48_000
export const MS = 48

export interface LongShow {
  readonly scenario: Scenario
  /** Files whose length was found out beforehand. */
  readonly probed: readonly number[]
}

/** Ready five milliseconds after it was asked for, and all of it at once. */
export const QUICK_FILE: FileSpec = { ...PLAIN_FILE, readyAfter: 240 }

export const longShow = (
  files: readonly FileSpec[], lists: readonly ListSpec[], probed: readonly number[],
): LongShow => ({
  scenario: { ...PLAIN_SCENARIO, seed: 1, calm: true, files, lists, ops: [] }, probed,
})

/** Collects files as buttons are written down. */
class Shelf {
  readonly files: FileSpec[] = []

  /** A file of so many seconds; null where the disk has lost it. */
  file(seconds: number | null): number {
    const frames = Math.round((seconds ?? 0) * SECOND)
    return this.files.push({ ...QUICK_FILE, frames, missing: seconds === null }) - 1
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

export const nightShow = (): LongShow => {
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
  const probed = [...NIGHT.videos, ...NIGHT.thinking, ...NIGHT.music, ...NIGHT.sponsors]
  return longShow(shelf.files, [
    { ...mixed, crossfadeMs: 1_000, buttons: beds },
    // Mix is off: its Crossfade means nothing.
    { ...PLAIN_LIST, crossfadeMs: 2_500, buttons: videos },
    { ...mixed, crossfadeMs: 1_500, buttons: thinking },
    { ...PLAIN_LIST, buttons: buzzers },
    { ...mixed, mode: 'sequence', wrap: true, crossfadeMs: 3_000, buttons: music },
    { ...PLAIN_LIST, mode: 'sequence', buttons: sponsors },
    { ...PLAIN_LIST, buttons: others },
    // The lengths of the beds and buzzers are found out when they are first played.
  ], probed.filter((file) => shelf.files[file]?.missing === false))
}
