// Plays one scenario on one engine in one guise: records what was told and heard, and lets the
// oracle judge.
import { frame } from '../../src/clock/frame.js'
import { type Catalogue } from '../../src/engine/catalogue.js'
import type { Command, Reply } from '../../src/engine/commands/commands.js'
import { ERRORS } from '../../src/contract/errors.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { positionAt } from '../../src/engine/dmx/dmx-run.js'
import { Booth } from '../world/booth.js'
import { Digest } from '../world/digest.js'
import { ORDINARY, type Guise } from './guise.js'
import { Violation, type Judge } from '../oracle/judge.js'
import { Oracle } from '../oracle/oracle.js'
import { diceOf, type Dice } from '../scenario/random.js'
import type { Op, RunRef, Scenario } from '../scenario/scenario.js'
import { buttonId, catalogueOf, edited, pathOf, UNKNOWN_ID } from '../scenario/show.js'
import type { Ask } from '../oracle/model/commands.js'
import type { Ticket } from '../oracle/model/command-queue.js'
import { modelShow } from '../oracle/model/model.js'
import { optionsOf } from '../oracle/model/shapes.js'

export interface Outcome {
  readonly hash: string
  readonly records: readonly string[]
  readonly frames: number
  readonly violation: Violation | null
}

type CommandOp = Extract<
  Op, { op: 'play' | 'restart' | 'pause' | 'resume' | 'stop' | 'panic' | 'sync' }
>

/** Frames that are rendered and listened to on both sides of an operation. */
const EAR = 2
/** Now and then more is rendered at once than a mixer does in one piece; its ends are heard. */
const LONG_EAR = 2_100
const LONG_EVERY = 8
/** Longer scenarios are not rendered whole: it would take seconds. */
const RENDERED_MAX = 48_000 * 20

export const playScenario = (scenario: Scenario, guise: Guise, judge: Judge | null): Outcome =>
  new Performance(scenario, guise, judge).play()

export const playPlainly = (scenario: Scenario, judge: Judge | null): Outcome =>
  playScenario(scenario, ORDINARY, judge)

class Performance {
  readonly #booth: Booth
  readonly #oracle: Oracle | null
  readonly #digest = new Digest()
  readonly #records: string[] = []
  readonly #dice: Dice
  /** Every run of a button, and of its lights, in order of birth. */
  readonly #runs = new Map<string, string[]>()
  readonly #lights = new Map<string, string[]>()
  readonly #lastRuns: string[] = []
  readonly #sequences = new Map<string, number>()
  readonly #buttons: number
  readonly #whole: boolean
  #lists: Scenario['lists']
  #tickets = 0
  #steps = 0

  constructor(
    private readonly scenario: Scenario,
    private readonly guise: Guise,
    private readonly judge: Judge | null,
  ) {
    const { naming, origin } = guise
    this.#booth = new Booth(scenario, naming, origin, (event) => this.#hear(event))
    this.#oracle =
      judge === null ? null : new Oracle(scenario, naming, origin, this.#booth, judge)
    this.#dice = diceOf(scenario.seed ^ 0x5bd1)
    this.#lists = scenario.lists
    this.#buttons = scenario.lists.reduce((sum, list) => sum + list.buttons.length, 0)
    const length = scenario.ops.reduce((sum, op) => sum + op.gap, 0)
    this.#whole = guise.rendered && length <= RENDERED_MAX
  }

  play(): Outcome {
    let violation: Violation | null = null
    try {
      for (const op of this.scenario.ops) {
        this.#step(op)
      }
      this.#record(this.#statusText())
      this.#oracle?.finish()
      this.judge?.hold('machine/never-throws', true, () => '')
    } catch (error) {
      const at = this.#booth.now - this.guise.origin
      violation = error instanceof Violation
        ? error
        : new Violation('machine/never-throws', at, messageOf(error))
    }
    const frames = this.#booth.now - this.guise.origin
    return { hash: this.#digest.hex, records: this.#records, frames, violation }
  }

  #step(op: Op): void {
    this.#pass(op.gap)
    this.#act(op)
    if (op.again === true) this.#act(op)
    this.#oracle?.afterOp()
    if (this.guise.reads) this.#read()
  }

  // Time

  #pass(gap: number): void {
    const end = this.#booth.now + gap
    this.#steps += 1
    this.#listen(Math.min(this.#steps % LONG_EVERY === 0 ? LONG_EAR : EAR, gap))
    const quietly = Math.max(this.#booth.now, end - EAR)
    if (this.#whole) this.#booth.renderTo(quietly)
    else this.#skip(quietly)
    this.#oracle?.catchUp()
    this.#listen(end - this.#booth.now)
  }

  #skip(to: number): void {
    const { now } = this.#booth
    if (this.guise.cut) {
      for (let n = 0; n < 5 && this.#booth.now < to; n += 1) {
        this.#booth.advance(this.#dice.whole(this.#booth.now, to))
      }
    }
    if (to > now) this.#booth.advance(to)
  }

  #listen(frames: number): void {
    if (frames === 0) return
    const { block } = this.#booth
    this.#booth.render(frames)
    const heard: number[] = []
    for (let i = 0; i < frames; i += 1) if (i < EAR || i >= frames - EAR) heard.push(i)
    for (const i of heard) {
      const [left, right] = [block.left[i]!, block.right[i]!]
      if (left !== 0 || right !== 0) this.#record(`${left} ${right}`)
    }
    this.#oracle?.listened(frames, heard)
  }

  // Operations

  #act(op: Op): void {
    switch (op.op) {
      case 'wait':
        return
      case 'read':
        this.#read()
        this.#oracle?.read()
        return
      case 'output':
        this.#post(op.up ? { kind: 'output_back' } : { kind: 'output_lost', message: 'unplugged' })
        return
      case 'file':
        this.#oracle?.model.tamper(op.file)
        this.#booth.media.files[op.file] = { ...this.#booth.media.files[op.file]!, ...op.set }
        return
      case 'probe':
        this.#post({ kind: 'probed', path: pathOf(op.file), duration: frame(op.frames) })
        return
      case 'swap':
        this.#swap(op)
        return
      case 'kept':
        this.#post({ kind: 'catalogue_busy' })
        this.#booth.post({ kind: 'catalogue_kept' }, this.#booth.now + op.busyFor)
        this.#settle()
        return
      case 'shutdown':
        this.#post({ kind: 'shutdown' })
        return
      case 'play':
      case 'restart':
      case 'pause':
      case 'resume':
      case 'stop':
      case 'panic':
      case 'sync':
        this.#command(this.#askOf(op))
    }
  }

  #post(fact: Parameters<Booth['post']>[0]): void {
    this.#booth.post(fact)
    this.#settle()
  }

  #settle(): void {
    this.#booth.settle()
    this.#oracle?.catchUp()
  }

  #swap(op: Extract<Op, { op: 'swap' }>): void {
    this.#lists = edited(this.#lists, op.edits)
    const catalogue: Catalogue = catalogueOf(this.#lists, this.guise.naming)
    this.#oracle?.model.willShow(catalogue, modelShow(this.#lists, this.guise.naming))
    this.#booth.post({ kind: 'catalogue_busy' })
    this.#booth.post({ kind: 'catalogue', catalogue }, this.#booth.now + op.busyFor)
    this.#settle()
  }

  #command(ask: Ask): void {
    this.#tickets += 1
    const n = this.#tickets
    const ticket: Ticket = {
      ask, at: this.#booth.now, got: null, check: null, found: null,
    }
    this.#booth.submit(commandOf(ask), (reply) => {
      const status = reply.ok ? reply.status : ERRORS[reply.refusal.code]
      const body = reply.ok ? { ...reply.body } : { error: reply.refusal.code }
      ticket.got = { status, body }
      this.#record(`${n} ${this.#replyText(reply)}`)
    })
    this.#oracle?.submit(ticket)
  }

  #askOf(op: CommandOp): Ask {
    switch (op.op) {
      case 'play':
      case 'restart':
        return { kind: op.op, button: this.#button(op.button), options: op.options }
      case 'pause':
      case 'resume': {
        const button = this.#button(op.button)
        return { kind: op.op, button, id: this.#runOf(button, op.run), fadeMs: op.fadeMs }
      }
      case 'stop': {
        const button = this.#button(op.button)
        const id = op.run === null ? null : this.#runOf(button, op.run)
        return { kind: 'stop', button, id, fadeMs: op.fadeMs }
      }
      case 'panic':
        return { kind: 'panic', fadeMs: op.fadeMs }
      case 'sync':
        return this.#syncOf(op)
    }
  }

  #syncOf(op: Extract<Op, { op: 'sync' }>): Ask {
    const button = this.#button(op.button)
    const id = this.#lightsOf(button, op.run)
    const view = this.#booth.readModel.dmxOf(button)
    const here = view === null ? 0 : positionAt(view, this.#booth.engine.now) / 48
    const positionMs = 'ms' in op.at ? op.at.ms : Math.max(0, here - op.at.driftMs)
    const sequence = Math.max(0, (this.#sequences.get(id) ?? 0) + op.step)
    if (op.step > 0) this.#sequences.set(id, sequence)
    const { isPlaying, forceSeek } = op
    return { kind: 'sync', button, id, sequence, positionMs, isPlaying, forceSeek }
  }

  #button(n: number): string {
    return buttonId(n % this.#buttons, this.guise.naming)
  }

  #runOf(button: string, ref: RunRef): string {
    const own = this.#runs.get(button) ?? []
    switch (ref) {
      case 'live':
        return this.#booth.readModel.liveOf(button)?.executionId ?? own.at(-1) ?? UNKNOWN_ID
      case 'last':
        return own.at(-1) ?? UNKNOWN_ID
      case 'older':
        return own.at(-2) ?? own.at(-1) ?? UNKNOWN_ID
      case 'other':
        return this.#lastRuns.findLast((id) => !own.includes(id)) ?? UNKNOWN_ID
      case 'lights':
        return this.#lights.get(button)?.at(-1) ?? UNKNOWN_ID
      case 'unknown':
        return UNKNOWN_ID
    }
  }

  #lightsOf(button: string, ref: RunRef): string {
    const own = this.#lights.get(button) ?? []
    if (ref === 'live' || ref === 'last') return own.at(-1) ?? UNKNOWN_ID
    if (ref === 'older') return own.at(-2) ?? own.at(-1) ?? UNKNOWN_ID
    if (ref === 'lights') return this.#runs.get(button)?.at(-1) ?? UNKNOWN_ID
    if (ref === 'unknown') return UNKNOWN_ID
    const others = [...this.#lights].filter(([other]) => other !== button)
    return others.at(-1)?.[1].at(-1) ?? UNKNOWN_ID
  }

  // Records

  #hear(event: EngineEvent): void {
    if (event.kind === 'run' && event.state === 'starting') {
      push(this.#runs, event.buttonId, event.executionId)
      this.#lastRuns.push(event.executionId)
    }
    if (event.kind === 'dmx') {
      const { buttonId: button, dmxExecutionId } = event
      const last = this.#lights.get(button)?.at(-1)
      if (last !== dmxExecutionId) push(this.#lights, button, dmxExecutionId)
    }
    this.#record(this.#eventText(event))
  }

  #record(text: string): void {
    this.#records.push(text)
    this.#digest.add(text)
  }

  #title(id: string | null): string {
    if (id === null) return '-'
    return `b${Number.parseInt(id.slice(-12), 16)}`
  }

  #eventText(event: EngineEvent): string {
    const at = event.at - this.guise.origin
    const name = (id: string): string => this.#booth.nameOf(id)
    switch (event.kind) {
      case 'run':
        return `${at} run ${this.#title(event.buttonId)} ${name(event.executionId)} ` +
          `${event.state} ${String(event.endReason)} ${event.positionMs}/${event.durationMs} ` +
          `${event.cause} ${event.message ?? ''}`
      case 'dmx':
        return `${at} dmx ${this.#title(event.buttonId)} ${name(event.dmxExecutionId)} ` +
          `${event.change} ${event.positionMs}`
      case 'image':
        return `${at} image ${this.#title(event.buttonId)} ${String(event.shown)}`
      case 'output':
        return `${at} output ${String(event.available)}`
      case 'catalogue':
        return `${at} catalogue ${event.change}`
      case 'notice':
        return `${at} notice ${this.#title(event.buttonId)} ${event.message}`
    }
  }

  #replyText(reply: Reply): string {
    if (!reply.ok) return reply.refusal.code
    const body = reply.body as unknown as Record<string, unknown>
    return `${reply.status} ` + Object.entries(body).map(([key, value]) => {
      if (key === 'id' || key === 'buttonId') return this.#title(value as string)
      return key.endsWith('xecutionId') ? this.#booth.nameOf(value as string | null) : String(value)
    }).join(' ')
  }

  #read(): void {
    this.#booth.status()
    this.#booth.buttons()
    for (const id of this.#lastRuns.slice(-3)) this.#booth.execution(id)
  }

  #statusText(): string {
    const { active, paused, state } = this.#booth.status()
    const items = [...active, ...paused].map((item) =>
      `${this.#title(item.id)} ${String(item.state)} ${String(item.positionMs)}`)
    return `${state} ${items.join(', ')}`
  }
}

const push = (map: Map<string, string[]>, key: string, item: string): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [item])
  else list.push(item)
}

const commandOf = (ask: Ask): Command => {
  switch (ask.kind) {
    case 'play':
    case 'restart':
      return { kind: ask.kind, buttonId: ask.button, options: optionsOf(ask.options) }
    case 'pause':
      return { kind: 'pause', buttonId: ask.button, executionId: ask.id, fadeOutMs: ask.fadeMs }
    case 'resume':
      return { kind: 'resume', buttonId: ask.button, executionId: ask.id, fadeInMs: ask.fadeMs }
    case 'stop':
      return { kind: 'stop', buttonId: ask.button, executionId: ask.id, fadeOutMs: ask.fadeMs }
    case 'panic':
      return { kind: 'panic', fadeOutMs: ask.fadeMs }
    case 'sync': {
      const { kind, button, id, sequence, positionMs, isPlaying, forceSeek } = ask
      return { kind, buttonId: button, executionId: id, sequence, positionMs, isPlaying, forceSeek }
    }
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const place = error.stack?.split('\n').find((line) => line.includes(' at ')) ?? ''
  return `${error.message} ${place.trim()}`
}
