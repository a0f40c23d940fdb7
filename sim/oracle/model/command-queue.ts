// The reference model of the command queue: one command at a time, few behind it, each answered
// once (D4).
import type { Judge } from '../judge.js'
import type { SeenCheck, SimMedia } from '../../world/media.js'
import type { Command } from '../../../src/engine/commands/commands.js'
import type { Answer } from './commands.js'

export interface Ticket {
  readonly ask: Command
  readonly at: number
  /** What the engine answered. */
  got: { readonly status: number; readonly body: Readonly<Record<string, unknown>> } | null
  check: SeenCheck | null
  found: boolean | null
}

const QUEUE = 16
const DEADLINE = 240_000

export interface CommandQueueHost {
  readonly judge: Judge
  readonly media: SimMedia
  now(): number
  /** Refuses for the whole service. */
  closed(): Answer | null
  /** Null where a file must be looked at first. */
  carryOut(ask: Command, found: boolean | null): Answer | null
  pathOf(button: string): string
}

export class ModelCommandQueue {
  #current: Ticket | null = null
  readonly #waiting: Ticket[] = []
  readonly #open = new Set<Ticket>()
  #asked: Ticket | null = null
  /** The file that was looked at last for a command. */
  #seen: string | null = null
  answered = 0
  /** What looks said, by their number. */
  readonly #answers = new Map<number, boolean>()

  constructor(private readonly host: CommandQueueHost) {}

  get busy(): boolean {
    return this.#current !== null
  }

  /** What was answered to the command that is being carried out. */
  said(): Readonly<Record<string, unknown>> | null {
    return this.#asked?.got?.body ?? null
  }

  /** Lets a command in; panic is answered by `panic` and waits behind nothing. */
  submit(ticket: Ticket, panic: (() => Answer) | null): void {
    this.#open.add(ticket)
    const closed = this.host.closed()
    if (panic !== null) {
      this.clear({ status: 500, body: { error: 'command_failed' }, rule: 'D/panic' })
      this.#asked = ticket
      this.#judge(ticket, panic())
    } else if (closed !== null) this.#judge(ticket, closed)
    else if (this.#current !== null && this.#waiting.length >= QUEUE) {
      this.host.judge.sometimes('the queue is full')
      this.#judge(ticket, refusal(409, 'command_in_progress', 'D4/queue'))
    } else {
      if (this.#current !== null) this.host.judge.sometimes('a command waits in the queue')
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
      this.host.judge.hold('D4/one-at-a-time', ticket.got === null, told)
    }
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
    const path = 'buttonId' in ticket.ask ? this.host.pathOf(ticket.ask.buttonId) : null
    // A show that was replaced meanwhile may name another file: that one must be looked at, too.
    const found = path === this.#seen ? ticket.found : null
    const answer = this.host.closed() ?? this.host.carryOut(ticket.ask, found)
    if (answer !== null) {
      this.#finish(ticket, answer)
      return
    }
    const check = path === null ? null : this.host.media.takeCheck(path, this.host.now())
    this.host.judge.hold('D3/looks-first', check !== null, () =>
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
    this.host.judge.sometimes('a command meets its deadline')
    this.#finish(ticket, refusal(500, 'command_failed', 'D4/deadline'))
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
    this.host.judge.hold('D4/one-at-a-time', got !== null, () =>
      `${asked} should be answered now with ${JSON.stringify(answer.body)}, and is not`)
    const same = got!.status === answer.status && alike(got!.body, answer.body)
    this.host.judge.hold(answer.rule, same, () =>
      `${asked} answers ${got!.status} ${JSON.stringify(got!.body)}, ` +
      `should be ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

export const refusal = (status: number, error: string, rule: Answer['rule']): Answer =>
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
