// Shows for benchmarks: a few buttons, or many over a few files as large houses have them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { button } from '../test/devices/daemon-rig.js'
import { writeCodedWav } from '../test/devices/media-files.js'

const FILES = 20
const FILE_SECONDS = 60
const LIST_BUTTONS = 100

export interface ButtonSettings {
  readonly media: string
  readonly [setting: string]: unknown
}

export interface ListSettings {
  readonly buttons: readonly ButtonSettings[]
  readonly [setting: string]: unknown
}

/** Buttons are numbered from 1 through all lists, in order. Answers the show's path. */
export const writeLists = (folder: string, lists: readonly ListSettings[]): string => {
  let number = 0
  const playlists = lists.map((list, n) => ({
    id: `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    title: `List ${String(n + 1)}`,
    ...list,
    buttons: list.buttons.map((each) => {
      number += 1
      return { id: button(number), title: `Button ${String(number)}`, kind: 'audio', ...each }
    }),
  }))
  const file = join(folder, 'show.json')
  writeFileSync(file, JSON.stringify({ version: 1, title: 'Bench', playlists }, null, 2))
  return file
}

/** Buttons are numbered from 1, a hundred in a list. Answers the show's path. */
export const writeShow = (folder: string, settings: readonly ButtonSettings[]): string =>
  writeLists(folder, Array.from({ length: Math.ceil(settings.length / LIST_BUTTONS) }, (_, n) => ({
    buttons: settings.slice(n * LIST_BUTTONS, (n + 1) * LIST_BUTTONS),
  })))

/** Every button has a start of its own, so that no two share a head. */
export const writeLargeShow = (folder: string, count: number): string => {
  for (let n = 0; n < FILES; n += 1) {
    writeCodedWav(join(folder, `${String(n)}.wav`), FILE_SECONDS * 48_000)
  }
  return writeShow(folder, Array.from({ length: count }, (_, n) => ({
    media: `${String(n % FILES)}.wav`,
    startMs: (Math.floor(n / FILES) * 40) % ((FILE_SECONDS - 5) * 1_000),
    fadeOutMs: 500,
    pauseWhenReplaced: n % 2 === 0,
  })))
}
