// The reference model: slow and plain, it follows the same facts and commands and says what must be true.
import type { Catalogue } from '../../src/engine/catalogue.js'
import type { Fact } from '../../src/engine/ports.js'
import { Blur, type Judge } from '../judge.js'
import type { RuleName } from '../rules.js'
import { sampleOf, type SeenCheck, type SeenStream } from '../media.js'
import type { ListSpec, Scenario } from '../scenario.js'
import { buttonId, pathOf, type Naming } from '../show.js'
import type { Arrival, RunEvent, Witness } from '../witness.js'
import { blendOut, ModelDesk, type Answer, type Ask } from './desk.js'
import { gainOf } from './gain.js'
import { ModelLights } from './lights.js'
import { ModelLists, type Succession } from './lists.js'
import { ModelRuns } from './runs.js'
import { optionsOf, placeOf, sounds, wholeMs, type ModelButton, type ModelList, type ModelRun, type ModelShow,
  type ModelStream } from './shapes.js'

export interface Ticket {
  readonly ask: Ask
  readonly at: number
  /** What the engine answered. */
  got: { readonly status: number; readonly body: Readonly<Record<string, unknown>> } | null
  check: SeenCheck | null
  found: boolean | null
}

const QUEUE = 16
const DEADLINE = 240_000
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
  readonly desk: ModelDesk
  image: ModelButton | null = null
  /** In order of their ends. */
  readonly ended: ModelRun[] = []
  outputUp = true
  busy = false
  shut = false
  show: ModelShow
  readonly #shows = new Map<Catalogue, ModelShow>()
  readonly #streams = new Map<number, ModelStream>()
  readonly #durations = new Map<string, number>()
  /** When a file's length was learned last, and what was known before, in ms. */
  readonly #learned = new Map<string, { readonly at: number; readonly before: number }>()
  readonly #perhaps = new Map<string, Set<number>>()
  readonly #tampered = new Set<number>()
  #current: Ticket | null = null
  readonly #waiting: Ticket[] = []
  readonly #open = new Set<Ticket>()
  #asked: Ticket | null = null
  /** What looks said, by their number. */
  readonly #answers = new Map<number, boolean>()
  #images = 0

  constructor(
    scenario: Scenario,
    naming: Naming,
    readonly witness: Witness,
    readonly judge: Judge,
    private readonly origin: number,
  ) {
    this.show = modelShow(scenario.lists, naming)
    this.lights = new ModelLights(
      witness, judge, scenario.dmxAllowed, (id) => this.runs.known.has(id),
    )
    const shared = { judge, witness, lights: this.lights, show: () => this.show }
    this.runs = new ModelRuns({
      ...shared,
      headBytes: scenario.loopHeadBytes,
      claimHead: (button) => this.#claim(button, (stream) => stream.request.hold),
      durationOf: (path) => this.#durations.get(path) ?? null,
      mayLast: (path, ms) => this.#perhaps.get(path)?.has(ms) === true || this.#hears(path, ms),
      onward: (run, tried) => this.lists.onward(run, tried),
      dropOlder: (order) => this.lists.dropOlder(order),
      ended: (run) => {
        this.ended.push(run)
        this.lists.ended(run)
      },
    })
    this.lists = new ModelLists({
      judge, media: witness.media, runs: this.runs, show: () => this.show,
      tampered: (file) => this.#tampered.has(file),
    })
    this.desk = new ModelDesk({
      ...shared, runs: this.runs, lists: this.lists, retention: scenario.retentionMs * 48,
      lightsAllowed: scenario.dmxAllowed, image: () => this.image,
      turnImage: (button) => this.#turnImage(button),
      outputUp: () => this.outputUp,
      claimOpened: (id) => this.#claimFor(id),
      said: () => this.#asked?.got?.body ?? null,
    })
    this.runs.now = origin
  }

  // The door in

  /** What a `catalogue` fact will bring. */
  willShow(catalogue: Catalogue, show: ModelShow): void {
    this.#shows.set(catalogue, show)
  }

  tamper(file: number): void {
    this.#tampered.add(file)
  }

  submit(ticket: Ticket): void {
    this.#open.add(ticket)
    const last = this.ended.at(-1)
    if (last?.endedAt === this.runs.now && last.reason === 'natural_end') {
      this.judge.sometimes('an end at the frame of a command')
    }
    const closed = this.#closed()
    const panics = ticket.ask.kind === 'panic' && !this.shut
    if (closed !== null && !panics) this.#judge(ticket, closed)
    else if (ticket.ask.kind === 'panic') {
      const told = 'everything was stopped before it could run'
      this.#clear({ status: 500, body: { error: 'command_failed' }, rule: 'D/panic' }, told)
      this.#asked = ticket
      this.#judge(ticket, this.desk.panic(ticket.ask.fadeMs))
    } else if (this.#current !== null && this.#waiting.length >= QUEUE) {
      this.judge.sometimes('the queue is full')
      this.#judge(ticket, refusal(409, 'command_in_progress', 'D4/queue'))
    } else {
      if (this.#current !== null) this.judge.sometimes('a command waits in the queue')
      this.#waiting.push(ticket)
      this.#pump()
    }
    this.catchUp(this.runs.now)
  }

  /** Moves the model to a frame where the engine is already. */
  catchUp(to: number, judged = true): void {
    // A frame that was heard is over: whatever was due at it is done, commands' deadlines too.
    const last = judged ? 3 : 4
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const step = this.#next()
      const ready = step !== null && (step.at < to || (step.at === to && step.lane < last))
      if (!ready || step.at > this.runs.now || step.lane > 1) this.#blend()
      const again = this.#next()
      if (again !== null && (again.at < to || (again.at === to && again.lane < last))) {
        if (again.at > this.runs.now) this.#leave()
        if (again.at > this.runs.now) {
          this.#moveTo(again.at)
          this.#succeed()
          continue
        }
        again.act()
        this.#succeed()
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
    const birth = this.witness.births[0]
    if (birth !== undefined && birth.at > this.runs.now) consider(birth.at, 1, () => undefined)
    for (const run of this.runs.live) {
      const due = this.runs.dueOf(run)
      if (due !== null) consider(due, 1, () => this.runs.settle(run))
      const early = this.lists.earlyAt(run)
      if (early !== null && early > this.runs.now) consider(early, 1, () => undefined)
      if (run.state === 'pausing' || run.state === 'fading_out') {
        consider(run.fade.begin + run.fade.frames, 2, () => this.runs.fadeDone(run))
      }
    }
    const lightsEnd = this.lights.nextEnd()
    if (lightsEnd !== null) consider(lightsEnd, 1, () => this.lights.complete(this.runs.now))
    const oldest = this.#current ?? this.#waiting[0]
    if (oldest !== undefined) {
      for (const ticket of [oldest, ...this.#waiting]) {
        consider(ticket.at + DEADLINE, 3, () => this.#expire(ticket))
      }
    }
    return best
  }

  // Facts

  /** The first of the earliest frame whose cause the model has seen; else the first of them. */
  #nextArrival(): Arrival | null {
    const { arrivals } = this.witness
    const first = arrivals[0]
    if (first === undefined) return null
    for (const arrival of arrivals) {
      if (arrival.at !== first.at) break
      if (this.#caused(arrival)) return arrival
    }
    return first
  }

  /**
   * The witness is ahead of the model. What answers at the very frame at which it was asked is news
   * only after the asking: a look when its command has its turn, a decode when its run is born.
   */
  #caused({ fact, at, postedAt }: Arrival): boolean {
    if (postedAt < at) return true
    if (fact.kind === 'checked') return this.#current?.check?.ticket === fact.ticket
    if (!('stream' in fact)) return true
    const stream = this.#streams.get(fact.stream)
    return stream !== undefined && this.#ownerOf(stream) !== null
  }

  #arrive(arrival: Arrival): void {
    const { fact } = arrival
    this.witness.arrivals.splice(this.witness.arrivals.indexOf(arrival), 1)
    switch (fact.kind) {
      case 'checked':
        this.#checked(fact.ticket, fact.found)
        return
      case 'supplied':
      case 'ended':
      case 'broken':
        this.#told(fact)
        return
      case 'probed':
        this.#durations.set(fact.path, fact.duration)
        return
      case 'output_lost':
        if (this.outputUp) this.desk.loseOutput()
        this.outputUp = false
        return
      case 'output_back':
        this.outputUp = true
        return
      case 'catalogue_busy':
      case 'catalogue_kept':
        this.busy = fact.kind === 'catalogue_busy'
        return
      case 'catalogue':
        this.#swap(fact.catalogue)
        return
      case 'shutdown':
        this.#shutDown()
    }
  }

  #told(fact: Extract<Fact, { stream: number }>): void {
    const stream = this.#streamOf(fact.stream)
    if (stream === null) return
    if (fact.kind === 'supplied') {
      if (fact.until <= stream.supplied) return
      stream.supplied = fact.until
    } else if (fact.kind === 'ended') {
      stream.end = fact.end
      stream.held = fact.held
      stream.source = fact.source
      stream.endKnownAt = this.runs.now
    } else stream.broken = true
    // The length that a decoder met is what the file lasts from now on.
    if (fact.kind === 'ended' && fact.source !== null && isOpen(stream.seen, this.runs.now)) {
      const { path } = stream.seen.request
      if (stream.seen.closedAt === this.runs.now) this.#mayLast(path, fact.source)
      this.#learned.set(path, {
        at: this.runs.now, before: wholeMs(this.#durations.get(path) ?? 0),
      })
      this.#durations.set(path, fact.source)
    }
    const owner = this.#ownerOf(stream)
    if (owner !== null) this.runs.news(owner, stream)
  }

  #swap(catalogue: Catalogue): void {
    this.busy = false
    this.show = this.#shows.get(catalogue)!
    for (const run of [...this.runs.live]) {
      this.judge.sometimes('the show is swapped while a run is live')
      const button = this.show.buttons.get(run.button.id)
      if (button === undefined) this.judge.sometimes('a button vanishes with a live run')
      else run.button = button
      run.calmSince = this.runs.now
      this.runs.settle(run)
    }
  }

  #shutDown(): void {
    if (this.shut) return
    if (this.#current !== null) this.judge.sometimes('a shutdown while commands wait')
    if (this.runs.live.some((run) => run.state === 'fading_out' || run.state === 'pausing')) {
      this.judge.sometimes('a shutdown inside a fade')
    }
    this.#clear(refusal(503, 'shutting_down', '7/shutting-down'), '')
    this.desk.panic(0)
    this.runs.cutAll()
    this.shut = true
  }

  /** Whether a stream's end came before or after its close at one frame, nobody can see. */
  #mayLast(path: string, frames: number): void {
    const known = this.#perhaps.get(path) ?? new Set<number>()
    this.#perhaps.set(path, known.add(wholeMs(frames)).add(wholeMs(this.#durations.get(path) ?? 0)))
  }

  /** A decode that the model has not met tells the length at this very frame. */
  #hears(path: string, ms: number): boolean {
    const last = this.#learned.get(path)
    if (last?.at === this.runs.now && last.before === ms) return true
    return this.witness.arrivals.some(({ fact, at }) =>
      at <= this.runs.now && fact.kind === 'ended' && fact.source !== null &&
      wholeMs(fact.source) === ms && this.#streamOf(fact.stream)?.seen.request.path === path)
  }

  // Streams

  #streamOf(n: number): ModelStream | null {
    const known = this.#streams.get(n)
    if (known !== undefined) return known
    const seen = this.witness.media.streams[n - 1]
    if (seen?.request.stream !== n) return null
    const stream: ModelStream = {
      seen, from: seen.request.from, supplied: seen.request.from, end: null, endKnownAt: 0,
      source: null, held: false, broken: false,
    }
    this.#streams.set(n, stream)
    return stream
  }

  #likeliest(
    open: readonly SeenStream[], prefers: (stream: SeenStream) => boolean,
  ): SeenStream | undefined {
    const lasting = open.filter((stream) => isOpen(stream, this.runs.now + 1))
    return lasting.find(prefers) ?? open.find(prefers) ?? lasting[0] ?? open[0]
  }

  /** Whether it makes a difference which of several decodes of one button is taken. */
  #differ(streams: readonly SeenStream[]): boolean {
    const tell = ({ request }: SeenStream): string => {
      const { supplied, end, held, broken } = this.#streamOf(request.stream)!
      if (!broken && (end === null || supplied < end)) return String(request.stream)
      return `${supplied} ${String(end)} ${String(held)} ${String(broken)} ${String(request.hold)}`
    }
    const first = tell(streams[0]!)
    return streams.some((stream) => tell(stream) !== first)
  }

  #openFor(button: string): readonly SeenStream[] {
    const { now } = this.runs
    return (this.witness.media.unclaimed.get(button) ?? []).filter((stream) =>
      stream.openedAt <= now && isOpen(stream, now))
  }

  /** Of the decodes opened for a button that nobody claimed, the first that fits best. */
  #claim(
    button: string, prefers: (stream: SeenStream) => boolean,
  ): ModelStream | null {
    const unclaimed = this.witness.media.unclaimed.get(button) ?? []
    const { now } = this.runs
    const open = unclaimed.filter((stream) => stream.openedAt <= now && isOpen(stream, now))
    const best = this.#likeliest(open, prefers)
    return best === undefined ? null : this.#take(best)
  }

  /** A start opens its decode and then draws its id. */
  #claimFor(id: string): ModelStream | null {
    const seen = this.witness.openedBefore.get(id)
    return seen === undefined ? null : this.#take(seen)
  }

  #take(seen: SeenStream): ModelStream | null {
    const { media } = this.witness
    const button = seen.request.buttonId
    media.unclaimed.set(button, (media.unclaimed.get(button) ?? []).filter((stream) =>
      stream !== seen && isOpen(stream, this.runs.now)))
    return this.#streamOf(seen.request.stream)
  }

  /** The run that a decode sounds in: its tail, or the head that its seam blends in. */
  #ownerOf(stream: ModelStream): ModelRun | null {
    return this.runs.live.find((run) => run.tail === stream || run.seam?.head === stream) ?? null
  }

  // Runs that are born by themselves

  #succeed(): void {
    this.#meet((event) => this.lists.succeed(event, true) ??
      (this.lists.mayBlend(event) ? null : this.lists.succeed(event, false)))
  }

  #blend(): void {
    this.#meet((event) => this.lists.blend(event) ?? this.lists.succeed(event, false))
  }

  #meet(explain: (event: RunEvent) => Succession | null): void {
    const event = this.witness.births.find((one) => one.cause === 'sequence')
    if (event === undefined || event.at !== this.runs.now) return
    const why = explain(event)
    if (why === null) return
    const button = this.show.buttons.get(event.buttonId)!
    this.witness.takeBirth(event.buttonId, event.at, 'sequence')
    const { from } = why
    const candidates = this.#openFor(button.id)
    if (candidates.length > 1 && this.#differ(candidates)) throw new Blur('two decodes of one button are open')
    const tail = this.#claim(button.id, () => true)
    if (tail === null) throw new Blur('its decode was taken for another one')
    if (why.early !== null) {
      this.#absorb(tail)
      blendOut(from, this.runs.now, why.early)
    }
    const run = this.runs.born({
      button, options: optionsOf({}), order: from.order, auto: true, tried: why.tried, event,
      tail,
    })
    if (why.early !== null) from.handedTo = run
    const ready = tail.supplied > tail.from
    if (why.prepared) {
      this.judge.hold(why.early === null ? '3.3/gapless' : '3.3/early', ready, () =>
        `${run.name} had its time to be ready, and is not`)
    }
    if (ready) this.runs.sound(run, why.early)
    else this.runs.news(run, tail)
  }

  /** What blends in has its first sound already; its facts of this frame came before it was born. */
  #absorb(stream: ModelStream): void {
    const n = stream.seen.request.stream
    for (const arrival of [...this.witness.arrivals]) {
      if (arrival.at > this.runs.now) return
      if (!('stream' in arrival.fact) || arrival.fact.stream !== n) continue
      if (arrival.fact.kind === 'ended' && arrival.fact.source !== null) {
        this.#mayLast(stream.seen.request.path, arrival.fact.source)
      }
      this.#arrive(arrival)
    }
  }

  // The gate

  #closed(): Answer | null {
    if (this.shut) return refusal(503, 'shutting_down', '7/shutting-down')
    return this.busy ? refusal(409, 'app_busy', 'D4/busy') : null
  }

  #pump(): void {
    for (let n = 0; n <= QUEUE && this.#current === null; n += 1) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#current = next
      this.#attempt(next)
    }
  }

  #attempt(ticket: Ticket): void {
    this.#asked = ticket
    const answer = this.#closed() ?? this.desk.carryOut(ticket.ask, ticket.found)
    if (answer !== null) {
      this.#finish(ticket, answer)
      return
    }
    const path = this.#pathOf((ticket.ask as { button: string }).button)
    const checks = this.witness.media.checks.filter((one) =>
      !one.claimed && one.path === path && one.at === this.runs.now)
    const asking = [ticket, ...this.#waiting].filter(({ ask }) =>
      (ask.kind === 'play' || ask.kind === 'restart') && this.#pathOf(ask.button) === path)
    if (checks.length > asking.length) throw new Blur('a list looks for the same file')
    const check = checks[0]
    this.judge.hold('D3/looks-first', check !== undefined, () => `nobody looked for ${path}`)
    check!.claimed = true
    const early = this.#answers.get(check!.ticket)
    if (early === undefined) {
      ticket.check = check!
      return
    }
    // The witness is ahead: the look was answered at this very frame.
    ticket.found = early
    this.#attempt(ticket)
  }

  #pathOf(button: string): string {
    return pathOf(this.show.buttons.get(button)?.file ?? -1)
  }

  #checked(n: number, found: boolean): void {
    this.#answers.set(n, found)
    const ticket = this.#current
    if (ticket?.check?.ticket !== n) return
    ticket.check = null
    ticket.found = found
    this.#attempt(ticket)
    this.#pump()
  }

  #expire(ticket: Ticket): void {
    this.judge.sometimes('a command meets its deadline')
    this.#finish(ticket, refusal(500, 'command_failed', 'D4/deadline'))
    this.#pump()
  }

  #clear(answer: Answer, _why: string): void {
    const all = this.#current === null ? this.#waiting : [this.#current, ...this.#waiting]
    for (const ticket of [...all]) this.#finish(ticket, answer)
  }

  #finish(ticket: Ticket, answer: Answer): void {
    const place = this.#waiting.indexOf(ticket)
    if (place >= 0) this.#waiting.splice(place, 1)
    if (this.#current === ticket) this.#current = null
    this.#judge(ticket, answer)
  }

  #judge(ticket: Ticket, answer: Answer): void {
    this.#open.delete(ticket)
    const { got } = ticket
    const asked = JSON.stringify(ticket.ask)
    this.judge.hold('D4/one-at-a-time', got !== null, () =>
      `${asked} should be answered now with ${JSON.stringify(answer.body)}, and is not`)
    const same = got!.status === answer.status && alike(got!.body, answer.body)
    this.judge.hold(answer.rule, same, () =>
      `${asked} answers ${got!.status} ${JSON.stringify(got!.body)}, ` +
      `should be ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  // What must not be

  #nothingElse(): void {
    const { witness, judge } = this
    const birth = witness.births[0]
    judge.hold('3.3/uninvited', birth === undefined, () =>
      `${String(birth?.buttonId)} started by ${String(birth?.cause)}, and nothing called for it`)
    judge.hold('3.2/no-other-edge', witness.runEvents === this.runs.told, () => this.#unexplained())
    judge.hold('D5/no-other-change', witness.lightEvents === this.lights.told, () =>
      'a timeline changed, and nothing called for it')
    for (const ticket of this.#open) {
      judge.hold('D4/one-at-a-time', ticket.got === null, () =>
        `${JSON.stringify(ticket.ask)} was answered out of turn: ${JSON.stringify(ticket.got?.body)}`)
    }
    judge.hold('D3/image', witness.images.length === this.#images, () =>
      'the image changed, and nothing called for it')
  }

  #unexplained(): string {
    for (const run of this.runs.known.values()) {
      const extra = this.witness.runs.get(run.id)?.[run.told]
      if (extra !== undefined) return `${run.name} (${run.state}) becomes ${extra.state}, unasked`
    }
    return 'an unknown run changes'
  }

  #turnImage(button: ModelButton | null): void {
    const before = this.image
    if (before === null && button === null) return
    if (button === null) this.lights.end(this.runs.now, before!.id)
    this.image = button
    const heard = this.witness.images[this.#images]
    this.#images += 1
    const id = button?.id ?? before!.id
    const fits = heard?.at === this.runs.now && heard.buttonId === id &&
      heard.shown === (button !== null)
    this.judge.hold('D3/image', fits, () => `the image should turn ${button === null ? 'off' : 'on'}`)
  }

  /** The sentence that a wrong sound at this frame would break. */
  soundRule(): RuleName {
    let rule: RuleName = 'D3/sum'
    for (const run of this.runs.live) {
      if (!run.moving || !sounds(run)) continue
      if (run.seam !== null) return '3.4.8/gains'
      const { fade } = run
      if (fade.begin + fade.frames > this.runs.now) rule = fade.rule
    }
    return rule
  }

  // What is heard

  /** The sum of what sounds at this frame, by the position code of its files. */
  heard(): readonly [number, number] {
    let left = 0
    let right = 0
    for (const run of this.runs.live) {
      if (!run.moving || !sounds(run)) continue
      const gain = gainOf(run.fade, this.runs.now) * run.level
      const place = placeOf(run, this.runs.now)
      let [l, r] = sampleOf(place)
      if (run.seam !== null) {
        const into = place - run.seam.begin
        const part = into / run.seam.frames
        const [hl, hr] = sampleOf(run.start + into)
        l += (hl - l) * part
        r += (hr - r) * part
      }
      left += l * gain
      right += r * gain
    }
    return [left, right]
  }
}

/** A witness is ahead of the model: what was closed since then is open still. */
const isOpen = (seen: SeenStream, now: number): boolean =>
  seen.closedAt === null || seen.closedAt >= now

const refusal = (status: number, error: string, rule: Answer['rule']): Answer =>
  ({ status, body: { error }, rule })

/** Equal field by field; numbers with a fraction as far as doubles go. */
const alike = (
  a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>,
): boolean => {
  const keys = Object.keys(b)
  if (Object.keys(a).length !== keys.length) return false
  return keys.every((key) => {
    const [x, y] = [a[key], b[key]]
    if (typeof x !== 'number' || typeof y !== 'number') return x === y
    return Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))
  })
}
