// The reference model: slow and plain, it follows the same facts and commands and says what must be
// true.
import type { Catalogue } from '../../../src/engine/catalogue.js'
import type { Fact } from '../../../src/engine/ports.js'
import type { Judge } from '../judge.js'
import type { ListSpec, Scenario } from '../../scenario/scenario.js'
import { buttonId, pathOf, type Naming } from '../../scenario/show.js'
import type { Arrival, EngineObserver } from '../../world/engine-observer.js'
import { dueOf, isReady } from './bounds.js'
import { blendOut, ModelCommands, type Answer } from './commands.js'
import { ModelCommandQueue, refusal, type Ticket } from './command-queue.js'
import { ModelLights } from './lights.js'
import { ModelLists } from './lists.js'
import { ModelRuns } from './runs.js'
import {
  optionsOf, type ModelButton, type ModelList, type ModelRun, type ModelShow, type ModelStream,
} from './shapes.js'
import { ModelStreams } from './streams.js'

const STEPS_MAX = 200_000
/** After what happens at one frame: facts, media, ends of fades, commands. */
type Step = { readonly at: number; readonly lane: number; readonly act: () => void }

export const modelShow = (lists: readonly ListSpec[], naming: Naming): ModelShow => {
  let n = 0
  const buttons = new Map<string, ModelButton>()
  const made = lists.map((list, index): ModelList => {
    const own: ModelButton[] = []
    for (const spec of list.buttons) {
      const button = { ...spec, n, id: buttonId(n, naming), list: index }
      n += 1
      if (spec.gone) continue
      own.push(button)
      buttons.set(button.id, button)
    }
    return { ...list, n: index, buttons: own }
  })
  return { lists: made, buttons }
}

export class Model {
  readonly runs: ModelRuns
  readonly lights: ModelLights
  readonly lists: ModelLists
  readonly commands: ModelCommands
  readonly queue: ModelCommandQueue
  readonly streams: ModelStreams
  image: ModelButton | null = null
  /** In order of their ends. */
  readonly ended: ModelRun[] = []
  outputUp = true
  busy = false
  shut = false
  show: ModelShow
  readonly #shows = new Map<Catalogue, ModelShow>()
  private readonly headBytes: number
  readonly #tampered = new Set<number>()
  #images = 0
  #showSince = -1
  /** Changes of the output and of the show. */
  #news = 0

  constructor(
    scenario: Scenario,
    naming: Naming,
    readonly observer: EngineObserver,
    readonly judge: Judge,
    private readonly origin: number,
  ) {
    this.show = modelShow(scenario.lists, naming)
    this.headBytes = scenario.loopHeadBytes
    this.lights = new ModelLights(
      observer, judge, scenario.dmxAllowed, (id) => this.runs.known.has(id),
    )
    const shared = { judge, observer, lights: this.lights, show: () => this.show }
    this.runs = new ModelRuns({
      ...shared,
      headBytes: scenario.loopHeadBytes,
      claimPass: (button) => this.streams.claimPass(button),
      showSince: () => this.#showSince,
      knownSince: (path) => this.streams.knownSince(path),
      durationOf: (path) => this.streams.durationOf(path),
      mayLast: (path, ms) => this.streams.lastsPerhaps(path, ms),
      onward: (run, tried) => this.lists.onward(run, tried),
      dropOlder: (order) => this.lists.dropOlder(order),
      born: (run) => this.lists.moved(run),
      ended: (run) => {
        this.ended.push(run)
        this.lists.ended(run)
      },
    })
    this.lists = new ModelLists({
      judge, media: observer.media, runs: this.runs, show: () => this.show,
      tampered: (file) => this.#tampered.has(file),
      durationOf: (path) => this.streams.durationOf(path),
    })
    this.commands = new ModelCommands({
      ...shared, runs: this.runs, lists: this.lists, retention: scenario.retentionMs * 48,
      lightsAllowed: scenario.dmxAllowed, image: () => this.image,
      turnImage: (button) => this.#turnImage(button),
      outputUp: () => this.outputUp,
      claimOpened: (event) => this.streams.claimFor(event),
      said: () => this.queue.said(),
    })
    this.queue = new ModelCommandQueue({
      judge, media: observer.media, now: () => this.runs.now,
      closed: () => this.#closed(),
      carryOut: (ask, found) => this.commands.carryOut(ask, found),
      pathOf: (button) => pathOf(this.show.buttons.get(button)?.file ?? -1),
    })
    this.streams = new ModelStreams(observer, this.runs)
    this.runs.now = origin
  }

  #closed(): Answer | null {
    if (this.shut) return refusal(503, 'shutting_down', '7/shutting-down')
    return this.busy ? refusal(409, 'app_busy', 'D4/busy') : null
  }

  // What comes in

  /** What a `catalogue` fact will bring. */
  willShow(catalogue: Catalogue, show: ModelShow): void {
    this.#shows.set(catalogue, show)
  }

  tamper(file: number): void {
    this.#tampered.add(file)
    this.lists.changed()
  }

  submit(ticket: Ticket): void {
    const last = this.ended.at(-1)
    if (last?.endedAt === this.runs.now && last.reason === 'natural_end') {
      this.judge.sometimes('an end at the frame of a command')
    }
    const { ask } = ticket
    const panics = ask.kind === 'panic' && !this.shut
    this.queue.submit(ticket, panics ? () => this.commands.panic(ask.fadeOutMs) : null)
    this.catchUp(this.runs.now)
  }

  /** Moves the model to a frame where the engine is already. */
  catchUp(to: number, judged = true): void {
    // A frame that was heard is over: whatever was due at it is done, commands' deadlines too.
    const last = judged ? 3 : 4
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      if (this.#meetSuccessor()) continue
      const step = this.#next()
      if (step !== null && (step.at < to || (step.at === to && step.lane < last))) {
        if (step.at > this.runs.now) {
          this.#leave()
          this.#moveTo(step.at)
        } else step.act()
        continue
      }
      if (to > this.runs.now) this.#leave()
      this.#moveTo(to)
      if (judged) this.#nothingElse()
      return
    }
    throw new Error('the model never settles')
  }

  #moveTo(at: number): void {
    this.runs.now = at
    this.judge.now = at - this.origin
  }

  #leave(): void {
    this.lists.leave(this.runs.now)
  }

  /** By plain search through everything that could be next. */
  #next(): Step | null {
    let best: Step | null = null
    const consider = (at: number, lane: number, act: () => void): void => {
      const due = Math.max(at, this.runs.now)
      if (best === null || due < best.at || (due === best.at && lane < best.lane)) {
        best = { at: due, lane, act }
      }
    }
    const arrival = this.#nextArrival()
    if (arrival !== null) {
      consider(arrival.at, this.#caused(arrival) ? 0 : 4, () => this.#arrive(arrival))
    }
    const birth = this.observer.births[0]
    if (birth !== undefined && birth.at > this.runs.now) consider(birth.at, 1, () => undefined)
    for (const run of this.runs.live) {
      const due = dueOf(run, this.runs.now, this.headBytes)
      if (due !== null) consider(due, 1, () => this.runs.settle(run))
      if (run.newsHeard) consider(this.runs.now, 1, () => this.runs.settle(run))
      const early = this.lists.earlyAt(run)
      if (early !== null && early > this.runs.now) consider(early, 1, () => undefined)
      if (run.state === 'pausing' || run.state === 'fading_out') {
        consider(run.fade.begin + run.fade.frames, 2, () => this.runs.fadeDone(run))
      }
    }
    const patience = this.lists.nextPatience()
    if (patience !== null && patience > this.runs.now) consider(patience, 1, () => undefined)
    const lights = this.lights.nextDue()
    if (lights < Infinity) consider(lights, 1, () => this.lights.settle(this.runs.now))
    for (const { at, meet } of this.queue.deadlines()) {
      consider(at, 3, meet)
    }
    return best
  }

  // Facts

  /** The first of the earliest frame whose cause the model has seen; else the first of them. */
  #nextArrival(): Arrival | null {
    const { arrivals } = this.observer
    const first = arrivals[0]
    if (first === undefined) return null
    for (const arrival of arrivals) {
      if (arrival.at !== first.at) break
      if (this.#caused(arrival)) return arrival
    }
    return first
  }

  /**
   * The observer is ahead of the model. What answers at the very frame at which it was asked is
   * news only after the asking: a look when its command has its turn, a decode when it is a run's.
   */
  #caused({ fact, at, postedAt }: Arrival): boolean {
    if (postedAt < at) return true
    if (fact.kind === 'checked') return this.queue.awaits(fact.ticket)
    if (!('stream' in fact) || this.streams.isOwned(fact.stream)) return true
    return this.observer.purposeOf(fact.stream) === 'next' &&
      this.observer.births.every(({ birth }) => birth?.stream !== fact.stream)
  }

  #arrive(arrival: Arrival): void {
    const { fact } = arrival
    const place = this.observer.arrivals.indexOf(arrival)
    this.observer.arrivals.splice(place, 1)
    switch (fact.kind) {
      case 'checked':
        this.queue.checked(fact.ticket, fact.found)
        return
      case 'supplied':
      case 'ended':
      case 'broken':
        this.#hear(fact)
        return
      case 'probed':
        this.streams.probed(fact.path, fact.duration, this.observer.arrivals.slice(0, place))
        return
      case 'output_lost':
        if (!this.outputUp) return
        this.commands.loseOutput()
        this.outputUp = false
        this.#news += 1
        return
      case 'output_back':
        if (this.outputUp) return
        this.outputUp = true
        this.#news += 1
        return
      case 'catalogue_busy':
      case 'catalogue_kept':
        this.#news += 1
        this.busy = fact.kind === 'catalogue_busy'
        return
      case 'catalogue':
        this.#swap(fact.catalogue)
        return
      case 'shutdown':
        this.#shutDown()
    }
  }

  #hear(fact: Extract<Fact, { stream: number }>): void {
    const stream = this.streams.hear(fact)
    const owner = stream === null ? null : this.streams.ownerOf(stream)
    if (owner !== null) this.runs.news(owner, stream!)
  }

  #swap(catalogue: Catalogue): void {
    this.busy = false
    this.lists.showLeaves()
    this.show = this.#shows.get(catalogue)!
    this.#showSince = this.runs.now
    this.lists.showChanged()
    for (const run of [...this.runs.live]) {
      this.judge.sometimes('the show is swapped while a run is live')
      const button = this.show.buttons.get(run.button.id)
      if (button === undefined) this.judge.sometimes('a button vanishes with a live run')
      else run.button = button
      this.lists.changed()
      run.calmSince = this.runs.now
      this.runs.settle(run)
    }
    this.#news += 1
  }

  #shutDown(): void {
    if (this.shut) return
    if (this.queue.busy) this.judge.sometimes('a shutdown while commands wait')
    if (this.runs.live.some((run) => run.state === 'fading_out' || run.state === 'pausing')) {
      this.judge.sometimes('a shutdown inside a fade')
    }
    this.queue.clear(refusal(503, 'shutting_down', '7/shutting-down'))
    this.commands.panic(0)
    this.shut = true
  }

  // Runs that are born by themselves

  /** How much the model has accounted for, lights apart. */
  #told(): number {
    return this.runs.told + this.#images + this.#news + this.queue.answered
  }

  /** The next birth is met when all that was told before it is explained. */
  #meetSuccessor(): boolean {
    const event = this.observer.births[0]
    if (event?.cause !== 'sequence' || event.at !== this.runs.now) return false
    if (this.observer.orderOf(event) > this.#told()) return false
    const why = this.lists.succeed(event) ?? this.lists.blend(event)
    if (why === null) return false
    const button = this.show.buttons.get(event.buttonId)!
    this.observer.takeBirth(event.buttonId, event.at, 'sequence')
    const { from } = why
    const tail = this.streams.claimFor(event)
    if (why.early !== null) {
      this.#absorb(tail)
      blendOut(from, this.runs.now, why.early)
    }
    const run = this.runs.born({
      button, options: optionsOf({}), order: from.order, auto: true, tried: why.tried, event,
      tail, from,
    })
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

  /**
   * What blends in has its first sound already; its facts of this frame came before it was born.
   */
  #absorb(stream: ModelStream): void {
    const n = stream.seen.request.stream
    for (const arrival of [...this.observer.arrivals]) {
      if (arrival.at > this.runs.now) return
      if (!('stream' in arrival.fact) || arrival.fact.stream !== n) continue
      if (arrival.fact.kind === 'ended' && arrival.fact.source !== null) {
        this.streams.mayLast(stream.seen.request.path, arrival.fact.source)
      }
      this.#arrive(arrival)
    }
  }

  // What must not be

  #nothingElse(): void {
    const { observer, judge } = this
    const birth = observer.births[0]
    if (birth !== undefined) this.lists.judgeEarly(birth)
    judge.hold('3.3/uninvited', birth === undefined, () =>
      `${String(birth?.buttonId)} started by ${String(birth?.cause)}, and nothing called for it`)
    const explained = observer.runEvents === this.runs.told
    judge.hold('3.2/no-other-edge', explained, () => this.#unexplained())
    judge.hold('3.4.5/told', observer.wrapEvents === this.runs.wrapsTold, () =>
      'a loop was told to come round, and none did')
    judge.hold('D5/no-other-change', observer.lightEvents === this.lights.told, () =>
      'a timeline changed, and nothing called for it')
    this.queue.judgeSilence()
    judge.hold('D3/image', observer.images.length === this.#images, () =>
      'the image changed, and nothing called for it')
  }

  #unexplained(): string {
    for (const run of this.runs.known.values()) {
      const extra = this.observer.runs.get(run.id)?.[run.told]
      if (extra !== undefined) return `${run.name} (${run.state}) becomes ${extra.state}, unasked`
    }
    return 'an unknown run changes'
  }

  #turnImage(button: ModelButton | null): void {
    const before = this.image
    if (before === null && button === null) return
    if (button === null) this.lights.end(this.runs.now, before!.id)
    this.image = button
    const heard = this.observer.images[this.#images]
    this.#images += 1
    const id = button?.id ?? before!.id
    const fits = heard?.at === this.runs.now && heard.buttonId === id &&
      heard.shown === (button !== null)
    const turn = button === null ? 'off' : 'on'
    this.judge.hold('D3/image', fits, () => `the image should turn ${turn}`)
  }

}
