// What a page knows of the daemon: the state that /api/v1/live told, and each change put to it.
import type { LiveChange, LiveParts, LiveRun, LiveState } from '../../contract/live.js'

export interface Known extends LiveParts {
  /** The number of the last change that is in it. */
  readonly n: number
}

export const knownFrom = (state: LiveState): Known => ({ ...partsOf(state), n: state.n })

/** A change put to what is known; null: a number is missing, so all must be told anew. */
export const applyChange = (known: Known, change: LiveChange): Known | null => {
  if (change.n !== known.n + 1) return null
  const { runs, ...rest } = change
  return {
    n: change.n,
    runs: runsAfter(known.runs, runs),
    image: rest.image === undefined ? known.image : rest.image,
    timelines: rest.timelines ?? known.timelines,
    output: rest.output ?? known.output,
    lights: rest.lights ?? known.lights,
    service: rest.service ?? known.service,
    stages: rest.stages ?? known.stages,
    show: rest.show === undefined ? known.show : rest.show,
    waves: rest.waves === undefined ? known.waves : rest.waves,
    armed: rest.armed === undefined ? known.armed : rest.armed,
  }
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

const partsOf = (state: LiveState): LiveParts => ({
  runs: state.runs,
  image: state.image,
  timelines: state.timelines,
  output: state.output,
  lights: state.lights,
  service: state.service,
  stages: state.stages,
  show: state.show,
  waves: state.waves,
  armed: state.armed,
})
