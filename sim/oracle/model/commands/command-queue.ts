// The reference model of the command queue: one at a time, few behind it, each answered once (D4).
import { judgeBody } from '../../difference.js'
import { take } from '../../../world/lists.js'
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
  /** The look at its file that it waits for, or waited for last. */
  check: SeenCheck | null
}

const QUEUE = 16
const DEADLINE = 240_000

export class ModelCommandQueue {
  /** The first is under way, the others wait. */
  readonly #row: Ticket[] = []
  readonly #open = new Set<Ticket>()
  answered = 0
  /** What looks said, by their number. */
  readonly #answers = new Map<number, boolean>()

  constructor(private readonly state: ModelState, private readonly commands: ModelCommands) {}

  get busy(): boolean {
    return this.#row.length > 0
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
    else if (this.#row.length > QUEUE) {
      this.state.judge.sometimes('the queue is full')
      this.#judge(ticket, refused(409, 'command_in_progress', 'D4/queue'))
    } else {
      this.state.judge.sometimes('a command waits in the queue', this.busy)
      this.#row.push(ticket)
      if (this.#row.length === 1) this.#pump()
    }
  }

  /** Whoever came first meets it first; Infinity where nobody waits. */
  nextDeadline(): number {
    return (this.#row[0]?.at ?? Infinity) + DEADLINE
  }

  awaits(check: number): boolean {
    return this.#row[0]?.check?.ticket === check
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
    for (let next = this.#row[0]; next !== undefined; next = this.#row[0]) {
      if (!this.#attempt(next)) return
    }
  }

  /** Whether it is answered; else a look at its file is to be waited for. */
  #attempt(ticket: Ticket): boolean {
    const { judge, media, now, show } = this.state
    this.state.said = ticket.got?.body ?? null
    const button = 'buttonId' in ticket.ask ? show.buttons.get(ticket.ask.buttonId) : undefined
    const path = pathOf(button?.file ?? -1)
    // A show that was replaced meanwhile may name another file: that one must be looked at, too.
    const found = ticket.check?.path === path ? this.#saidOf(ticket.check) : null
    const answer = this.#closed() ?? this.commands.carryOut(ticket.ask, found)
    if (answer !== null) {
      this.#finish(ticket, answer)
      return true
    }
    const check = take(media.checks, (one) => one.path === path && one.at === now)
    judge.hold('D3/looks-first', check !== null, () => `nobody looked for ${path}`)
    ticket.check = check
    // The observer is ahead: the look may have been answered at this very frame.
    return this.#saidOf(check!) !== null && this.#attempt(ticket)
  }

  #saidOf({ ticket }: SeenCheck): boolean | null {
    return this.#answers.get(ticket) ?? null
  }

  checked(n: number, found: boolean): void {
    this.#answers.set(n, found)
    if (this.awaits(n)) this.#pump()
  }

  expire(): void {
    this.state.judge.sometimes('a command meets its deadline')
    this.#finish(this.#row[0]!, refused(500, 'command_failed', 'D4/deadline'))
    this.#pump()
  }

  clear(answer: Answer): void {
    for (const ticket of [...this.#row]) this.#finish(ticket, answer)
  }

  #finish(ticket: Ticket, answer: Answer): void {
    this.#row.splice(this.#row.indexOf(ticket), 1)
    this.#judge(ticket, answer)
  }

  #judge(ticket: Ticket, answer: Answer): void {
    this.#open.delete(ticket)
    this.answered += 1
    const { got } = ticket
    const asked = JSON.stringify(ticket.ask)
    this.state.judge.hold('D4/one-at-a-time', got !== null, () =>
      `${asked} should be answered now with ${JSON.stringify(answer.body)}, and is not`)
    const { status, body, rule } = answer
    judgeBody(this.state.judge, rule, got!, { status, body }, {},
      `${asked} answers ${got!.status} ${JSON.stringify(got!.body)}: `)
  }
}
