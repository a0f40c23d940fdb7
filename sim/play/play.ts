// Plays one scenario on one engine in one variation: records it, and lets the oracle judge.
import { frame } from '../../src/clock/frame.js'
import type { Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { Fact } from '../../src/engine/ports.js'
import { positionAt } from '../../src/engine/dmx/dmx-run.js'
import { OUTPUT_LOST, SHOW_REFUSED } from '../world/engine-observer.js'
import { push } from '../world/lists.js'
import { PlayerUnderTest } from '../world/player-under-test.js'
import { Digest } from '../world/digest.js'
import { answerOf, eventText, buttonTitle, messageOf, replyText } from './records.js'
import { ORDINARY, type Variation } from './variation.js'
import { Violation, type Judge } from '../oracle/judge.js'
import { Oracle } from '../oracle/oracle.js'
import { diceOf, type Dice } from '../scenario/random.js'
import type { Op, RunRef, Scenario } from '../scenario/scenario.js'
import { buttonId, catalogueOf, edited, pathOf, UNKNOWN_ID } from '../scenario/show.js'
import type { Ticket } from '../oracle/model/commands/command-queue.js'
import { modelShow } from '../oracle/model/state.js'
import { optionsOf } from '../oracle/model/shapes.js'

type CommandOp = Extract<
  Op, { op: 'play' | 'restart' | 'pause' | 'resume' | 'stop' | 'panic' | 'sync' }
>

/** Frames that are rendered and listened to on both sides of an operation. */
const LISTENED = 2
/** Now and then more is rendered at once than a mixer does in one piece; its ends are heard. */
const LISTENED_LONG = 2_100
const LONG_EVERY = 8
/** Longer scenarios are not rendered whole: it would take seconds. */
const RENDERED_MAX = 48_000 * 20

export const playScenario = (scenario: Scenario, variation: Variation, judge: Judge | null) =>
  new ScenarioPlay(scenario, variation, judge).play()

export const playPlainly = (scenario: Scenario, judge: Judge | null) =>
  playScenario(scenario, ORDINARY, judge)

class ScenarioPlay {
  readonly #player: PlayerUnderTest
  readonly #oracle: Oracle | null
  readonly #records: string[] = []
  readonly #digest = new Digest()
  readonly #dice: Dice
  /** Every run of a button, and of its lights, in order of birth. */
  readonly #runs = new Map<string, string[]>()
  readonly #lights = new Map<string, string[]>()
  readonly #lastRuns: string[] = []
  readonly #sequences = new Map<string, number>()
  readonly #whole: boolean
  readonly #buttons: number
  #lists: Scenario['lists']
  #tickets = 0
  #steps = 0

  constructor(
    private readonly scenario: Scenario, private readonly variation: Variation,
    private readonly judge: Judge | null,
  ) {
    const { naming, origin } = variation
    this.#player = new PlayerUnderTest(scenario, naming, origin)
    this.#player.subscribe((event) => this.#hear(event))
    this.#oracle = judge === null ? null : new Oracle(this.#player, judge)
    this.#dice = diceOf(scenario.seed ^ 0x5bd1)
    this.#lists = scenario.lists
    this.#buttons = scenario.lists.reduce((sum, { buttons }) => sum + buttons.length, 0)
    const length = scenario.ops.reduce((sum, op) => sum + op.gap, 0)
    this.#whole = variation.rendered && length <= RENDERED_MAX
  }

  play() {
    let violation: Violation | null = null
    try {
      for (const op of this.scenario.ops) this.#step(op)
      this.#record(this.#statusText())
      this.#oracle?.finish()
      this.judge?.hold('machine/never-throws', true, () => '')
    } catch (error) {
      const at = this.#player.now - this.variation.origin
      violation = error instanceof Violation ? error
        : new Violation('machine/never-throws', at, messageOf(error))
    }
    const frames = this.#player.now - this.variation.origin
    return { hash: this.#digest.hash, records: this.#records, frames, violation }
  }

  #step(op: Op): void {
    this.#pass(op.gap)
    this.#act(op)
    if (op.again === true) this.#act(op)
    this.#oracle?.afterOp()
    if (this.variation.reads) this.#read()
  }

  // Time

  #pass(gap: number): void {
    const end = this.#player.now + gap
    this.#steps += 1
    this.#listen(Math.min(this.#steps % LONG_EVERY === 0 ? LISTENED_LONG : LISTENED, gap))
    const quietly = Math.max(this.#player.now, end - LISTENED)
    if (this.#whole) this.#player.renderTo(quietly)
    else this.#skip(quietly)
    this.#oracle?.catchUp()
    this.#listen(end - this.#player.now)
  }

  #skip(to: number): void {
    const { now } = this.#player
    if (this.variation.cut) {
      for (let n = 0; n < 5 && this.#player.now < to; n += 1) {
        this.#player.passTo(this.#dice.whole(this.#player.now, to))
      }
    }
    if (to > now) this.#player.passTo(to)
  }

  #listen(frames: number): void {
    if (frames === 0) return
    const { block } = this.#player
    this.#player.renderBlock(frames)
    const heard: number[] = []
    for (let i = 0; i < frames; i += 1) if (i < LISTENED || i >= frames - LISTENED) heard.push(i)
    for (const i of heard) {
      const [left, right] = [block.left[i]!, block.right[i]!]
      if (left !== 0 || right !== 0) this.#record(`${left} ${right}`)
    }
    this.#oracle?.listened(frames, heard)
  }

  // Operations

  #act(op: Op): void {
    if ('options' in op || 'fadeMs' in op || op.op === 'sync') {
      return this.#command(this.#commandOf(op))
    }
    switch (op.op) {
      case 'wait':
        return
      case 'read':
        this.#read()
        return this.#oracle?.read()
      case 'output':
        return this.#post(
          op.up ? { kind: 'output_back' } : { kind: 'output_lost', message: OUTPUT_LOST })
      case 'file':
        this.#oracle?.model.state.tampered.add(op.file)
        this.#player.media.files[op.file] = { ...this.#player.media.files[op.file]!, ...op.set }
        return
      case 'probe':
        return this.#post({ kind: 'probed', path: pathOf(op.file), duration: frame(op.frames) })
      case 'swap':
        return this.#swap(op)
      case 'kept':
        return this.#busyUntil({ kind: 'catalogue_kept', message: SHOW_REFUSED }, op.busyFor)
      case 'shutdown':
        return this.#post({ kind: 'shutdown' })
    }
  }

  #post(fact: Fact): void {
    this.#player.post(fact)
    this.#oracle?.catchUp()
  }

  /** The show is busy until this fact comes: within the same frame where it takes no time. */
  #busyUntil(fact: Fact, frames: number): void {
    this.#player.schedule({ kind: 'catalogue_busy' }, this.#player.now)
    this.#player.schedule(fact, this.#player.now + frames)
    this.#player.settle()
    this.#oracle?.catchUp()
  }

  #swap(op: Extract<Op, { op: 'swap' }>): void {
    this.#lists = edited(this.#lists, op.edits)
    const catalogue = catalogueOf(this.#lists, this.variation.naming)
    this.#oracle?.model.shows.set(catalogue, modelShow(this.#lists, this.variation.naming))
    this.#busyUntil({ kind: 'catalogue', catalogue }, op.busyFor)
  }

  #command(ask: Command): void {
    this.#tickets += 1
    const n = this.#tickets
    const ticket: Ticket = { ask, at: this.#player.now, got: null, check: null }
    this.#player.submit(ask, (reply) => {
      ticket.got = answerOf(reply)
      this.#record(`${n} ${replyText(reply)}`)
    })
    this.#oracle?.model.submit(ticket)
  }

  #commandOf(op: CommandOp): Command {
    if (op.op === 'panic') return { kind: 'panic', fadeOutMs: op.fadeMs }
    const button = buttonId(op.button % this.#buttons, this.variation.naming)
    if (op.op === 'sync') return this.#syncOf(button, op)
    if ('options' in op) return { kind: op.op, buttonId: button, options: optionsOf(op.options) }
    const own = { buttonId: button, fadeOutMs: op.fadeMs }
    if (op.run === null) return { kind: 'stop', executionId: null, ...own }
    const executionId = this.#runOf(button, op.run)
    return op.op === 'resume'
      ? { kind: 'resume', buttonId: button, executionId, fadeInMs: op.fadeMs }
      : { kind: op.op, executionId, ...own }
  }

  #syncOf(buttonId: string, op: Extract<Op, { op: 'sync' }>): Command {
    const executionId = this.#lightsOf(buttonId, op.run)
    const view = this.#player.readModel.dmxOf(buttonId)
    const here = view === null ? 0 : positionAt(view, this.#player.engine.now) / 48
    const positionMs = 'ms' in op.at ? op.at.ms : Math.max(0, here - op.at.driftMs)
    const sequence = Math.max(0, (this.#sequences.get(executionId) ?? 0) + op.step)
    if (op.step > 0) this.#sequences.set(executionId, sequence)
    const { isPlaying, forceSeek } = op
    return { kind: 'sync', buttonId, executionId, sequence, positionMs, isPlaying, forceSeek }
  }

  #runOf(button: string, ref: RunRef): string {
    const own = this.#runs.get(button) ?? []
    const other = (): string | undefined => this.#lastRuns.findLast((id) => !own.includes(id))
    return named(ref, own, this.#lights.get(button), other)
  }

  #lightsOf(button: string, ref: RunRef): string {
    const other = (): string | undefined =>
      [...this.#lights].findLast(([one]) => one !== button)?.[1].at(-1)
    return named(ref, this.#lights.get(button) ?? [], this.#runs.get(button), other)
  }

  // Records

  /** What was put together is one text once it is read: a year of parts would fill memory. */
  #record(text: string): void {
    this.#digest.add(text)
    this.#records.push(text)
  }

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
    this.#record(eventText(event, this.variation.origin))
  }

  #read(): void {
    this.#player.status()
    this.#player.buttons()
    for (const id of this.#lastRuns.slice(-3)) this.#player.execution(id)
  }

  #statusText(): string {
    const { active, paused, state } = this.#player.status()
    const items = [...active, ...paused].map((item) =>
      `${buttonTitle(item.id)} ${String(item.state)} ${String(item.positionMs)}`)
    return `${state} ${items.join(', ')}`
  }
}

/** An id by what it is to a button: of its own, of its counterpart's, of another button's. */
const named = (
  ref: RunRef, own: readonly string[], counterpart: readonly string[] | undefined,
  other: () => string | undefined,
): string => {
  const ids = {
    live: () => own.at(-1), older: () => own.at(-2) ?? own.at(-1),
    lights: () => counterpart?.at(-1), other, unknown: () => undefined,
  }
  return ids[ref]() ?? UNKNOWN_ID
}
