// Plays one scenario on one engine in one variation: records it, and lets the oracle judge.
import { frame } from '../../src/clock/frame.js'
import type { Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { Fact } from '../../src/engine/ports.js'
import { positionAt } from '../../src/engine/dmx/dmx-run.js'
import { OUTPUT_LOST, SHOW_REFUSED } from '../world/engine-observer.js'
import { PlayerUnderTest } from '../world/player-under-test.js'
import { Digest } from '../world/digest.js'
import { answerOf, eventText, buttonTitle, messageOf, replyText } from './records.js'
import { ORDINARY, type Variation } from './variation.js'
import { Violation, type Judge } from '../oracle/judge.js'
import { Oracle } from '../oracle/oracle.js'
import { diceOf, type Dice } from '../scenario/random.js'
import type { Op, Scenario } from '../scenario/scenario.js'
import { catalogueOf, edited, pathOf } from '../scenario/show.js'
import { isCommand, KnownRuns } from './known-runs.js'
import type { Ticket } from '../oracle/model/commands/command-queue.js'
import { modelShow } from '../oracle/model/state.js'

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
  readonly #known: KnownRuns
  readonly #whole: boolean
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
    this.#known = new KnownRuns(scenario.lists, naming, (button) => {
      const view = this.#player.readModel.dmxOf(button)
      return view === null ? 0 : positionAt(view, this.#player.engine.now)
    })
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
    if (isCommand(op)) return this.#command(this.#known.commandOf(op))
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

  // Records

  /** What was put together is one text once it is read: a year of parts would fill memory. */
  #record(text: string): void {
    this.#digest.add(text)
    this.#records.push(text)
  }

  #hear(event: EngineEvent): void {
    this.#known.hear(event)
    this.#record(eventText(event, this.variation.origin))
  }

  #read(): void {
    this.#player.status()
    this.#player.buttons()
    for (const id of this.#known.latest(3)) this.#player.execution(id)
  }

  #statusText(): string {
    const { active, paused, state } = this.#player.status()
    const items = [...active, ...paused].map((item) =>
      `${buttonTitle(item.id)} ${String(item.state)} ${String(item.positionMs)}`)
    return `${state} ${items.join(', ')}`
  }
}
