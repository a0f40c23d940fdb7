// The reference model of the command queue: one command at a time, few behind it, each answered
// once (D4).
import { difference } from '../../difference.js'
import type { SeenCheck } from '../../../world/media.js'
import type { Command } from '../../../../src/engine/commands/commands.js'
import { pathOf } from '../../../scenario/show.js'
import type { ModelState } from '../state.js'
import { refused, type Answer } from './answer.js'
import type { ModelCommands } from './commands.js'

export interface Ticket {
  readonly ask: Command
  readonly at: number
  /** What the engine answered. */
  got: Pick<Answer, 'status' | 'body'> | null
  check: SeenCheck | null
  found: boolean | null
}

const QUEUE = 16
const DEADLINE = 240_000

export class ModelCommandQueue {
  #current: Ticket | null = null
  readonly #waiting: Ticket[] = []
  readonly #open = new Set<Ticket>()
  /** The file that was looked at last for a command. */
  #seen: string | null = null
  answered = 0
  /** What looks said, by their number. */
  readonly #answers = new Map<number, boolean>()

  constructor(private readonly state: ModelState, private readonly commands: ModelCommands) {}

  get busy(): boolean {
    return this.#current !== null
  }

  /** Lets a command in; panic waits behind nothing. */
  submit(ticket: Ticket): void {
    this.#open.add(ticket)
    const { ask } = ticket
    const closed = this.#closed()
    if (ask.kind === 'panic' && !this.state.shut) {
      this.clear(refused(500, 'command_failed', 'D/panic'))
      this.#judge(ticket, this.commands.panic(ask.fadeOutMs))
    } else if (closed !== null) this.#judge(ticket, closed)
    else if (this.#current !== null && this.#waiting.length >= QUEUE) {
      this.state.sometimes('the queue is full')
      this.#judge(ticket, refused(409, 'command_in_progress', 'D4/queue'))
    } else {
      if (this.#current !== null) this.state.sometimes('a command waits in the queue')
      this.#waiting.push(ticket)
      this.#pump()
    }
  }

  /** The commands that wait, each with the frame of its deadline. */
  deadlines(): readonly { readonly at: number; readonly meet: () => void }[] {
    if (this.#current === null) return []
    return [this.#current, ...this.#waiting].map((ticket) =>
      ({ at: ticket.at + DEADLINE, meet: () => this.#expire(ticket) }))
  }

  awaits(check: number): boolean {
    return this.#current?.check?.ticket === check
  }

  /** None may be answered that is not yet meant to be. */
  judgeSilence(): void {
    for (const ticket of this.#open) {
      const told = (): string => `${JSON.stringify(ticket.ask)} was answered out of turn: ` +
        JSON.stringify(ticket.got?.body)
      this.state.judge.hold('D4/one-at-a-time', ticket.got === null, told)
    }
  }

  /** Refuses for the whole service. */
  #closed(): Answer | null {
    if (this.state.shut) return refused(503, 'shutting_down', '7/shutting-down')
    return this.state.busy ? refused(409, 'app_busy', 'D4/busy') : null
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
    this.state.said = ticket.got?.body ?? null
    const path = 'buttonId' in ticket.ask ? this.#pathOf(ticket.ask.buttonId) : null
    // A show that was replaced meanwhile may name another file: that one must be looked at, too.
    const found = path === this.#seen ? ticket.found : null
    const answer = this.#closed() ?? this.commands.carryOut(ticket.ask, found)
    if (answer !== null) {
      this.#finish(ticket, answer)
      return
    }
    const check = path === null ? null : this.state.media.takeCheck(path, this.state.now)
    this.state.judge.hold('D3/looks-first', check !== null, () =>
      `nobody looked for ${String(path)}`)
    this.#seen = path
    const early = this.#answers.get(check!.ticket)
    if (early === undefined) {
      ticket.check = check
      return
    }
    // The observer is ahead: the look was answered at this very frame.
    ticket.found = early
    this.#attempt(ticket)
  }

  #pathOf(button: string): string {
    return pathOf(this.state.show.buttons.get(button)?.file ?? -1)
  }

  checked(n: number, found: boolean): void {
    this.#answers.set(n, found)
    const ticket = this.#current
    if (ticket?.check?.ticket !== n) return
    ticket.check = null
    ticket.found = found
    this.#attempt(ticket)
    this.#pump()
  }

  #expire(ticket: Ticket): void {
    this.state.sometimes('a command meets its deadline')
    this.#finish(ticket, refused(500, 'command_failed', 'D4/deadline'))
    this.#pump()
  }

  clear(answer: Answer): void {
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
    this.answered += 1
    const { got } = ticket
    const asked = JSON.stringify(ticket.ask)
    this.state.judge.hold('D4/one-at-a-time', got !== null, () =>
      `${asked} should be answered now with ${JSON.stringify(answer.body)}, and is not`)
    const same = got!.status === answer.status && difference(got!.body, answer.body, '') === null
    this.state.judge.hold(answer.rule, same, () =>
      `${asked} answers ${got!.status} ${JSON.stringify(got!.body)}, ` +
      `should be ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}
