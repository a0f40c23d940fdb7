// The port through which the API hears the engine step by step, for GET /api/v1/live.
//
// `follow` calls its listener after every step in which anything happened, when `parts` and the
// readings of `Player` already tell of it: with the events of the step in their order, and each run
// that changed, once, as it is now. It is called with neither where only the surroundings changed,
// e.g. the latency of the output. The listener never throws.
import type {
  LiveImage, LiveOutput, LiveParts, LiveRun, LiveTimeline,
} from '../contract/live.js'
import type { DmxOutputStatus } from '../contract/schemas.js'
import type { Frame } from '../clock/frame.js'
import type { Catalogue } from './catalogue.js'
import { positionAt, type DmxView } from './dmx/dmx-run.js'
import type { EngineEvent } from './events.js'
import type { Change, ReadModel } from './read-model.js'
import type { RunView } from './runs/run-view.js'

export interface LivePort {
  parts(): EngineParts
  /** What is told to a page that asks for the time: read on to the moment of asking. */
  present(): Present
  /** The answer ends it. */
  follow(listener: (news: LiveNews) => void): () => void
}

/** What the engine and its outputs know of a state; the rest is the server's. */
export type EngineParts = Omit<LiveParts, 'stages' | 'show' | 'waves' | 'armed'>

export interface Present {
  readonly frame: number
  /** Frames between rendering and hearing. */
  readonly latency: number
}

export interface LiveNews {
  readonly at: Frame
  readonly events: readonly EngineEvent[]
  readonly runs: readonly LiveRun[]
}

/** What only the surroundings of an engine know. */
export interface LiveSurroundings {
  readonly output: Omit<LiveOutput, 'state'>
  readonly lights: DmxOutputStatus
}

export const partsReading = (
  catalogue: Catalogue, model: ReadModel, around: LiveSurroundings,
): EngineParts => ({
  runs: model.live().map(liveRun),
  image: liveImage(catalogue, model),
  timelines: model.dmx.map(liveTimeline),
  output: { state: model.outputUp ? 'ok' : 'unavailable', ...around.output },
  lights: around.lights,
  service: model.service,
})

export const newsReading = (
  at: Frame, events: readonly EngineEvent[], changes: readonly Change[],
): LiveNews => {
  const runs = new Map<string, LiveRun>()
  for (const change of changes) {
    if (change.kind !== 'run') continue
    runs.delete(change.view.executionId)
    runs.set(change.view.executionId, liveRun(change.view))
  }
  return { at, events, runs: [...runs.values()] }
}

const liveRun = (view: RunView): LiveRun => {
  const { executionId, buttonId, title, kind, state, endReason, serial, order } = view
  const { start, end, duration, starving, heading, comesRound: loops, next } = view
  const { at, position, moving } = view.playhead
  const { begin, end: fadeEnd, from, to } = view.ramp
  return {
    executionId, buttonId, title, kind, state, endReason, serial, order,
    range: { start, end }, duration, starving,
    anchor: { at, position, moving, until: heading?.until ?? null, then: heading?.then ?? null },
    fade: { begin, end: fadeEnd, from, to },
    loops, next,
  }
}

const liveImage = (catalogue: Catalogue, model: ReadModel): LiveImage | null => {
  const { image, imageTitle, imageAt } = model
  if (image === null) return null
  return { buttonId: image, title: catalogue.button(image)?.title ?? imageTitle, at: imageAt }
}

const liveTimeline = (view: DmxView): LiveTimeline => {
  const { dmxExecutionId, buttonId, title, sync, playhead, duration, loop } = view
  const { lastDriftMs, worstDriftMs } = view
  return {
    dmxExecutionId, buttonId, title, sync,
    at: playhead.at, position: positionAt(view, playhead.at),
    moving: playhead.rate === 1, duration, loop, lastDriftMs, worstDriftMs,
  }
}
