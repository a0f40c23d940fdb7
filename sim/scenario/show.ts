// From a scenario's show to the engine's catalogue: ids, paths, settings, and the edits of a swap.
import { msToFrames } from '../../src/clock/frame.js'
import {
  Catalogue, type Button, type Playlist, type TimelineRef,
} from '../../src/engine/catalogue.js'
import type { ButtonSpec, Edit, ListSpec } from './scenario.js'

/** How things are called in one run of a scenario; another naming must change nothing. */
export const PLAIN_NAMING = {
  salt: 0,
  /** Lists, and buttons of manual lists, stand the other way round. */
  reversed: false,
}
export type Naming = Readonly<typeof PLAIN_NAMING>

const guid = (space: number, n: number, salt: number): string => {
  const lead = salt === 0 ? space : Math.imul(n + 1, salt) ^ Math.imul(space, 0x9e37_79b9)
  const head = (lead >>> 0).toString(16).padStart(8, '0')
  return `${head}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
}

export const buttonId = (n: number, naming: Naming): string => guid(0xb, n, naming.salt)
export const listId = (n: number, naming: Naming): string => guid(0xa, n, naming.salt)
export const runId = (n: number, naming: Naming): string => guid(0xe, n, naming.salt)
export const UNKNOWN_ID = 'ffffffff-0000-4000-8000-ffffffffffff'
export const pathOf = (file: number): string => `/media/f${file}`

const timelineOf = (
  { loop, durationMs }: NonNullable<ButtonSpec['lights']>, n: number,
): TimelineRef => ({
  timelineId: `t${n}`, loop,
  durationFrames: durationMs === null ? null : msToFrames(durationMs),
  error: durationMs === null ? 'bad timeline' : null,
})

/** Null where it is not in the show at the moment. */
const buttonOf = (
  { file, lights, gone, ...settings }: ButtonSpec, n: number, list: string, naming: Naming,
): Button | null => gone ? null : {
  ...settings,
  id: buttonId(n, naming), title: `b${n}`, playlistId: list, own: null,
  media: file === null ? null : pathOf(file),
  dmx: lights === null ? null : timelineOf(lights, n),
}

/** What is made of each button, by list; they are counted through all lists. */
export const eachButton = <Made>(
  lists: readonly ListSpec[], make: (spec: ButtonSpec, n: number, list: number) => Made,
): readonly Made[][] => {
  let n = -1
  return lists.map(({ buttons }, list) => buttons.map((spec) => make(spec, n += 1, list)))
}

export const catalogueOf = (lists: readonly ListSpec[], naming: Naming): Catalogue => {
  const made = eachButton(lists, (spec, n, list) => buttonOf(spec, n, listId(list, naming), naming))
  const playlists = lists.map((settings, index): Playlist => {
    const id = listId(index, naming)
    const buttons = made[index]!.filter((button) => button !== null)
    if (naming.reversed && settings.mode === 'manual') buttons.reverse()
    return { ...settings, id, title: `l${index}`, buttons }
  })
  return new Catalogue({
    title: 'show', playlists: naming.reversed ? playlists.reverse() : playlists,
  })
}

export const edited = (lists: readonly ListSpec[], edits: readonly Edit[]): readonly ListSpec[] => {
  const made = eachButton(lists, (button, n) => edits.reduce<ButtonSpec>((now, edit) =>
    ('button' in edit && edit.button === n ? { ...now, ...edit.set } : now), button))
  return lists.map((list, index) => edits.reduce<ListSpec>((now, edit) =>
    ('list' in edit && edit.list === index ? { ...now, ...edit.set } : now),
  { ...list, buttons: made[index]! }))
}
