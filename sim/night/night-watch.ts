// The watch over a night: whatever the engine tells and answers is held against the book, at once.
import { createHash } from 'node:crypto'
import type { EngineEvent } from '../../src/engine/events.js'
import { Hall } from '../world/hall.js'
import { Answers, type Answer, type Request } from './night-answers.js'
import { Book, type Change } from './night-book.js'
import { MS, type ShowSpec } from './night-show.js'
import type { RuleName } from '../oracle/rules.js'

const DIGESTED_AT_ONCE = 65_536

/** The first thing that was not as it should be; the night ends there. */
export class Wrong extends Error {}

/** How a request gets to the player: by a call or through HTTP. */
export interface Door {
  ask(request: Request): Answer | Promise<Answer>
  close(): Promise<unknown>
}

/** An event as readers of GET /events get it. */
export interface Told {
  readonly n: number
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

export class Watch {
  readonly hall: Hall
  readonly book: Book
  readonly told: Told[] = []
  readonly tested = new Map<RuleName, number>()
  requests = 0
  events = 0
  readonly #answers: Answers
  readonly #digest = createHash('sha256')
  #undigested = ''
  readonly #ids = new Set<string>()
  #heard: EngineEvent[] = []

  constructor(
    show: ShowSpec,
    /** Gets each record of what was told and answered, in order. */
    private readonly record: ((line: string) => void) | null,
    /** Events are kept for readers only where there are readers. */
    private readonly keepEvents: boolean,
  ) {
    this.book = new Book(show)
    this.hall = new Hall(show, (event) => this.#heard.push(event))
    this.#answers = new Answers(this.book)
  }

  get now(): number {
    return this.hall.now
  }

  /** Of every record, in order. */
  get hash(): string {
    return this.#digest.copy().update(this.#undigested).digest('hex').slice(0, 16)
  }

  passTo(to: number): void {
    this.hall.passTo(to)
    this.book.passTo(to)
    this.#holdEvents()
  }

  async ask(request: Request, door: Door): Promise<Answer> {
    this.requests += 1
    if (request.ask === 'wire') return this.#askWire(request, door)
    if (request.ask === 'events') return this.#askEvents(request.after, door)
    const { rule, status, body } = this.#answers.expect(request)
    const given = door.ask(request)
    const answer = given instanceof Promise ? await given : given
    this.#holdEvents()
    this.#count(rule)
    const should = body()
    const what = titleOf(request)
    if (answer.status !== status) {
      const told = `${answer.status} ${JSON.stringify(answer.body)}`
      this.#fail(rule, `${what} answers ${told}, should be ${status} ${JSON.stringify(should)}`)
    }
    this.#holdBody(rule, what, answer.body, should)
    this.#keep(`${this.now} ${what} ${status} ${JSON.stringify(should)}`)
    return answer
  }

  /** Plain calls cannot break the rules of the wire: there these keep their place in the record. */
  async #askWire(request: Extract<Request, { ask: 'wire' }>, door: Door): Promise<Answer> {
    const { status, error } = request
    const answer = await door.ask(request)
    const { error: refusal = null } = answer.body as { error?: string | null }
    const is = `${answer.status} ${String(refusal)}`
    const what = titleOf(request)
    if (is !== `${status} ${String(error)}`) {
      throw new Wrong(`the wire (7, D1) at frame ${this.now}: ${what} answers ${is}, ` +
        `should be ${status} ${String(error)}`)
    }
    this.#holdEvents()
    this.#keep(`${this.now} ${what} ${is}`)
    return answer
  }

  async #askEvents(after: number, door: Door): Promise<Answer> {
    const answer = await door.ask({ ask: 'events', after })
    const should = { events: this.told.slice(after) }
    const what = `GET /events after ${after}`
    this.#holdBody('3.2/no-other-edge', what, answer.body, should)
    this.#keep(`${this.now} ${what} ${answer.status} ${should.events.length} events`)
    return answer
  }

  #keep(line: string): void {
    this.#undigested += `${line}\n`
    if (this.#undigested.length > DIGESTED_AT_ONCE) {
      this.#digest.update(this.#undigested)
      this.#undigested = ''
    }
    this.record?.(line)
  }

  #count(rule: RuleName): void {
    this.tested.set(rule, (this.tested.get(rule) ?? 0) + 1)
  }

  #fail(rule: RuleName, told: string): never {
    throw new Wrong(`${rule} at frame ${this.now}: ${told}`)
  }

  #holdBody(rule: RuleName, what: string, is: unknown, should: unknown): void {
    const apart = difference(is, should, '')
    if (apart === null) return
    const { place } = apart
    const own: RuleName = place.endsWith('positionMs') && rule === '2.2/execution' ? '2.2/position'
      : place.endsWith('durationMs') && rule === '2.2/execution' ? '2.2/duration' : rule
    this.#fail(own, `${what}: ${place} is ${JSON.stringify(apart.is)}, ` +
      `should be ${JSON.stringify(apart.should)}`)
  }

  // Events

  #holdEvents(): void {
    const due = this.book.take()
    const heard = this.#heard
    if (heard.length === 0 && due.length === 0) return
    this.#heard = []
    for (const event of heard) this.#learnId(event, due)
    const is = heard.map((event) => ({ at: event.at, text: textOf(event) })).sort(inOrder)
    const should = due
      .map((change) => ({ at: change.at, text: textDue(change), rule: change.rule })).sort(inOrder)
    for (let i = 0; i < Math.max(is.length, should.length); i += 1) {
      const [one, other] = [is[i], should[i]]
      if (one?.text !== other?.text) this.#eventsDiffer(one, other)
      if (other !== undefined) this.#count(other.rule)
      if (one !== undefined) this.#keep(one.text)
    }
    this.events += heard.length
    if (!this.keepEvents) return
    for (const event of heard) this.told.push({ n: this.told.length + 1, ...wireEvent(event) })
  }

  /** The first event of a run tells its id, which nobody may have had before. */
  #learnId(event: EngineEvent, due: readonly Change[]): void {
    const id = event.kind === 'run' && event.state === 'starting' ? event.executionId
      : event.kind === 'dmx' && (event.change === 'initializing' || event.change === 'started')
        ? event.dmxExecutionId : null
    if (id === null) return
    for (const change of due) {
      if (event.kind === 'run' && change.kind === 'run' && change.run.id === null &&
        change.run.piece.id === event.buttonId) {
        this.#isNew('1/ids-are-new', id)
        change.run.id = id
        this.#answers.learn(change.run)
        return
      }
      if (event.kind === 'dmx' && change.kind === 'dmx' && change.lit.id === null &&
        change.lit.piece.id === event.buttonId) {
        this.#isNew('1/dmx-id-apart', id)
        change.lit.id = id
        return
      }
    }
  }

  #isNew(rule: RuleName, id: string): void {
    this.#count(rule)
    if (this.#ids.has(id)) this.#fail(rule, `${id} was the id of another run before`)
    this.#ids.add(id)
  }

  #eventsDiffer(
    is: { readonly at: number; readonly text: string } | undefined,
    should: { readonly at: number; readonly text: string; readonly rule: RuleName } | undefined,
  ): never {
    if (should !== undefined && (is === undefined || should.at <= is.at)) {
      this.#fail(should.rule, `told ${is?.text ?? 'nothing'}, should be ${should.text}`)
    }
    const text = is?.text ?? ''
    const rule = text.endsWith(' sequence') ? '3.3/uninvited'
      : text.includes(' dmx ') ? 'D5/no-other-change' : '3.2/no-other-edge'
    this.#fail(rule, `told ${text}, should be ${should?.text ?? 'nothing'}`)
  }
}

const inOrder = (
  a: { readonly at: number; readonly text: string },
  b: { readonly at: number; readonly text: string },
): number => a.at - b.at || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)

const textOf = (event: EngineEvent): string => {
  switch (event.kind) {
    case 'run': {
      const { at, executionId, buttonId, state, endReason, positionMs, durationMs, cause } = event
      return `${at} run ${executionId} ${buttonId} ${state} ${String(endReason)} ` +
        `${positionMs} ${durationMs} ${cause}`
    }
    case 'dmx': {
      const { at, dmxExecutionId, buttonId, change, positionMs } = event
      return `${at} dmx ${dmxExecutionId} ${buttonId} ${change} ${positionMs}`
    }
    case 'image':
      return `${event.at} image ${event.buttonId} ${String(event.shown)}`
    case 'notice':
      return `${event.at} notice ${String(event.executionId)}`
    case 'output':
    case 'catalogue':
      return `${event.at} ${event.kind}`
  }
}

const textDue = (change: Change): string => {
  const { at } = change
  switch (change.kind) {
    case 'run': {
      const { run, state, endReason, position, durationMs, cause } = change
      return `${at} run ${String(run.id)} ${run.piece.id} ${state} ${String(endReason)} ` +
        `${Math.floor(position / MS)} ${durationMs} ${cause}`
    }
    case 'dmx': {
      const { lit } = change
      return `${at} dmx ${String(lit.id)} ${lit.piece.id} ${change.change} ${change.position / MS}`
    }
    case 'image':
      return `${at} image ${change.piece.id} ${String(change.shown)}`
    case 'notice':
      return `${at} notice ${String(change.run.id)}`
  }
}

/** Section 6 of the project's API page: the event's own fields, without the frame. */
const wireEvent = (event: EngineEvent): Pick<Told, 'name' | 'data'> => {
  switch (event.kind) {
    case 'image':
      return { name: 'image', data: { buttonId: event.buttonId, isShown: event.shown } }
    case 'run': {
      const { executionId, buttonId, state, positionMs, durationMs, endReason, cause } = event
      const { message } = event
      return {
        name: 'run',
        data: {
          executionId, buttonId, state, positionMs, durationMs, endReason, cause, message,
        },
      }
    }
    case 'dmx': {
      const { dmxExecutionId, buttonId, change, positionMs } = event
      return { name: 'dmx', data: { dmxExecutionId, buttonId, change, positionMs } }
    }
    case 'notice': {
      const { buttonId, executionId, message } = event
      return { name: 'notice', data: { buttonId, executionId, message } }
    }
    case 'output':
    case 'catalogue':
      throw new Wrong(`an event that no night has: ${event.kind}`)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

interface Apart {
  readonly place: string
  readonly is: unknown
  readonly should: unknown
}

/** The first place at which two bodies differ; what one of them lacks is a difference too. */
export const difference = (is: unknown, should: unknown, place: string): Apart | null => {
  if (is === should) return null
  if (!isRecord(is) || !isRecord(should)) return { place: place === '' ? 'it' : place, is, should }
  for (const key of Object.keys(should)) {
    const apart = difference(is[key], should[key], place === '' ? key : `${place}.${key}`)
    if (apart !== null) return apart
  }
  for (const key of Object.keys(is)) {
    if (!(key in should)) {
      return { place: place === '' ? key : `${place}.${key}`, is: is[key], should: undefined }
    }
  }
  return null
}

const titleOf = (request: Request): string => {
  if ('button' in request) {
    return `POST /buttons/${request.button}/${request.ask} ${JSON.stringify(request.body)}`
  }
  switch (request.ask) {
    case 'buttons':
    case 'status':
      return `GET /${request.ask}`
    case 'execution':
      return `GET /executions/${request.id}`
    case 'events':
      return 'GET /events'
    case 'wire':
      return `${request.method} ${request.path}`
    case 'panic':
      return `POST /stop ${JSON.stringify(request.body)}`
  }
}
