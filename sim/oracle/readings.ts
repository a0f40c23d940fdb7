// What every read must answer, field by field (2.2, 2.7, D2): made from the model alone.
import { judgeBody, type FieldRules } from './difference.js'
import { savedRangeMs } from './model/runs/lengths.js'
import type { Timeline } from './model/lights.js'
import type { Model } from './model/model.js'
import { isLive, placeOf, wholeMs, type ModelButton, type ModelRun } from './model/shapes.js'
import { listId, pathOf, type Naming } from '../scenario/show.js'
import { SURROUNDINGS } from '../world/player-under-test.js'

export type Json = Readonly<Record<string, unknown>>

const STATUS_FIELDS: FieldRules = {
  'lights.timelines.positionMs': '3.5/position', 'lights.timelines.sync': 'D5/sync-state',
  'lights.timelines.lastDriftMs': 'D5/sync-state', 'audio.starvations': 'D3/starve-told',
  'lights.timelines.worstDriftMs': 'D5/sync-state',
}

/** What stands in a told list at this place; nothing where there is no such place. */
const told = (body: Json, list: string, n: number): Json =>
  (body[list] as readonly Json[] | undefined)?.[n] ?? {}

export class Readings {
  constructor(private readonly model: Model, private readonly naming: Naming) {}

  /** The body of an execution; null: it is not found. */
  execution(id: string, body: Json | null): void {
    const { model, model: { judge } } = this
    const run = model.state.known.get(id)
    if (run === undefined) {
      return judge.hold('D3/id-unknown', body === null, () => `${id}, which nobody has, is found`)
    }
    if (!isLive(run) && run.endedAt + model.state.retention < model.state.now) {
      judge.sometimes('an execution is forgotten')
      return judge.hold('3.2/forgotten', body === null, () => `${run.name} is still known`)
    }
    judge.hold('3.2/retention', body !== null, () => `${run.name} is not known any more`)
    const place = run.starving ? 'D3/starve' : run.passes > 0 ? '3.4.5/wrap' : '2.2/position'
    judgeBody(judge, '2.2/execution', body!, model.runs.execution(run, body!), {
      positionMs: place, durationMs: '2.2/duration', starvedMs: 'D3/starve-told',
      startMs: '2.2/range', endMs: '2.2/range',
    }, `${run.name} (${run.state}) is read: `)
    this.#judgeLength(run, body!)
  }

  /** Who hears all events knows of a run's length what a reader is told. */
  #judgeLength(run: ModelRun, { durationMs, startMs, endMs }: Json): void {
    if (!isLive(run)) return
    const told = this.model.state.observer.lengths.get(run.id) ?? {}
    judgeBody(this.model.judge, '2.2/length-told', { durationMs, startMs, endMs }, told, {},
      `${run.name} (${run.state}) is read otherwise than its events have it: `)
  }

  status(body: Json): void {
    const { model } = this
    const lights = [...model.lights.live.values()]
    const { live } = model.state
    const active = live.filter((run) => run.state !== 'paused')
    const paused = live.filter((run) => run.state === 'paused')
    const { audio, dmxEnabled, universes, lights: output, ...rest } = SURROUNDINGS
    const timelines = lights.map((line) => this.#timeline(line))
    judgeBody(model.judge, '2.7/status', body, {
      ...rest, show: 'show',
      state: model.state.shut ? 'shutting_down' : model.state.busy ? 'busy' : 'ready',
      audio: {
        ...audio, state: model.state.outputUp ? 'ok' : 'unavailable',
        starvations: model.runs.boundaries.starvations,
      },
      dmx: { enabled: dmxEnabled, universes, activeTimelines: lights.length },
      active: [
        ...active.map((run, n) => this.#item(run, told(body, 'active', n))), ...this.#lone(),
      ],
      paused: paused.map((run, n) => this.#item(run, told(body, 'paused', n))),
      lights: { output, timelines },
    }, STATUS_FIELDS, '')
  }

  #item(run: ModelRun, item: Json): Json {
    const { id, n } = run.button
    const { runs, lights } = this.model
    return {
      id, title: `b${n}`, kind: run.kind, executionId: run.id, state: run.state,
      positionMs: wholeMs(placeOf(run, this.model.state.now)),
      durationMs: runs.durationMs(run, item['durationMs']),
      dmxExecutionId: lights.live.get(id)?.id ?? null,
    }
  }

  /** Without an execution: the image that is shown, then timelines in order of their starts. */
  #lone(): Json[] {
    const { lights, state: { image, live } } = this.model
    const lit = [...lights.live.values()].filter(({ button: id }) =>
      id !== image?.id && live.every(({ button }) => button.id !== id))
    const shown = image === null ? [] : [{ button: image.id, title: `b${image.n}` }]
    return [...shown, ...lit].map(({ button: id, title }) => ({
      id, title, kind: id === image?.id ? 'image' : 'dmx',
      executionId: null, state: null, positionMs: null, durationMs: null,
      dmxExecutionId: lights.live.get(id)?.id ?? null,
    }))
  }

  #timeline(line: Timeline): Json {
    const { id, button, sync, state, frames, last, worst } = line
    return {
      dmxExecutionId: id, buttonId: button, sync, isPlaying: state === 'running',
      positionMs: this.model.lights.at(line) / 48,
      durationMs: frames / 48, lastDriftMs: last, worstDriftMs: worst,
    }
  }

  buttons(body: Json): void {
    const meant = [...this.model.state.show.buttons.values()].map((button, n) =>
      this.#entry(button, told(body, 'buttons', n)))
    judgeBody(this.model.judge, 'D2/buttons', body, { buttons: meant }, {}, '')
  }

  #entry(button: ModelButton, entry: Json): Json {
    const { model } = this
    const { id, kind, n, list } = button
    const run = model.state.ofButton(id)
    const lights = model.lights.live.get(id)?.id ?? null
    const durationMs = this.#durationOf(button, run, Number(entry['durationMs']))
    const shown = model.state.image?.id === id || (kind === 'dmx' && lights !== null)
    return {
      id, title: `b${n}`, kind, playlistId: listId(list, this.naming), playlistTitle: `l${list}`,
      isPlaying: (run !== null && run.state !== 'paused') || shown,
      isPaused: run?.state === 'paused', isLoopEnabled: button.isLoopEnabled,
      hasDmxTimeline: button.lights !== null,
      durationMs, executionId: run?.id ?? null, dmxExecutionId: lights,
      ...(kind === 'audio' || kind === 'video'
        ? savedRangeMs(button, durationMs) : { startMs: 0, endMs: null }),
      fadeInMs: button.fadeInMs, fadeOutMs: button.fadeOutMs,
    }
  }

  /** Of its run where that plays its file, else of the file as far as known, else its timeline. */
  #durationOf(button: ModelButton, run: ModelRun | null, entry: number): number {
    const { runs, streams } = this.model
    const path = button.file === null ? null : pathOf(button.file)
    const plays = run !== null && run.tail.seen.request.path === path
    const own = plays ? runs.durationMs(run, entry) : 0
    if (own > 0) return own
    if (path === null) return button.lights?.durationMs ?? 0
    return streams.lengthMs(path, null, entry)
  }
}
