// The oracle: keeps the reference model beside the engine, and judges what can be read and heard.
import { frame } from '../../src/clock/frame.js'
import { DEFAULT_ENGINE } from '../../src/engine/engine.js'
import type { PlayerUnderTest } from '../world/player-under-test.js'
import type { Judge } from './judge.js'
import { judgeChannels } from './dmx-channels.js'
import { judgeMaster } from './limiter.js'
import { liveDifference } from './live-view.js'
import { Model } from './model/model.js'
import { heardAt, soundRule } from './model/runs/sound.js'
import { limitOf } from './model/runs/bounds.js'
import { placeOf, wholeMs, type ModelRun } from './model/shapes.js'
import { Readings } from './readings.js'
import { diceOf } from '../scenario/random.js'

/** Half a step of the position code in its second word is 4e-6; sums of f32 err by under 1e-6. */
const TOLERANCE = 1.5e-6
/** One seed of so many tries the outputs too: the master stage and the DMX channels. */
const OUTPUTS_EVERY = 16
/** Longest fade of the API. */
const FADE_MAX = 60_000 * 48
/** Longer than any fade: by then a reader who heard nothing more stands still. */
const LATE = 2 * FADE_MAX

/** So many of the runs that ended are read after each operation. */
const NEWEST = 7

export class Oracle {
  readonly model: Model
  readonly readings: Readings
  /** What pages were drawn wrongly first: told at the end, where no other rule was broken. */
  #unlike: string | null = null

  constructor(private readonly player: PlayerUnderTest, private readonly judge: Judge) {
    this.model = new Model(player, judge)
    this.readings = new Readings(this.model, player.naming)
  }

  catchUp(): void {
    this.model.catchUp(this.player.now)
  }

  /** The last `count` frames were rendered into the player's block; these of them are heard. */
  listened(count: number, places: readonly number[]): void {
    const from = this.player.now - count
    const { left, right } = this.player.block
    for (const i of places) {
      this.model.catchUp(from + i, false)
      const { live, now } = this.model.state
      const heard = [left[i]!, right[i]!] as const
      const meant = heardAt(live, now)
      const off = Math.max(Math.abs(heard[0] - meant[0]), Math.abs(heard[1] - meant[1]))
      const size = Math.max(1, Math.abs(meant[0]), Math.abs(meant[1]))
      this.judge.hold(soundRule(live, now), off <= TOLERANCE * size, () => {
        const who = live.map((run) => `${run.name} ${run.state} at ${placeOf(run, now)}`)
        return `heard ${heard.join(', ')}; meant ${meant.join(', ')} (${who.join('; ')})`
      })
    }
    this.model.catchUp(this.player.now)
  }

  afterOp(): void {
    const { state } = this.model
    for (const run of state.live) {
      this.#judgeReading(run)
      this.#judgeLateReader(run)
    }
    for (const run of state.ended.slice(-NEWEST).reverse()) this.#judgeReading(run)
    this.#unlike ??= liveDifference(this.model, this.player)
    if (this.player.scenario.calm) this.#judgeLiveness()
    if (state.live.length === 0 && this.model.lists.idle) this.#judgeLeaks()
    if (state.live.length > 1) this.judge.sometimes('two runs overlap')
  }

  #judgeReading({ id }: ModelRun): void {
    const body = this.player.execution(id)
    this.readings.execution(id, body === null ? null : { ...body })
  }

  /** A reader far behind the engine has the last view, and carries its place on by itself. */
  #judgeLateReader(run: ModelRun): void {
    const { now } = this.model.state
    const late = this.player.readModel.execution(run.id, frame(now + LATE))
    const fades = run.state === 'pausing' || run.state === 'fading_out'
    const left = fades ? run.fade.begin + run.fade.frames - now : Infinity
    const place = placeOf(run, now)
    const most = run.moving ? Math.min(limitOf(run), place + left) : place
    const position = late?.positionMs ?? 0
    this.judge.hold('2.2/late-reader', position <= wholeMs(most), () =>
      `${run.name} (${run.state}) is read late at ${position} ms, past ${wholeMs(most)}`)
  }

  /** Without faults nothing stays under way past its bound. */
  #judgeLiveness(): void {
    for (const run of this.model.state.live) {
      const since = this.model.state.now - run.calmSince
      const under = ['starting', 'pausing', 'fading_out'].includes(run.state)
      const most = run.state === 'starting' ? 48_000 : FADE_MAX
      this.judge.hold('liveness/under-way', !under || since <= most, () =>
        `${run.name} is ${run.state} since ${since} frames`)
    }
  }

  #judgeLeaks(): void {
    const [open] = this.player.media.opened
    this.judge.hold('machine/no-leak', open === undefined, () =>
      `the stream of ${String(open?.request.buttonId)} is still open`)
  }

  /** The bodies of the two catalogues of state. */
  read(): void {
    this.readings.status({ ...this.player.status() })
    this.readings.buttons({ ...this.player.buttons() })
  }

  finish(): void {
    this.read()
    this.judge.hold('6.1/live', this.#unlike === null, () => this.#unlike ?? '')
    const { seed } = this.player.scenario
    if (seed % OUTPUTS_EVERY === OUTPUTS_EVERY - 1) {
      const dice = diceOf(seed ^ 0x2c1b)
      judgeMaster(this.judge, dice)
      judgeChannels(this.judge, dice)
    }
    // What the daemon runs with, where a scenario has its own.
    const { retentionMs, loopHeadBytes } = DEFAULT_ENGINE
    this.judge.hold('3.2/retention', retentionMs >= 600_000, () => `${retentionMs} ms`)
    this.judge.hold('3.4.8/gains', loopHeadBytes === 33_554_432, () => `${loopHeadBytes} bytes`)
  }
}
