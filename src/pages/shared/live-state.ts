// What a page knows of the daemon: the state that /api/v1/live told, and each change put to it.
import type { LiveChange, LiveParts, LiveRun, LiveState } from '../../contract/live.js'

export interface Known extends LiveParts {
  /** The number of the last change that is in it. */
  readonly n: number
}

/** Its parts, whichever there are: a part that is new in the protocol is named nowhere here. */
export const knownFrom = (state: LiveState): Known => {
  const { kind, at, missed, ...known } = state
  return known
}

/** A change put to what is known; null: a number is missing, so all must be told anew. */
export const applyChange = (known: Known, change: LiveChange): Known | null => {
  if (change.n !== known.n + 1) return null
  const { kind, at, events, runs, ...told } = change
  return { ...known, ...told, runs: runsAfter(known.runs, runs) }
}

/** In order of creation still: a run that is known keeps its place, a new one comes last. */
const runsAfter = (
  before: readonly LiveRun[], changed: readonly LiveRun[],
): readonly LiveRun[] => {
  if (changed.length === 0) return before
  const runs = new Map(before.map((run) => [run.executionId, run]))
  for (const run of changed) {
    if (run.endReason === null) runs.set(run.executionId, run)
    else runs.delete(run.executionId)
  }
  return [...runs.values()]
}
