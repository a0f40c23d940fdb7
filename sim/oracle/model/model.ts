// The reference model: slow and plain, it follows the same facts and says what must be true.
import type { Catalogue } from '../../../src/engine/catalogue.js'
import type { Judge } from '../judge.js'
import {
  OUTPUT_LOST, SHOW_REFUSED, type Arrival, type ServiceEvent,
} from '../../world/engine-observer.js'
import type { PlayerUnderTest } from '../../world/player-under-test.js'
import { refused } from './commands/answer.js'
import { ModelCommandQueue, type Ticket } from './commands/command-queue.js'
import { ModelCommands } from './commands/commands.js'
import { ModelLights } from './lights.js'
import { ModelLists } from './lists/lists.js'
import { dueOf, fallsBehind, isReady } from './runs/bounds.js'
import { fadeTo } from './runs/gain.js'
import { ModelRuns } from './runs/runs.js'
import { optionsOf, type ModelRun, type ModelShow, type ModelStream } from './shapes.js'
import { ModelState } from './state.js'
import { ModelStreams, type StreamFact } from './streams.js'

/** At one frame: a loop may come round at each. */
const STEPS_MAX = 200_000

type Act = () => void

/**
 * What is due first; of one frame by its lane: facts, media, ends of fades, fades at End, commands.
 */
class Step {
  at = Infinity
  lane = Infinity
  /** Null: nothing is done but to be there. */
  #act: Act | ((of: unknown) => void) | null = null
  #of: unknown

  constructor(private readonly now: number) {}

  /** It is the step if it is due before all that was considered; what is overdue is due now. */
  consider(at: number, lane: number, act: Act | null): void
  consider<T>(at: number, lane: number, act: (of: T) => void, of: T): void
  consider(at: number, lane: number, act: Act | ((of: unknown) => void) | null, of?: unknown) {
    const due = Math.max(at, this.now)
    if (due === Infinity || due > this.at || (due === this.at && lane >= this.lane)) return
    this.at = due
    this.lane = lane
    this.#act = act
    this.#of = of
  }

  act(): void {
    this.#act?.(this.#of)
  }
}

export class Model {
  readonly state: ModelState
  readonly streams: ModelStreams
  readonly lights: ModelLights
  readonly lists: ModelLists
  readonly runs: ModelRuns
  readonly commands: ModelCommands
  readonly queue: ModelCommandQueue
  /** What a `catalogue` fact will bring. */
  readonly shows = new Map<Catalogue, ModelShow>()

  constructor(private readonly player: PlayerUnderTest, readonly judge: Judge) {
    this.state = new ModelState(player, judge)
    this.streams = new ModelStreams(this.state)
    this.lights = new ModelLights(this.state)
    this.lists = new ModelLists(this.state, this.streams)
    this.runs = new ModelRuns(this.state, this.streams, this.lists, this.lights)
    this.commands = new ModelCommands(this.state, this.runs, this.lists, this.lights)
    this.queue = new ModelCommandQueue(this.state, this.commands)
  }

  // What comes in

  submit(ticket: Ticket): void {
    const last = this.state.ended.at(-1)
    this.judge.sometimes('an end at the frame of a command',
      last?.endedAt === this.state.now && last.reason === 'natural_end')
    this.queue.submit(ticket)
    this.catchUp(this.state.now)
  }

  /** Moves the model to a frame where the engine is already. */
  catchUp(to: number, judged = true): void {
    // A frame that was heard is over: whatever was due at it is done, commands' deadlines too.
    const last = judged ? 4 : 5
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      if (this.#meetSuccessor()) continue
      const step = this.#next()
      if (step !== null && (step.at < to || (step.at === to && step.lane < last))) {
        if (step.at > this.state.now) {
          this.#moveTo(step.at)
          steps = 0
        } else step.act()
        continue
      }
      this.#moveTo(to)
      if (judged) this.#nothingElse()
      return
    }
    throw new Error('the model never settles')
  }

  #moveTo(at: number): void {
    if (at > this.state.now) this.lists.leave()
    this.state.now = at
    this.judge.now = at - this.player.origin
  }

  /** By plain search through everything that could be next; a year asks millions of times. */
  #next(): Step | null {
    const { now, scenario, observer, live } = this.state
    const step = new Step(now)
    const arrival = this.#nextArrival()
    if (arrival !== null) {
      step.consider(arrival.at, this.#caused(arrival) ? 0 : 5, this.#arrive, arrival)
    }
    const birth = observer.births[0]?.event
    if (birth !== undefined && birth.at > now) step.consider(birth.at, 1, null)
    for (const run of live) {
      const due = Math.min(dueOf(run, now, scenario.loopHeadBytes), this.lists.fallDue(run))
      const lane = fallsBehind(run, due, now) ? 3 : 1
      step.consider(run.newsHeard ? now : due, lane, this.#settle, run)
      const fades = run.state === 'pausing' || run.state === 'fading_out'
      if (fades) step.consider(run.fade.begin + run.fade.frames, 2, this.#fadeDone, run)
    }
    step.consider(this.lists.nextDue(), 1, null)
    step.consider(this.lights.nextDue(), 1, this.#settleLights)
    step.consider(this.queue.nextDeadline(), 4, this.#expire)
    return step.at === Infinity ? null : step
  }

  // Made once: where one is made for each thing that could be next, each of them pays for it.

  readonly #arrive = (arrival: Arrival): void => this.#learn(arrival)
  readonly #settle = (run: ModelRun): void => this.runs.boundaries.settle(run)
  readonly #fadeDone = (run: ModelRun): void => this.runs.fadeDone(run)
  readonly #settleLights = (): void => this.lights.settle()
  readonly #expire = (): void => this.queue.expire()

  // Facts

  /** The first of the earliest frame whose cause the model has seen; else the first of them. */
  #nextArrival(): Arrival | null {
    const { arrivals } = this.state.observer
    const first = arrivals[0]
    if (first === undefined) return null
    for (const one of arrivals) if (one.at === first.at && this.#caused(one)) return one
    return first
  }

  /**
   * The observer is ahead of the model. What answers at the very frame at which it was asked is
   * news only after the asking: a look when its command has its turn, a decode when it is a run's.
   */
  #caused({ fact, at, postedAt }: Arrival): boolean {
    if (postedAt < at) return true
    if (fact.kind === 'checked') return this.queue.awaits(fact.ticket)
    if (!('stream' in fact)) return true
    const stream = this.streams.streamOf(fact.stream)
    if (stream !== null && this.streams.ownerOf(stream) !== null) return true
    return stream?.seen.request.purpose === 'next' &&
      this.state.observer.births.every(({ event }) => event.birth?.stream !== fact.stream)
  }

  #learn(arrival: Arrival): void {
    const { fact } = arrival
    const place = this.state.observer.arrivals.indexOf(arrival)
    this.state.observer.arrivals.splice(place, 1)
    if ('stream' in fact) return this.#hear(fact)
    switch (fact.kind) {
      case 'checked':
        return this.queue.checked(fact.ticket, fact.found)
      case 'probed':
        return this.streams.probed(
          fact.path, fact.duration, this.state.observer.arrivals.slice(0, place))
      case 'output_lost':
      case 'output_back':
        return this.#turnOutput(fact.kind === 'output_back')
      case 'catalogue_busy':
        this.state.busy = true
        return this.#expectChange({ kind: 'catalogue', change: 'busy', message: null })
      case 'catalogue_kept':
        this.state.busy = false
        return this.#expectChange({ kind: 'catalogue', change: 'kept', message: SHOW_REFUSED })
      case 'catalogue':
        return this.#swap(fact.catalogue)
      case 'shutdown':
        return this.#shutDown()
    }
  }

  #hear(fact: StreamFact): void {
    const stream = this.streams.hear(fact)
    const owner = stream && this.streams.ownerOf(stream)
    if (owner !== null) this.runs.news(owner, stream!)
  }

  #turnOutput(up: boolean): void {
    if (this.state.outputUp === up) return
    if (!up) this.commands.loseOutput()
    this.state.outputUp = up
    this.#expectChange({ kind: 'output', available: up, message: up ? null : OUTPUT_LOST })
  }

  #swap(catalogue: Catalogue): void {
    this.state.busy = false
    this.lists.showLeaves()
    this.state.show = this.shows.get(catalogue)!
    this.state.showSince = this.state.now
    this.lists.showChanged()
    this.lights.reread()
    for (const run of [...this.state.live]) {
      this.judge.sometimes('the show is swapped while a run is live')
      const button = this.state.show.buttons.get(run.button.id)
      if (button === undefined) this.judge.sometimes('a button vanishes with a live run')
      else run.button = button
      run.calmSince = this.state.now
      this.runs.boundaries.settle(run)
    }
    this.#expectChange({ kind: 'catalogue', change: 'replaced', message: null })
  }

  /** A change of the output or of the show: told at this frame, in full. */
  #expectChange(change: Pick<ServiceEvent, 'kind'> & Readonly<Record<string, unknown>>): void {
    this.state.expectTold('6/told', this.state.observer.service.take(change.kind), change)
  }

  #shutDown(): void {
    if (this.state.shut) return
    this.judge.sometimes('a shutdown while commands wait', this.queue.busy)
    this.judge.sometimes('a shutdown inside a fade',
      this.state.live.some((run) => run.state === 'fading_out' || run.state === 'pausing'))
    this.queue.clear(refused(503, 'shutting_down', '7/shutting-down'))
    this.state.shut = true
    this.commands.panic(0)
  }

  // Runs that are born by themselves

  /** The next birth is met when all that was told before it is explained. */
  #meetSuccessor(): boolean {
    const { births, runs, service } = this.state.observer
    const [born] = births
    if (born?.event.cause !== 'sequence' || born.event.at !== this.state.now) return false
    const { event, before } = born
    if (before > runs.taken + service.taken + this.queue.answered) return false
    if (runs.oldest?.executionId !== event.executionId) return false
    const why = this.lists.succeed(event) ?? this.lists.blend(event)
    if (why === null) return false
    const button = this.state.show.buttons.get(event.buttonId)!
    births.shift()
    const { from } = why
    const tail = this.streams.streamOf(event.birth!.stream)!
    if (why.early !== null) {
      this.#absorb(tail)
      from.fade = fadeTo(from.fade, 0, this.state.now, why.early, 'linear', '3.3/early')
    }
    const run = this.runs.born({ button, options: optionsOf({}), tried: why.tried, event, from })
    if (why.early !== null) from.handedTo = run
    const ready = isReady(tail)
    if (why.prepared) {
      this.judge.hold(why.early === null ? '3.3/gapless' : '3.3/early', ready, () =>
        `${run.name} had its time to be ready, and is not`)
    }
    if (ready) this.runs.sound(run, why.early)
    else this.runs.news(run, tail)
    return true
  }

  /** What blends in has its first sound already; its facts of this frame came before its birth. */
  #absorb(stream: ModelStream): void {
    const n = stream.seen.request.stream
    for (const arrival of [...this.state.observer.arrivals]) {
      if (arrival.at > this.state.now) return
      if (!('stream' in arrival.fact) || arrival.fact.stream !== n) continue
      if (arrival.fact.kind === 'ended' && arrival.fact.source !== null) {
        this.streams.mayLast(stream.seen.request.path, arrival.fact.source)
      }
      this.#learn(arrival)
    }
  }

  // What must not be

  #nothingElse(): void {
    const { observer, judge } = this.state
    const birth = observer.births[0]?.event
    if (birth !== undefined) this.lists.judgeEarly(birth)
    judge.hold('3.3/uninvited', birth === undefined, () =>
      `${String(birth?.buttonId)} started by ${String(birth?.cause)}, and nothing called for it`)
    judge.hold('3.2/no-other-edge', observer.runs.oldest === undefined, () => this.#unexplained())
    for (const [rule, isQuiet, what] of [
      ['3.4.5/told', observer.wraps.oldest === undefined, 'a loop came round'],
      ['D5/no-other-change', observer.lights.oldest === undefined, 'a timeline changed'],
      ['D3/image', observer.service.next('image') === undefined, 'the image changed'],
      ['6/told', observer.service.oldest === undefined, 'the output or the show changed'],
    ] as const) judge.hold(rule, isQuiet, () => `it is told that ${what}, unasked`)
    this.queue.judgeSilence()
  }

  #unexplained(): string {
    const extra = this.state.observer.runs.oldest!
    const run = this.state.known.get(extra.executionId)
    return `${run?.name ?? 'an unknown run'} (${run?.state}) becomes ${extra.state}, unasked`
  }
}
