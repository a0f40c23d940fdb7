// What GET /status answers (2.7), made from the catalogue and the read model at a frame.
import { framesToMs, type Frame } from '../clock/frame.js'
import type {
  AudioStatus, DmxOutputStatus, DmxRunStatus, LogStatus, StatusAnswer, StatusItem,
} from '../contract/schemas.js'
import type { Catalogue } from './catalogue.js'
import { positionAt, type DmxView } from './dmx/dmx-run.js'
import type { ReadModel } from './read-model.js'
import { executionBody, type RunView } from './runs/run-view.js'

/** What only the surroundings of an engine know. */
export interface Surroundings {
  readonly version: string
  /** Why the show file was refused when it was read last; null: it is the one that plays. */
  readonly showError: string | null
  readonly uptimeMs: number
  readonly audio: Omit<AudioStatus, 'state' | 'starvations'>
  readonly dmxEnabled: boolean
  readonly universes: number
  readonly lights: DmxOutputStatus
  readonly log: LogStatus
}

export const statusBody = (
  catalogue: Catalogue, model: ReadModel, now: Frame, around: Surroundings,
): StatusAnswer => {
  const runs = model.live()
  const lone = loneItems(catalogue, model)
  const item = (view: RunView): StatusItem => runItem(view, model, now)
  return {
    state: model.service,
    version: around.version,
    uptimeMs: around.uptimeMs,
    show: catalogue.title,
    showError: around.showError,
    audio: {
      state: model.outputUp ? 'ok' : 'unavailable',
      sink: around.audio.sink,
      latencyMs: around.audio.latencyMs,
      underruns: around.audio.underruns,
      starvations: model.starvations,
      armedHeads: around.audio.armedHeads,
    },
    dmx: {
      enabled: around.dmxEnabled, universes: around.universes, activeTimelines: model.dmx.length,
    },
    lights: { output: around.lights, timelines: model.dmx.map((view) => timeline(view, now)) },
    log: around.log,
    active: [...runs.filter((view) => view.state !== 'paused').map(item), ...lone],
    paused: runs.filter((view) => view.state === 'paused').map(item),
  }
}

const runItem = (view: RunView, model: ReadModel, now: Frame): StatusItem => {
  const { executionId, state, positionMs, durationMs } = executionBody(view, now)
  return {
    id: view.buttonId, title: view.title, kind: view.kind,
    executionId, state, positionMs, durationMs,
    dmxExecutionId: model.dmxOf(view.buttonId)?.dmxExecutionId ?? null,
  }
}

/** Shown images and running DMX-only buttons: they have no execution. */
const loneItems = (catalogue: Catalogue, model: ReadModel): StatusItem[] => {
  const lone = model.dmx
    .filter(({ buttonId: id }) => model.liveOf(id) === null && id !== model.image)
    .map(({ buttonId: id, title }) => ({ id, title }))
  if (model.image !== null) lone.unshift({ id: model.image, title: model.imageTitle })
  return lone.map(({ id, title }) => {
    // What left the show while it is shown, or lights, or was made another kind, stays what it was.
    return {
      id, title: catalogue.button(id)?.title ?? title, kind: id === model.image ? 'image' : 'dmx',
      executionId: null, state: null, positionMs: null, durationMs: null,
      dmxExecutionId: model.dmxOf(id)?.dmxExecutionId ?? null,
    }
  })
}

const timeline = (view: DmxView, now: Frame): DmxRunStatus => ({
  dmxExecutionId: view.dmxExecutionId,
  buttonId: view.buttonId,
  sync: view.sync,
  isPlaying: view.isPlaying,
  positionMs: framesToMs(positionAt(view, now)),
  durationMs: framesToMs(view.duration),
  lastDriftMs: view.lastDriftMs,
  worstDriftMs: view.worstDriftMs,
})
