// The oracle: keeps the reference model beside the engine, and judges what can be read and heard.
import type { Execution, StatusAnswer } from '../../src/contract/schemas.js'
import { DEFAULT_ENGINE } from '../../src/engine/engine.js'
import type { Booth } from '../world/booth.js'
import type { Judge } from './judge.js'
import { judgeLamps } from './lamps.js'
import { judgeMaster } from './limiter.js'
import type { Ticket } from './model/command-queue.js'
import { Model } from './model/model.js'
import { heardAt, soundRule } from './model/sound.js'
import { isLive, wholeMs, placeOf, type ModelButton, type ModelRun } from './model/shapes.js'
import { diceOf } from '../scenario/random.js'
import type { Scenario } from '../scenario/scenario.js'
import { pathOf, type Naming } from '../scenario/show.js'

/**
 * Half a step of the position code in its second word is 4e-6; sums of f32 err by less than 1e-6.
 */
const TOLERANCE = 1.5e-6
/** One seed of so many tries what stands behind the desk: the master stage and the lamps. */
const RACK_EVERY = 16
/** Longest fade of the API. */
const FADE_MAX = 60_000 * 48

export class Oracle {
  readonly model: Model
  readonly #retention: number

  constructor(
    private readonly scenario: Scenario,
    naming: Naming,
    origin: number,
    private readonly booth: Booth,
    private readonly judge: Judge,
  ) {
    this.model = new Model(scenario, naming, booth.witness, judge, origin)
    this.#retention = scenario.retentionMs * 48
  }

  catchUp(): void {
    this.model.catchUp(this.booth.now)
  }

  submit(ticket: Ticket): void {
    this.model.submit(ticket)
  }

  /** The last `count` frames were rendered into the booth's block; these of them are heard. */
  listened(count: number, places: readonly number[]): void {
    const from = this.booth.now - count
    const { left, right } = this.booth.block
    for (const i of places) {
      this.model.catchUp(from + i, false)
      const heard = [left[i]!, right[i]!] as const
      const meant = heardAt(this.model.runs.live, this.model.runs.now)
      const off = Math.max(Math.abs(heard[0] - meant[0]), Math.abs(heard[1] - meant[1]))
      const size = Math.max(1, Math.abs(meant[0]), Math.abs(meant[1]))
      const rule = soundRule(this.model.runs.live, this.model.runs.now)
      this.judge.hold(rule, off <= TOLERANCE * size, () => this.#wrongSound(heard))
    }
    this.model.catchUp(this.booth.now)
  }

  #wrongSound(heard: readonly [number, number]): string {
    const [left, right] = heardAt(this.model.runs.live, this.model.runs.now)
    const who = this.model.runs.live.map((run) =>
      `${run.name} ${run.state} at ${placeOf(run, this.model.runs.now)}`)
    return `heard ${heard.join(', ')}; meant ${left}, ${right} (${who.join('; ')})`
  }

  afterOp(): void {
    const { runs } = this.model
    for (const run of runs.live) this.#judgeReading(run)
    let looked = 0
    for (const run of this.#newestEnded()) {
      if (looked > 6) break
      looked += 1
      this.#judgeReading(run)
    }
    if (this.scenario.calm) this.#judgeLiveness()
    if (runs.live.length === 0 && this.model.lists.idle) this.#judgeLeaks()
    if (runs.live.length > 1) this.judge.sometimes('two runs overlap')
  }

  #newestEnded(): ModelRun[] {
    return this.model.ended.slice(-7).reverse()
  }

  #judgeReading(run: ModelRun): void {
    const { judge, model } = this
    const { now } = model.runs
    const body: Execution | null = this.booth.execution(run.id)
    if (!isLive(run) && run.endedAt + this.#retention < now) {
      judge.sometimes('an execution is forgotten')
      judge.hold('3.2/forgotten', body === null, () => `${run.name} is still known`)
      return
    }
    judge.hold('3.2/retention', body !== null, () => `${run.name} is not known any more`)
    const told = body!
    const position = wholeMs(placeOf(run, now))
    const rule = run.starving ? 'D3/starve' : run.wrapped ? '3.4.5/wrap' : '2.2/position'
    judge.hold(rule, told.positionMs === position, () =>
      `${run.name} (${run.state}) is read at ${told.positionMs} ms, stands at ${position}`)
    const same = told.state === run.state && told.endReason === run.reason &&
      told.buttonId === run.button.id && told.executionId === run.id
    judge.hold('2.2/execution', same, () =>
      `${run.name} is read as ${told.state}/${String(told.endReason)}, ` +
      `is ${run.state}/${String(run.reason)}`)
    if (!isLive(run)) return
    const duration = model.runs.durationMs(run, told.durationMs)
    judge.hold('2.2/duration', told.durationMs === duration, () =>
      `${run.name} is read to last ${told.durationMs} ms, lasts ${duration}`)
  }

  /** Without faults nothing stays under way past its bound. */
  #judgeLiveness(): void {
    for (const run of this.model.runs.live) {
      const since = this.model.runs.now - run.calmSince
      const under = ['starting', 'pausing', 'fading_out'].includes(run.state)
      const most = run.state === 'starting' ? 48_000 : FADE_MAX
      this.judge.hold('liveness/under-way', !under || since <= most, () =>
        `${run.name} is ${run.state} since ${since} frames`)
    }
  }

  #judgeLeaks(): void {
    const open = this.booth.media.streams.find((stream) => stream.closedAt === null)
    this.judge.hold('machine/no-leak', open === undefined, () =>
      `the stream of ${String(open?.request.buttonId)} is still open`)
  }

  /** The bodies of the two catalogues of state. */
  read(): void {
    const { judge, model, booth } = this
    const status = booth.status()
    const state = model.shut ? 'shutting_down' : model.busy ? 'busy' : 'ready'
    judge.hold('2.7/status', status.state === state, () => `${status.state}, should be ${state}`)
    const audio = model.outputUp ? 'ok' : 'unavailable'
    judge.hold('2.7/status', status.audio.state === audio, () => `audio is ${status.audio.state}`)
    const lights = model.lights.live
    const runs = model.runs.live
    const line = (id: string, run: ModelRun | null): string => [
      id, run?.id ?? null, run?.state ?? null,
      run === null ? null : wholeMs(placeOf(run, model.runs.now)), lights.get(id)?.id ?? null,
    ].join(' ')
    const lone = new Set([...lights.keys()].filter((id) => runs.every((r) => r.button.id !== id)))
    if (model.image !== null) lone.add(model.image.id)
    const active = [
      ...runs.filter((run) => run.state !== 'paused').map((run) => line(run.button.id, run)),
      ...[...lone].map((id) => line(id, null)),
    ]
    const paused = runs.filter((run) => run.state === 'paused').map((r) => line(r.button.id, r))
    const told = (items: typeof status.active): string[] => items.map((item) => [
      item.id, item.executionId, item.state, item.positionMs, item.dmxExecutionId,
    ].join(' '))
    const equal = sameSet(told(status.active), active) && sameSet(told(status.paused), paused)
    judge.hold('2.7/status', equal, () =>
      `active ${told(status.active).join(' | ')} should be ${active.join(' | ')}`)
    judge.hold('2.7/status', status.dmx.activeTimelines === lights.size, () =>
      `${status.dmx.activeTimelines} timelines, should be ${lights.size}`)
    for (const item of [...status.active, ...status.paused]) this.#judgeItem(item)
    this.#readButtons()
    for (const item of status.lights.timelines) {
      const own = lights.get(item.buttonId)
      const same = own?.id === item.dmxExecutionId &&
        (own.state === 'running') === item.isPlaying && item.durationMs === own.frames / 48
      judge.hold('2.7/status', same, () => `a timeline is told as ${JSON.stringify(item)}`)
      const ms = own === undefined ? -1 : model.lights.at(own, model.runs.now) / 48
      judge.hold('3.5/position', Math.abs(item.positionMs - ms) < 1e-6, () =>
        `a timeline is read at ${item.positionMs} ms, stands at ${ms}`)
    }
  }

  /** What an item of status says beside its ids, state and place. */
  #judgeItem(item: StatusAnswer['active'][number]): void {
    const { runs, show } = this.model
    const run = runs.ofButton(item.id)
    const button = run?.button ?? show.buttons.get(item.id)
    if (button === undefined) return
    const duration = run === null ? null : runs.durationMs(run, item.durationMs)
    const same = item.kind === button.kind && item.title === `b${button.n}` &&
      item.durationMs === duration
    this.judge.hold('2.7/status', same, () => `b${button.n} is told as ${JSON.stringify(item)}`)
  }

  /** Of the button's run, else of its file as far as it is known, else of its timeline. */
  #durationOf(button: ModelButton, told: number): number {
    const { runs, streams } = this.model
    const run = runs.ofButton(button.id)
    const own = run === null ? 0 : runs.durationMs(run, told)
    if (own > 0) return own
    const path = button.file === null ? null : pathOf(button.file)
    if (path === null) return button.lights?.durationMs ?? 0
    return streams.lastsPerhaps(path, told) ? told : wholeMs(streams.durationOf(path) ?? 0)
  }

  #readButtons(): void {
    const { judge, model } = this
    const entries = this.booth.buttons().buttons
    const { buttons } = model.show
    const ids = [...buttons.keys()].join(' ')
    judge.hold('D2/buttons', entries.map((entry) => entry.id).join(' ') === ids, () =>
      `the buttons are told as ${entries.map((entry) => entry.title).join(' ')}`)
    for (const entry of entries) {
      const button = buttons.get(entry.id)!
      const run = model.runs.ofButton(entry.id)
      const lights = model.lights.live.get(entry.id)?.id ?? null
      const shown = model.image?.id === entry.id || (button.kind === 'dmx' && lights !== null)
      const same = entry.isPlaying === ((run !== null && run.state !== 'paused') || shown) &&
        entry.isPaused === (run?.state === 'paused') && entry.executionId === (run?.id ?? null) &&
        entry.dmxExecutionId === lights && entry.isLoopEnabled === button.isLoopEnabled &&
        entry.hasDmxTimeline === (button.lights !== null) && entry.kind === button.kind &&
        entry.title === `b${button.n}` && entry.playlistTitle === `l${button.list}` &&
        entry.durationMs === this.#durationOf(button, entry.durationMs)
      judge.hold('D2/buttons', same, () => `b${button.n} is told as ${JSON.stringify(entry)}`)
    }
  }

  finish(): void {
    this.read()
    if (this.scenario.seed % RACK_EVERY === RACK_EVERY - 1) {
      const dice = diceOf(this.scenario.seed ^ 0x2c1b)
      judgeMaster(this.judge, dice)
      judgeLamps(this.judge, dice)
    }
    // What the daemon runs with, where a scenario has its own.
    const { retentionMs, loopHeadBytes } = DEFAULT_ENGINE
    this.judge.hold('3.2/retention', retentionMs >= 600_000, () => `${retentionMs} ms`)
    this.judge.hold('3.4.8/gains', loopHeadBytes === 33_554_432, () => `${loopHeadBytes} bytes`)
  }
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item) => b.includes(item))
