// From a scenario's show to the engine's catalogue: ids, paths, settings, and the edits of a swap.
import { frame } from '../../src/clock/frame.js'
import {
  Catalogue, type Button, type Playlist, type TimelineRef,
} from '../../src/engine/catalogue.js'
import type { ButtonSpec, Edit, ListSpec } from './scenario.js'

/** How things are called in one run of a scenario; another naming must change nothing. */
export interface Naming {
  readonly salt: number
  /** Lists, and buttons of manual lists, stand the other way round. */
  readonly reversed: boolean
}

export const PLAIN_NAMING: Naming = { salt: 0, reversed: false }

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

const timelineOf = (spec: ButtonSpec, n: number): TimelineRef | null => {
  const { lights } = spec
  if (lights === null) return null
  const { durationMs } = lights
  return {
    timelineId: `t${n}`,
    loop: lights.loop,
    durationFrames: durationMs === null ? null : frame(Math.round(durationMs * 48)),
    error: durationMs === null ? 'bad timeline' : null,
  }
}

const buttonOf = (spec: ButtonSpec, n: number, list: string, naming: Naming): Button => ({
  id: buttonId(n, naming),
  title: `b${n}`,
  kind: spec.kind,
  playlistId: list,
  media: spec.file === null ? null : pathOf(spec.file),
  startMs: spec.startMs,
  endMs: spec.endMs,
  fadeInMs: spec.fadeInMs,
  fadeOutMs: spec.fadeOutMs,
  fadeOutAtEnd: spec.fadeOutAtEnd,
  isLoopEnabled: spec.isLoopEnabled,
  pauseWhenReplaced: spec.pauseWhenReplaced,
  allowOverlap: spec.allowOverlap,
  gainDb: spec.gainDb,
  dmx: timelineOf(spec, n),
  own: null,
})

export const catalogueOf = (lists: readonly ListSpec[], naming: Naming): Catalogue => {
  let n = 0
  const playlists = lists.map((spec, index): Playlist => {
    const id = listId(index, naming)
    const buttons: Button[] = []
    for (const button of spec.buttons) {
      if (!button.gone) buttons.push(buttonOf(button, n, id, naming))
      n += 1
    }
    if (naming.reversed && spec.mode === 'manual') buttons.reverse()
    const { mode, wrap, mixOnTransition, crossfadeMs, crossfadeCurve } = spec
    return {
      id, title: `l${index}`, mode, wrap, mixOnTransition, crossfadeMs, crossfadeCurve, buttons,
    }
  })
  return new Catalogue({
    title: 'show', playlists: naming.reversed ? playlists.reverse() : playlists,
  })
}

export const edited = (lists: readonly ListSpec[], edits: readonly Edit[]): readonly ListSpec[] => {
  let n = 0
  return lists.map((list, index) => {
    const buttons = list.buttons.map((button) => {
      const own = n
      n += 1
      return edits.reduce<ButtonSpec>(
        (now, edit) => ('button' in edit && edit.button === own ? { ...now, ...edit.set } : now),
        button,
      )
    })
    return edits.reduce<ListSpec>(
      (now, edit) => ('list' in edit && edit.list === index ? { ...now, ...edit.set } : now),
      { ...list, buttons },
    )
  })
}
