// The engine: one synchronous machine over integer time. Facts and commands come in by one door,
// time is moved from outside, and events, replies and changes come out when a step is done.
import { add, frame, later, msToFrames, type Frame } from '../clock/frame.js'
import { refuse, type Refusal } from '../contract/errors.js'
import { LIMITS } from '../contract/limits.js'
import { Agenda, BEFORE_COMMANDS, LANE, type Due, type Lane } from './agenda.js'
import type { Catalogue } from './catalogue.js'
import { Changes } from './changes.js'
import type { Command, Reply } from './commands/commands.js'
import { DmxRuns } from './dmx/dmx-runs.js'
import type { EngineEvent } from './events.js'
import { CommandQueue, type CommandQueueHost } from './commands/command-queue.js'
import { carryOut } from './commands/command-handlers.js'
import type { CommandParts } from './commands/command-parts.js'
import { panic, SWEPT_BY_PANIC } from './commands/panic.js'
import { Images } from './images.js'
import type { Change } from './read-model.js'
import { PlaylistOrder } from './playlists/playlist-order.js'
import type { Meter } from './sound/meter.js'
import { Mixer } from './sound/mixer.js'
import type { Fact, IdSource, MediaPort, StereoBlock } from './ports.js'
import type { Prng } from './prng.js'
import { OutputLoss } from './output-loss.js'
import { RETENTION_MS } from './retention.js'
import { tellLengthOf } from './run-events.js'
import { Executions } from './runs/executions.js'
import { isRead } from './runs/run.js'
import { RunLifecycle } from './runs/run-lifecycle.js'
import { CUSHION } from './runs/starvation.js'
import { Context } from './context.js'

export interface EngineOptions {
  readonly media: MediaPort
  readonly ids: IdSource
  readonly prng: Prng
  readonly catalogue: Catalogue
  readonly dmxAllowed: boolean
  /** Where time begins; a simulation shifts it to show that nothing depends on it. */
  readonly origin: Frame
  /** At least ten minutes (3.2). */
  readonly retentionMs: number
  /** The bound of a loop's decoded head (3.4.8). */
  readonly loopHeadBytes: number
  /** How much must be decoded before something sounds; a parameter for media that come in drops. */
  readonly cushion: Frame
  readonly onEvent: (event: EngineEvent) => void
}

export const DEFAULT_ENGINE = {
  origin: frame(0),
  retentionMs: RETENTION_MS,
  loopHeadBytes: LIMITS.loopHeadBytes,
  cushion: CUSHION,
} as const

const SHUTTING_DOWN = refuse('shutting_down', 'the service is shutting down')

/** More work than this at one frame is a loop that never ends: a bug, better loud than silent. */
const STEPS_PER_FRAME = 1_000_000

export class Engine {
  readonly #agenda = new Agenda()
  readonly #context: Context
  readonly #parts: RunLifecycle & CommandParts
  readonly #queue: CommandQueue
  readonly #mixer = new Mixer()
  readonly #outbox: (() => void)[] = []
  readonly #changes: Changes
  #dmxDue: Due | null = null
  #dmxRevision = -1
  #forgetDue: Due | null = null
  #busy = false
  #shuttingDown = false
  #flushing = false

  constructor(private readonly options: EngineOptions) {
    const retention = msToFrames(options.retentionMs)
    const emit = (event: EngineEvent): void => {
      this.#outbox.push(() => options.onEvent(event))
    }
    const runs = new Executions(retention)
    const { media, ids, cushion } = options
    this.#context = new Context(media, ids, runs, emit, () => { this.#planForget() }, cushion)
    this.#context.now = options.origin
    this.#context.catalogue = options.catalogue
    this.#context.dmxAllowed = options.dmxAllowed
    const playOrder = new PlaylistOrder(options.prng.fork('lists'))
    const dmx = new DmxRuns(emit, retention)
    this.#changes = new Changes(this.#context, dmx)
    const runParts = new RunLifecycle(this.#context, this.#agenda, playOrder, dmx, options)
    const images = new Images((button, gone) => {
      const shown = gone === null
      if (!shown) dmx.endWithMedia(this.now, button.id, gone)
      emit({ kind: 'image', at: this.now, buttonId: button.id, shown })
      const buttonId = shown ? button.id : null
      this.#changes.note({ kind: 'image', buttonId, title: button.title, at: this.now })
    })
    const output = new OutputLoss(runParts, (event) => {
      this.#changes.note({ kind: 'output', available: event.available })
      emit(event)
    })
    this.#parts = Object.assign(runParts, { images, output })
    this.#queue = new CommandQueue(this.#queueHost(), this.#agenda)
  }

  get now(): Frame {
    return this.#context.now
  }

  get catalogue(): Catalogue {
    return this.#context.catalogue
  }

  // The door in

  /** What the world has to say, at this frame or, where it is known ahead, at a later one. */
  post(fact: Fact, at: Frame = this.now): void {
    this.#agenda.add(later(at, this.now), LANE.fact, () => {
      this.#apply(fact)
    })
  }

  /** A command at the present frame; its answer comes at once or when its file was looked at. */
  submit(command: Command, answer: (reply: Reply) => void): void {
    this.#settle(BEFORE_COMMANDS)
    const reply = (value: Reply): void => {
      this.#outbox.push(() => answer(value))
    }
    if (command.kind === 'panic') reply(this.#panic(command.fadeOutMs))
    else this.#queue.submit(command, reply)
    this.#settle(BEFORE_COMMANDS)
    this.#flush()
  }

  // Time

  /** Moves time without sound, to the same states as `render`. */
  advance(to: Frame): void {
    this.#walk(to, null, 0)
  }

  /** Moves time by `count` frames and fills them from `offset` on. */
  render(into: StereoBlock, offset: number, count: number): void {
    this.#walk(add(this.now, count), into, offset)
  }

  /**
   * Fills frames from `from` (now or later) on as they sound if nothing comes; changes nothing.
   * @returns how many: not beyond where something is due, which changes what follows.
   */
  foresee(into: StereoBlock, from: Frame, count: number): number {
    const isPlanned = this.#parts.dmx.revision === this.#dmxRevision
    const next = isPlanned ? this.#agenda.next()?.at ?? Infinity : from
    const known = Math.max(0, Math.min(count, next - from))
    this.#mixer.foresee(this.#context.runs.live(), from, into, known)
    return known
  }

  /** Does what is due at the present frame, e.g. facts that were just posted. */
  settle(): void {
    this.#settle(BEFORE_COMMANDS)
    this.#flush()
  }

  /** The next frame at which something happens by itself; null if nothing ever will. */
  nextDue(): Frame | null {
    this.#planDmx()
    return this.#agenda.next()?.at ?? null
  }

  /** Nothing sounds, or what does waits for its decoder: only a command or a fact changes that. */
  quiet(): boolean {
    for (const run of this.#context.runs.live()) if (isRead(run)) return false
    return true
  }

  /** Measures what each run adds to the sound, until it is set to null. */
  set meter(meter: Meter | null) {
    this.#mixer.meter = meter
  }

  /** What changed for readers since the last call. */
  takeChanges(): readonly Change[] {
    return this.#changes.take()
  }

  #walk(to: Frame, into: StereoBlock | null, offset: number): void {
    if (to < this.now) throw new Error('bug: time does not go back')
    let at = offset
    while (this.now < to) {
      this.#settle(LANE.housekeeping)
      const next = this.#agenda.next()?.at ?? to
      const until = next < to ? next : to
      const count = until - this.now
      if (into !== null) this.#mixer.mix(this.#context.runs.live(), this.now, into, at, count)
      at += count
      this.#context.now = until
    }
    this.#settle(BEFORE_COMMANDS)
    this.#flush()
  }

  #settle(last: Lane): void {
    for (let steps = 0; steps < STEPS_PER_FRAME; steps += 1) {
      this.#planDmx()
      const due = this.#agenda.next()
      if (due === null || due.at > this.now || due.lane > last) return
      this.#agenda.take()
      due.act()
    }
    throw new Error(`bug: frame ${String(this.now)} never settles`)
  }

  /** Timelines complete among the boundaries of media. */
  #planDmx(): void {
    const { dmx } = this.#parts
    if (dmx.revision === this.#dmxRevision) return
    this.#dmxRevision = dmx.revision
    this.#agenda.cancel(this.#dmxDue)
    const at = dmx.nextDue()
    this.#dmxDue = at === null ? null : this.#agenda.add(later(at, this.now), LANE.media, () => {
      dmx.settle(this.now)
      this.#dmxRevision = -1
    })
  }

  #planForget(): void {
    if (this.#forgetDue !== null && this.#forgetDue.place >= 0) return
    const at = this.#context.runs.nextForget
    this.#forgetDue = at === null ? null : this.#agenda.add(at, LANE.housekeeping, () => {
      const executionIds = this.#context.runs.forget(this.now)
      // One that ended and is forgotten in one long step must not be told after it was forgotten.
      this.#changes.noteTouched()
      this.#changes.note({ kind: 'forget', executionIds })
      this.#forgetDue = null
      this.#planForget()
    })
  }

  /** Tells the world only when the step is done; what it does then may step again. */
  #flush(): void {
    if (this.#flushing) return
    this.#flushing = true
    try {
      for (let tell = this.#outbox.shift(); tell !== undefined; tell = this.#outbox.shift()) tell()
    } finally {
      this.#flushing = false
    }
  }

  // Facts

  #apply(fact: Fact): void {
    const context = this.#context
    switch (fact.kind) {
      case 'checked':
        context.checked(fact.ticket, fact.found, fact.trouble ?? null)
        return
      case 'supplied':
      case 'broken':
        context.heard(fact)
        return
      case 'ended': {
        const path = context.pathOf(fact.stream)
        if (path !== null && fact.source !== null) this.#learn(path, fact.source)
        context.heard(fact)
        if (path !== null) tellLengthOf(context, path)
        return
      }
      case 'probed':
        this.#learn(fact.path, fact.duration)
        tellLengthOf(context, fact.path)
        return
      case 'output_lost':
        this.#parts.output.lost(fact.message)
        return
      case 'output_back':
        this.#parts.output.back()
        return
      case 'catalogue_busy':
      case 'catalogue_kept':
      case 'catalogue':
        this.#replaceCatalogue(fact)
        return
      case 'shutdown':
        this.#shutDown()
        return
    }
  }

  #learn(path: string, frames: Frame): void {
    if (this.#context.duration(path) === frames) return
    this.#context.learnDuration(path, frames)
    this.#changes.note({ kind: 'duration', path, frames })
  }

  #replaceCatalogue(fact: Extract<Fact, { kind: `catalogue${string}` }>): void {
    const { kind } = fact
    this.#busy = kind === 'catalogue_busy'
    if (kind === 'catalogue') this.#parts.replaceCatalogue(fact.catalogue)
    this.#serviceChanged()
    const change = kind === 'catalogue_busy' ? 'busy' : kind === 'catalogue' ? 'replaced' : 'kept'
    const message = kind === 'catalogue_kept' ? fact.message : null
    const at = this.now
    this.#outbox.push(() => this.options.onEvent({ kind: 'catalogue', at, change, message }))
  }

  #serviceChanged(): void {
    const state = this.#shuttingDown ? 'shutting_down' : this.#busy ? 'busy' : 'ready'
    this.#changes.note({ kind: 'service', state })
  }

  #shutDown(): void {
    if (this.#shuttingDown) return
    this.#queue.clear(SHUTTING_DOWN)
    panic(this.#parts, 0, 'shutdown')
    this.#shuttingDown = true
    this.#serviceChanged()
  }

  // Commands

  #closed(): Refusal | null {
    if (this.#shuttingDown) return SHUTTING_DOWN
    if (this.#busy) return refuse('app_busy', 'the show is being replaced; try again shortly')
    return null
  }

  #queueHost(): CommandQueueHost {
    return {
      now: () => this.now,
      closed: () => this.#closed(),
      carryOut: (queued, goOn) => carryOut(this.#parts, queued, goOn),
      forgetCheck: (check) => this.#context.forgetCheck(check),
    }
  }

  /**
   * Panic waits behind nothing, and is obeyed even while the show is being replaced; nothing that
   * was waiting sounds after it.
   */
  #panic(fadeOutMs: number | null): Reply {
    if (this.#shuttingDown) return { ok: false, refusal: SHUTTING_DOWN }
    this.#queue.clear(SWEPT_BY_PANIC)
    return panic(this.#parts, fadeOutMs, 'command')
  }
}
