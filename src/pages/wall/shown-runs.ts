// Which runs Now playing has room for: the newest, and of the others those that end soonest.
import type { LiveRun } from '../../contract/live.js'
import { endsAt } from './position.js'

/** Newest first. Where all have room all are there. */
export const shownRuns = (runs: readonly LiveRun[], most: number): readonly LiveRun[] => {
  const all = [...runs].sort((a, b) => b.serial - a.serial)
  if (all.length <= most) return all
  const [newest, ...others] = all
  // What was just started is looked for, and what ends soon wants something done.
  const soonest = new Set(others.sort((a, b) => endsAt(a) - endsAt(b)).slice(0, most - 1))
  return all.filter((run) => run === newest || soonest.has(run))
}
