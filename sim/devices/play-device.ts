// Plays a sound path on the virtual clock: the engine's host and its output as in production, the
// sound process by its own code, and a virtual device; judged while it plays.
import { createTimeMemory } from '../../src/clock/shared-time.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { StereoBlock } from '../../src/engine/ports.js'
import { EngineHost } from '../../src/sound/engine-host.js'
import { OutputSwitch, type OutputOwner, type SpeakerWays } from '../../src/sound/output-switch.js'
import type { FromSound, Opening, SoundSetup } from '../../src/sound/sound-messages.js'
import { violationIn } from '../oracle/judge.js'
import { diceOf } from '../scenario/random.js'
import { PLAIN_BUTTON, PLAIN_LIST } from '../scenario/scenario.js'
import { buttonId, catalogueOf, PLAIN_NAMING, UNKNOWN_ID } from '../scenario/show.js'
import { digestOf } from '../world/digest.js'
import { HostMedia } from '../world/host-media.js'
import { DeviceJudge } from './device-judge.js'
import type { DeviceScenario, DeviceOp } from './draw-device.js'
import { VirtualDevice } from './virtual-device.js'
import { VirtualProcess } from './virtual-process.js'
import { VirtualThread } from './virtual-thread.js'

const JUDGED_EVERY_MS = 50

export const playDevice = (scenario: DeviceScenario) => new SoundPath(scenario).play()

/** The output, with a judge who hears what goes into it and what it tells before the host does. */
class JudgedOutput extends OutputSwitch {
  constructor(
    opening: Opening, timers: VirtualThread['timers'], speaker: SpeakerWays,
    private readonly judge: DeviceJudge,
  ) {
    super(opening, timers, speaker)
  }

  override attach(owner: OutputOwner): void {
    const { judge } = this
    super.attach({
      ...owner,
      render: (into, count) => {
        owner.render(into, count)
        judge.rendered(into, count, owner.quiet() && isSilent(into, count))
      },
      back: () => {
        judge.back()
        owner.back()
      },
      lost: (message) => {
        judge.lost(message)
        owner.lost(message)
      },
      notice: (message) => {
        judge.notice(message)
        owner.notice(message)
      },
    })
  }
}

const isSilent = ({ left, right }: StereoBlock, count: number): boolean =>
  [left, right].every((channel) => channel.subarray(0, count).every((sample) => sample === 0))

class SoundPath {
  readonly #world = new VirtualTimers(0)
  readonly #host: EngineHost
  readonly #output: OutputSwitch
  readonly #judge: DeviceJudge
  readonly #device: VirtualDevice | null
  readonly #thread: VirtualThread
  readonly #lateness: () => number
  #process: VirtualProcess | null = null
  /** The last run of each button. */
  readonly #runs = new Map<string, string>()
  #commands = 0

  constructor(private readonly scenario: DeviceScenario) {
    const { device, seed, latenessMs } = scenario
    const dice = diceOf(seed ^ 0x1f3d)
    this.#lateness = () => dice.next() * latenessMs
    this.#thread = new VirtualThread(this.#world, this.#lateness)
    this.#judge = new DeviceJudge(device, () => ({
      now: this.#world.now(), engine: this.#host.engine.now, stats: this.#output.stats(),
      present: this.#device === null || (this.#device.plugged && !this.#device.frozen),
      plugged: this.#device?.plugged === true,
      running: this.#device?.running === true, due: this.#host.engine.nextDue(),
    }))
    this.#device = device === null ? null : new VirtualDevice(this.#world, device, this.#judge)
    const opening: Opening =
      { sink: device === null ? 'null' : 'speaker', device: null, bufferMs: null }
    this.#output = new JudgedOutput(opening, this.#thread.timers, this.#speaker(), this.#judge)
    this.#host = this.#hostOf(opening)
  }

  play() {
    const violation = violationIn(() => {
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

  #speaker(): SpeakerWays {
    return {
      afterReading: (act) => this.#thread.soon(act),
      startProcess: (wanted, listener) => {
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
      },
    }
  }

  #hostOf(opening: Opening): EngineHost {
    const { files, seed } = this.scenario
    const buttons = files.map((_, file) => ({ ...PLAIN_BUTTON, file, allowOverlap: true }))
    const { playlists } = catalogueOf([{ ...PLAIN_LIST, buttons }], PLAIN_NAMING)
    const setup: SoundSetup = {
      ...opening, show: { title: 'a sound path', playlists }, dmxAllowed: false,
      time: createTimeMemory(), seed, record: false,
    }
    return new EngineHost(setup, {
      timers: this.#thread.timers,
      output: this.#output,
      media: (news) => new HostMedia(files, news, {
        now: () => this.#host.engine.now,
        // The decoding process keeps the time of the world, whatever the engine does.
        after: (frames, act) => {
          this.#world.after(frames / 48 + this.#lateness(), () => this.#thread.run(act))
        },
      }),
      tell: (message) => this.#hear(message),
      stopped: () => undefined,
    })
  }

  #hear(message: FromSound): void {
    if (message.kind === 'news') for (const event of message.events) this.#note(event)
  }

  #note(event: EngineEvent): void {
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
    const command: Command = kind === 'play' || kind === 'restart'
      ? { kind, buttonId: id, options: NO_OPTIONS }
      : kind === 'resume' ? { kind, buttonId: id, executionId, fadeInMs: fadeMs }
      : { kind, buttonId: id, executionId, fadeOutMs: fadeMs }
    const { now } = this.#host.engine
    this.#host.heard({ kind: 'command', id: this.#commands += 1, command })
    this.#judge.commanded(now)
  }
}
