// The show of a quiz night: its files, lists and buttons, and where each stands.
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type ButtonSpec, type FileSpec,
  type Scenario,
} from '../scenario/scenario.js'

export const SECOND = 48_000
export const MS = 48

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

export const nightShow = () => {
  const files: FileSpec[] = []
  /** Ready after 5 ms, and all of it at once; the disk has lost what lasts null seconds. */
  const file = (seconds: number | null): number => files.push({
    ...PLAIN_FILE, readyAfter: 5 * MS, frames: Math.round((seconds ?? 0) * SECOND),
    missing: seconds === null,
  }) - 1
  const audio = (seconds: number | null, more: Partial<ButtonSpec> = {}): ButtonSpec =>
    ({ ...PLAIN_BUTTON, file: file(seconds), ...more })
  const film = (seconds: number, loop: boolean, durationMs: number, fadeOutMs: number) =>
    audio(seconds, { kind: 'video', fadeOutMs, lights: { loop, durationMs } })
  const bed = { fadeInMs: 300, fadeOutMs: 800, pauseWhenReplaced: true }
  const buzz = { allowOverlap: true }
  const picture = { ...PLAIN_BUTTON, kind: 'image' } as const
  const lamp = { ...PLAIN_BUTTON, kind: 'dmx' } as const
  const mixed = { ...PLAIN_LIST, mixOnTransition: true }
  const lists = [
    { ...mixed, crossfadeMs: 1_000, buttons: [
      audio(96, bed),
      // The quiz plays its beds with externalSequencing: this padlock is never obeyed.
      audio(201, { ...bed, startMs: 5_000, endMs: 85_250, isLoopEnabled: true }),
      audio(132.333, { ...bed, fadeOutMs: 0, fadeInMs: 0 }),
      audio(83.7, { ...bed, lights: { loop: true, durationMs: 31_000 } }),
    ] },
    // Mix is off: its Crossfade means nothing.
    { ...PLAIN_LIST, crossfadeMs: 2_500, buttons: [
      film(45, true, 20_000, 0), film(30, false, 25_000, 0), film(38.4567, false, 60_000, 300),
    ] },
    { ...mixed, crossfadeMs: 1_500, buttons: [
      audio(12, { fadeOutMs: 250 }),
      audio(15, { isLoopEnabled: true, startMs: 1_000, endMs: 9_001 }),
      audio(61.0001, { allowOverlap: true, fadeOutMs: 1_200 }),
    ] },
    { ...PLAIN_LIST, buttons: [
      audio(2, buzz), audio(3.3, { ...buzz, fadeOutMs: 400 }), audio(null),
    ] },
    // The third is so short that no whole Crossfade fits into it.
    { ...mixed, mode: 'sequence' as const, wrap: true, crossfadeMs: 3_000,
      buttons: [64, 71.5, 5.25, 90.25, 80, 67].map((seconds) => audio(seconds)) },
    { ...PLAIN_LIST, mode: 'sequence' as const,
      buttons: [8, 11.111, null, 9.5, 14].map((seconds) => audio(seconds)) },
    { ...PLAIN_LIST, buttons: [
      { ...picture, file: file(0) },
      { ...picture, file: file(0), lights: { loop: true, durationMs: 4_000 } },
      { ...lamp, lights: { loop: true, durationMs: 10_000 } },
      { ...lamp, lights: { loop: false, durationMs: 7_000 } },
      { ...PLAIN_BUTTON, kind: 'navigation' as const },
    ] },
  ]
  const scenario: Scenario = { ...PLAIN_SCENARIO, seed: 1, calm: true, files, lists, ops: [] }
  /** Their lengths are known before they are played; those of beds and buzzers are not. */
  const probed = [NIGHT.videos, NIGHT.thinking, NIGHT.music, NIGHT.sponsors].flat()
  return { scenario, probed: probed.filter((n) => !files[n]!.missing) }
}
