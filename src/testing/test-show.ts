// The show of a test player: the shape of show.json as types, checked by the real file's rules.
import { resolve } from 'node:path'
import { Catalogue } from '../engine/catalogue.js'
import { faultsText } from '../io/files/fault.js'
import { builtShow, type TimelineLength } from '../io/show/show-file.js'
import { inOrder, ruleFaults, sizeFaults } from '../io/show/show-rules.js'
import { parseShape } from '../io/show/show-shape.js'
import { framesOf } from './argument-checks.js'

/** A word of the format; any string compiles, so that an imported JSON file does too. */
type Word<T extends string> = T | (string & {})

export interface TestButton {
  readonly id: string
  readonly title: string
  readonly kind: Word<'audio' | 'video' | 'image' | 'dmx' | 'navigation'>
  readonly media?: string | null | undefined
  readonly target?: string | null | undefined
  readonly startMs?: number | undefined
  readonly endMs?: number | null | undefined
  readonly fadeInMs?: number | undefined
  readonly fadeOutMs?: number | undefined
  readonly fadeOutAtEnd?: boolean | undefined
  readonly isLoopEnabled?: boolean | undefined
  readonly pauseWhenReplaced?: boolean | undefined
  readonly allowOverlap?: boolean | undefined
  readonly gainDb?: number | undefined
  readonly dmx?: TestLights | null | undefined
  readonly color?: string | null | undefined
  readonly hotkey?: string | null | undefined
  readonly pressAgain?: Word<'pause' | 'restart' | 'stop'> | undefined
  readonly fit?: Word<'contain' | 'cover'> | undefined
  readonly dissolveMs?: number | undefined
  /** The catalogue has these keys as they are. */
  readonly [own: `x-${string}`]: unknown
}

export interface TestLights {
  readonly timeline: string
  readonly loop?: boolean | undefined
}

export interface TestPlaylist {
  readonly id: string
  readonly title: string
  readonly mode?: Word<'manual' | 'sequence' | 'shuffle'> | undefined
  readonly wrap?: boolean | undefined
  readonly mixOnTransition?: boolean | undefined
  readonly crossfadeMs?: number | undefined
  readonly crossfadeCurve?: Word<'linear' | 'equal-power'> | undefined
  readonly columns?: number | null | undefined
  readonly buttons?: readonly TestButton[] | undefined
}

/** What stands in a show.json. */
export interface TestShow {
  readonly $schema?: string | undefined
  readonly version?: number | undefined
  readonly title: string
  readonly playlists?: readonly TestPlaylist[] | undefined
}

/** Paths of a show are relative to it; it lies nowhere, so this stands for its folder. */
const FOLDER = resolve('/show')

export const pathOf = (name: string): string => resolve(FOLDER, name)

/** @throws Error that names every fault by its place, as `cartwall check` does. */
export const catalogueOf = (
  show: TestShow, timelines: Readonly<Record<string, { readonly durationMs: number }>>,
): Catalogue => {
  const oversize = sizeFaults(show)
  const { shape, faults } = parseShape(show)
  const all = oversize.length > 0 ? oversize : inOrder([...faults, ...ruleFaults(show)])
  if (shape === null || all.length > 0) throw new Error(`the show is refused: ${faultsText(all)}`)
  const known = new Map<string, TimelineLength>()
  for (const [name, { durationMs }] of Object.entries(timelines)) {
    const durationFrames = framesOf(`${name}: durationMs`, durationMs)
    known.set(pathOf(name), { ok: true, timeline: { durationFrames } })
  }
  return new Catalogue(builtShow(shape, FOLDER, known).show)
}
