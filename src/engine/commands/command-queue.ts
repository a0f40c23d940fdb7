// The bounded queue: one command at a time, a few in order behind it, each with a deadline
// (decisions 4).
import { add, FRAMES_PER_MS, type Frame } from '../../clock/frame.js'
import { refuse, type Refusal } from '../../contract/errors.js'
import { LIMITS } from '../../contract/limits.js'
import { LANE, type Agenda, type Due } from '../agenda.js'
import type { Command, Reply } from './commands.js'

export interface Ticket {
  readonly command: Command
  readonly answer: (reply: Reply) => void
  deadline: Due | null
  /** Set while a file is being looked at for it. */
  check: number | null
  /** What the look said, and of which file; null before it. */
  looked: {
    readonly path: string
    readonly found: boolean
    /** Why that is not known; null where it is. */
    readonly trouble: string | null
  } | null
  done: boolean
}

export interface CommandQueueHost {
  now(): Frame
  /** Refuses for the whole service: shutting down, or busy replacing the show. */
  closed(): Refusal | null
  /** Answers, or remembers the check that it waits for in the ticket and returns null. */
  carryOut(ticket: Ticket): Reply | null
  forgetCheck(check: number): void
}

export class CommandQueue {
  #current: Ticket | null = null
  readonly #waiting: Ticket[] = []

  constructor(
    private readonly host: CommandQueueHost,
    private readonly agenda: Agenda,
  ) {}

  submit(command: Command, answer: (reply: Reply) => void): void {
    const refusal = this.host.closed()
    if (refusal !== null) {
      answer({ ok: false, refusal })
      return
    }
    const ticket: Ticket = {
      command, answer, deadline: null, check: null, looked: null, done: false,
    }
    if (this.#current !== null && this.#waiting.length >= LIMITS.commandsWaiting) {
      answer({ ok: false, refusal: refuse('command_in_progress', 'too many commands wait') })
      return
    }
    this.#waiting.push(ticket)
    this.#pump()
    if (ticket.done) return
    const at = add(this.host.now(), LIMITS.commandDeadlineMs * FRAMES_PER_MS)
    ticket.deadline = this.agenda.add(at, LANE.command, () => {
      const message = 'it did not finish in time; query the state before trying again'
      this.#finish(ticket, { ok: false, refusal: refuse('command_failed', message) })
      this.#pump()
    })
  }

  /** The file was looked at: go on with the command that waited for it. */
  goOn(ticket: Ticket): void {
    ticket.check = null
    this.#attempt(ticket)
    this.#pump()
  }

  /** Panic or shutdown overtakes: what waits is refused and starts nothing later. */
  clear(refusal: Refusal): void {
    const waiting = this.#current === null ? this.#waiting : [this.#current, ...this.#waiting]
    for (const ticket of [...waiting]) this.#finish(ticket, { ok: false, refusal })
  }

  #pump(): void {
    while (this.#current === null) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#current = next
      this.#attempt(next)
    }
  }

  #attempt(ticket: Ticket): void {
    const refusal = this.host.closed()
    const reply = refusal === null ? this.host.carryOut(ticket) : { ok: false as const, refusal }
    if (reply !== null) this.#finish(ticket, reply)
  }

  #finish(ticket: Ticket, reply: Reply): void {
    if (ticket.done) return
    ticket.done = true
    this.agenda.cancel(ticket.deadline)
    if (ticket.check !== null) this.host.forgetCheck(ticket.check)
    const place = this.#waiting.indexOf(ticket)
    if (place >= 0) this.#waiting.splice(place, 1)
    if (this.#current === ticket) this.#current = null
    ticket.answer(reply)
  }
}
