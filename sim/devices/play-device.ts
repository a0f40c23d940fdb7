// Plays a sound path on the virtual clock: engine, master stage and output as in production, the
// sound process by its own code, and a virtual device; judged while it plays.
import { VirtualTimers } from '../../src/clock/virtual.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { DEFAULT_ENGINE, Engine } from '../../src/engine/engine.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { createPrng } from '../../src/engine/prng.js'
import { Master, MASTER_LOOK_AHEAD } from '../../src/engine/sound/master.js'
import { RenderAhead } from '../../src/engine/sound/render-ahead.js'
import type { Fact, StereoBlock } from '../../src/engine/ports.js'
import { NullOutput } from '../../src/io/output/null-output.js'
import type { Output } from '../../src/io/output/output.js'
import { SPEAKER_OPTIONS, SpeakerOutput } from '../../src/io/speaker/speaker-output.js'
import { violationIn } from '../oracle/judge.js'
import { diceOf } from '../scenario/random.js'
import { PLAIN_BUTTON, PLAIN_LIST } from '../scenario/scenario.js'
import { buttonId, catalogueOf, PLAIN_NAMING, runId, UNKNOWN_ID } from '../scenario/show.js'
import { digestOf } from '../world/digest.js'
import { SimMedia } from '../world/media.js'
import { DeviceJudge } from './device-judge.js'
import type { DeviceScenario, DeviceOp } from './draw-device.js'
import { VirtualDevice } from './virtual-device.js'
import { VirtualProcess } from './virtual-process.js'
import { VirtualThread } from './virtual-thread.js'

const JUDGED_EVERY_MS = 50

export const playDevice = (scenario: DeviceScenario) => new SoundPath(scenario).play()

class SoundPath {
  readonly #world = new VirtualTimers(0)
  readonly #engine: Engine
  readonly #master = new Master()
  readonly #ahead: RenderAhead
  readonly #media: SimMedia
  readonly #output: Output
  readonly #judge: DeviceJudge
  readonly #device: VirtualDevice | null
  readonly #thread: VirtualThread
  readonly #lateness: () => number
  #process: VirtualProcess | null = null
  /** The last run of each button. */
  readonly #runs = new Map<string, string>()
  #ids = 0
  #stepping = false

  constructor(private readonly scenario: DeviceScenario) {
    const dice = diceOf(scenario.seed ^ 0x1f3d)
    this.#lateness = () => dice.next() * scenario.latenessMs
    this.#thread = new VirtualThread(this.#world, this.#lateness)
    this.#media = new SimMedia(scenario.files)
    this.#media.attach(() => this.#engine.now, (fact, at) => {
      // The decoding process keeps the time of the world, whatever the engine does.
      const waitMs = (at - this.#engine.now) / 48 + this.#lateness()
      this.#world.after(waitMs, () => this.#thread.run(() => this.#post(fact)))
    })
    const buttons = scenario.files.map((_, file) => ({ ...PLAIN_BUTTON, file, allowOverlap: true }))
    this.#engine = new Engine({
      ...DEFAULT_ENGINE, media: this.#media, dmxAllowed: false, prng: createPrng(scenario.seed),
      catalogue: catalogueOf([{ ...PLAIN_LIST, buttons }], PLAIN_NAMING),
      ids: { next: () => runId(this.#ids += 1, PLAIN_NAMING) },
      onEvent: (event) => this.#hear(event),
    })
    this.#ahead = new RenderAhead(this.#engine, this.#master)
    const { device } = scenario
    this.#judge = new DeviceJudge(device, () => ({
      now: this.#world.now(), engine: this.#engine.now, stats: this.#output.stats(),
      present: this.#device === null || (this.#device.plugged && !this.#device.frozen),
      plugged: this.#device?.plugged === true,
      running: this.#device?.running === true, due: this.#engine.nextDue(),
    }))
    this.#device = device === null ? null : new VirtualDevice(this.#world, device, this.#judge)
    this.#output = this.#made()
  }

  play() {
    const violation = violationIn(() => {
      this.#output.start(this.#callbacks())
      for (const op of this.scenario.ops) this.#world.after(op.atMs, () => this.#meet(op))
      for (let ms = 0; ms < this.scenario.lengthMs; ms += JUDGED_EVERY_MS) {
        this.#world.pass(JUDGED_EVERY_MS)
        this.#device?.advance()
        this.#judge.judge()
      }
    })
    const { records, gaps } = this.#judge
    return { hash: digestOf(records), records, violation, gaps: gaps.length }
  }

  // As the sound thread does it

  #made(): Output {
    const renderer = {
      render: (into: StereoBlock, count: number) => this.#render(into, count),
      quiet: () => this.#engine.quiet(),
      foresee: (into: StereoBlock, count: number, isAnew: boolean) =>
        this.#ahead.foresee(into, count, isAnew),
      lookAhead: MASTER_LOOK_AHEAD,
    }
    const { timers } = this.#thread
    if (this.#device === null) return new NullOutput(renderer, timers)
    const afterReading = (act: () => void): void => this.#thread.soon(act)
    return new SpeakerOutput(renderer, { ...SPEAKER_OPTIONS, afterReading }, timers, (
      wanted, listener,
    ) => {
      this.#process = new VirtualProcess({
        world: this.#world, device: this.#device!, owner: this.#thread,
        own: new VirtualThread(this.#world, this.#lateness),
        pipeMs: () => 0.02 + this.#lateness() / 2, startMs: this.scenario.startMs,
      }, wanted, {
        ...listener,
        heard: (text) => {
          listener.heard(text)
          this.#judge.reported()
        },
      })
      return this.#process
    })
  }

  #callbacks() {
    const lost = (message: string): void => {
      this.#judge.lost(message)
      this.#post({ kind: 'output_lost', message })
    }
    return {
      back: () => {
        this.#judge.back()
        this.#post({ kind: 'output_back' })
      },
      lost,
      absent: (message: string) => {
        if (this.#judge.outcome !== 'lost') lost(message)
      },
      notice: (message: string) => this.#judge.notice(message),
    }
  }

  #render(into: StereoBlock, count: number): void {
    this.#step(() => this.#engine.render(into, 0, count))
    this.#master.process(into, 0, count)
    const silent = into.left.subarray(0, count).every((x) => x === 0) &&
      into.right.subarray(0, count).every((x) => x === 0)
    this.#judge.rendered(into, count, silent && this.#engine.quiet())
  }

  #post(fact: Fact): void {
    if (this.#stepping) this.#engine.post(fact)
    else this.#output.meet(() => {
      this.#engine.post(fact)
      this.#output.wake()
    })
  }

  #step(act: () => void): void {
    this.#stepping = true
    act()
    this.#stepping = false
  }

  #hear(event: EngineEvent): void {
    if (event.kind !== 'run') return
    const { at, buttonId: button, state, executionId } = event
    this.#runs.set(button, executionId)
    this.#judge.records.push(`${at} run of ${button.slice(-1)} ${state}`)
  }

  // What happens to it

  #meet(op: DeviceOp): void {
    this.#device?.advance()
    if ('fadeMs' in op) return this.#thread.run(() => this.#command(op))
    switch (op.kind) {
      case 'stall':
        this.#judge.stalls(op.who, op.ms)
        return (op.who === 'engine' ? this.#thread : this.#process?.setting.own)?.stall(op.ms)
      case 'freeze':
        this.#judge.freezes(op.ms)
        return this.#device?.freeze(op.ms)
      case 'unplug':
        this.#judge.disturbed(0)
        return this.#device?.unplug()
      case 'plug':
        this.#judge.disturbed(0)
        if (this.#device !== null) this.#device.plugged = true
        return
      case 'crash':
        return this.#process?.kill()
    }
  }

  #command({ kind, button, fadeMs }: Extract<DeviceOp, { fadeMs: number | null }>): void {
    const id = buttonId(button, PLAIN_NAMING)
    const executionId = this.#runs.get(id) ?? UNKNOWN_ID
    const ask: Command = kind === 'play' || kind === 'restart'
      ? { kind, buttonId: id, options: NO_OPTIONS }
      : kind === 'resume' ? { kind, buttonId: id, executionId, fadeInMs: fadeMs }
      : { kind, buttonId: id, executionId, fadeOutMs: fadeMs }
    this.#output.meet(() => {
      this.#step(() => this.#engine.submit(ask, () => undefined))
      this.#output.wake()
    })
  }
}
