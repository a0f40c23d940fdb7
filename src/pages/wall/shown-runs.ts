// What Now playing has room for: of runs the newest, and of the others those that end soonest.
import type { LiveRun } from '../../contract/live.js'
import type { LiveNow } from './look.js'
import { endsAt } from './position.js'

const ROWS_MOST = 8
/** So many of them are left to pictures and lights, however many runs there are. */
const LONE_LEAST = 4

/** A picture or lights without a run: they are on though no sound is, maybe of another playlist. */
export interface Lone {
  readonly buttonId: string
  readonly title: string
  readonly kind: 'shown' | 'lit'
}

export interface Rows {
  readonly runs: readonly LiveRun[]
  readonly lone: readonly Lone[]
  /** Of all that is on, in a row or not. */
  readonly count: number
}

/** `now`: null before anything is known. */
export const rowsOf = (now: LiveNow | null): Rows => {
  if (now === null) return { runs: [], lone: [], count: 0 }
  const all = loneOf(now)
  const lone = newestOf(all, Math.max(LONE_LEAST, ROWS_MOST - now.runs.length))
  const runs = shownRuns(now.runs, ROWS_MOST - lone.length)
  return { runs, lone, count: now.runs.length + all.length }
}

const loneOf = ({ image, timelines, runs }: LiveNow): readonly Lone[] => {
  // Lights of a run, or of the picture, are its own.
  const lit = timelines.filter(({ buttonId: id }) =>
    id !== image?.buttonId && !runs.some(({ buttonId }) => buttonId === id))
  return [
    ...(image === null ? [] : [{ ...image, kind: 'shown' } as const]),
    ...lit.map((timeline) => ({ ...timeline, kind: 'lit' }) as const),
  ]
}

/** The picture, and of the lights those that came last, in the order in which they came. */
const newestOf = (lone: readonly Lone[], most: number): readonly Lone[] => {
  const pictures = lone.filter(({ kind }) => kind === 'shown')
  const lights = lone.filter(({ kind }) => kind === 'lit')
  return [...pictures, ...lights.slice(-(most - pictures.length))]
}

/** Newest first. Where all have room all are there. */
export const shownRuns = (runs: readonly LiveRun[], most: number): readonly LiveRun[] => {
  const all = [...runs].sort((a, b) => b.serial - a.serial)
  if (all.length <= most) return all
  const [newest, ...others] = all
  // What was just started is looked for, and what ends soon wants something done.
  const soonest = new Set(others.sort((a, b) => endsAt(a) - endsAt(b)).slice(0, most - 1))
  return all.filter((run) => run === newest || soonest.has(run))
}
