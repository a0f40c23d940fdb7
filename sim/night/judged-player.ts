// A player that clients drive for hours: every event and answer is held against the model at once.
import type { EngineEvent } from '../../src/engine/events.js'
import { difference, differenceText } from '../oracle/difference.js'
import { Judge } from '../oracle/judge.js'
import type { ModelButton } from '../oracle/model/shapes.js'
import { Oracle } from '../oracle/oracle.js'
import { eventText } from '../play/records.js'
import { commandOf, titleOf, type Answer, type Request } from './requests.js'
import type { nightShow } from './night-show.js'
import { pathOf, PLAIN_NAMING } from '../scenario/show.js'
import { PlayerUnderTest } from '../world/player-under-test.js'

/** The first thing on the wire that was not as it should be; the night ends there. */
export class Wrong extends Error {}

/** How a request gets to the player: by a call or through HTTP. */
export interface Connection {
  ask(request: Request): Answer | Promise<Answer>
  close(): Promise<unknown>
}

/** An event as readers of GET /events get it. */
export interface Told {
  readonly n: number
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

export class JudgedPlayer {
  readonly player: PlayerUnderTest
  readonly oracle: Oracle
  readonly judge = new Judge()
  readonly buttons: readonly ModelButton[]
  readonly told: Told[] = []
  /** What was told and answered, in order. */
  readonly records: string[] = []
  requests = 0

  constructor({ scenario, probed }: ReturnType<typeof nightShow>) {
    this.player = new PlayerUnderTest(scenario, PLAIN_NAMING, 0)
    this.player.subscribe((event) => this.#hear(event))
    this.oracle = new Oracle(this.player, this.judge)
    this.buttons = [...this.oracle.model.state.show.buttons.values()]
    for (const file of probed) {
      const duration = scenario.files[file]!.frames
      this.player.post({ kind: 'probed', path: pathOf(file), duration: duration as never })
    }
    this.oracle.catchUp()
  }

  get now(): number {
    return this.player.now
  }

  passTo(to: number): void {
    this.player.passTo(to)
    this.oracle.catchUp()
  }

  async ask(request: Request, connection: Connection): Promise<Answer> {
    this.requests += 1
    const answer = await connection.ask(request)
    this.#judge(request, answer)
    const { status, body } = answer
    const said = request.ask === 'events' ? this.told.length - request.after : JSON.stringify(body)
    this.records.push(`${this.now} ${titleOf(request)} ${status} ${said}`)
    return answer
  }

  #judge(request: Request, { status, body }: Answer): void {
    const { readings } = this.oracle
    if ('body' in request) {
      const ask = commandOf(request)
      return this.oracle.model.submit({ ask, at: this.now, got: { status, body }, check: null })
    }
    if (request.ask === 'wire') {
      // Plain calls cannot break the rules of the wire: they answer what is to be answered.
      const { status: should, error } = request
      const told = { status, error: body['error'] ?? null }
      return this.#same(request, told, { status: should, error })
    }
    const isGone = status === 404 && body['error'] === 'execution_not_found'
    if (request.ask === 'execution') readings.execution(request.id, isGone ? null : body)
    else if (request.ask === 'events') {
      this.#same(request, body, { events: this.told.slice(request.after) })
    } else readings[request.ask](body)
    if (request.ask === 'execution' && isGone) return
    this.#same(request, { status }, { status: 200 })
  }

  #same(request: Request, is: object, should: object): void {
    const apart = difference(is, should, '')
    if (apart === null) return
    throw new Wrong(
      `the wire (7, D1) at frame ${this.now}: ${titleOf(request)}: ${differenceText(apart)}`)
  }

  #hear(event: EngineEvent): void {
    this.records.push(eventText(event, 0))
    // Section 6 of the project's API page: the event's own fields, without the frame.
    const own = Object.entries(event)
      .filter(([key]) => key !== 'kind' && key !== 'at' && key !== 'birth')
      .map(([key, value]) => [key === 'shown' ? 'isShown' : key, value] as const)
    this.told.push({ n: this.told.length + 1, name: event.kind, data: Object.fromEntries(own) })
  }
}
