// The bounded queue: one command at a time, a few in order behind it, each with a deadline
// (decisions 4).
import { add, FRAMES_PER_MS, type Frame } from '../../clock/frame.js'
import { refuse, type Refusal } from '../../contract/errors.js'
import { LIMITS } from '../../contract/limits.js'
import { LANE, type Agenda, type Due } from '../agenda.js'
import type { Command, Reply } from './commands.js'

/** All but a panic, which waits behind nothing. */
export type CommandInTurn = Exclude<Command, { kind: 'panic' }>

export interface QueuedCommand {
  readonly command: CommandInTurn
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
  /** Answers, or notes the check that it waits for and returns null: `goOn` when that is there. */
  carryOut(queued: QueuedCommand, goOn: () => void): Reply | null
  forgetCheck(check: number): void
}

export class CommandQueue {
  #current: QueuedCommand | null = null
  readonly #waiting: QueuedCommand[] = []

  constructor(
    private readonly host: CommandQueueHost,
    private readonly agenda: Agenda,
  ) {}

  submit(command: CommandInTurn, answer: (reply: Reply) => void): void {
    const refusal = this.host.closed()
    if (refusal !== null) {
      answer({ ok: false, refusal })
      return
    }
    const queued: QueuedCommand = {
      command, answer, deadline: null, check: null, looked: null, done: false,
    }
    if (this.#current !== null && this.#waiting.length >= LIMITS.commandsWaiting) {
      answer({ ok: false, refusal: refuse('command_in_progress', 'too many commands wait') })
      return
    }
    this.#waiting.push(queued)
    this.#pump()
    if (queued.done) return
    const at = add(this.host.now(), LIMITS.commandDeadlineMs * FRAMES_PER_MS)
    queued.deadline = this.agenda.add(at, LANE.command, () => {
      const message = 'it did not finish in time; query the state before trying again'
      this.#finish(queued, { ok: false, refusal: refuse('command_failed', message) })
      this.#pump()
    })
  }

  /** Panic or shutdown overtakes: what waits is refused and starts nothing later. */
  clear(refusal: Refusal): void {
    const waiting = this.#current === null ? this.#waiting : [this.#current, ...this.#waiting]
    for (const queued of [...waiting]) this.#finish(queued, { ok: false, refusal })
  }

  #pump(): void {
    while (this.#current === null) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#current = next
      this.#attempt(next)
    }
  }

  #attempt(queued: QueuedCommand): void {
    const refusal = this.host.closed()
    const reply = refusal === null ? this.host.carryOut(queued, () => { this.#goOn(queued) })
      : { ok: false as const, refusal }
    if (reply !== null) this.#finish(queued, reply)
  }

  /** The file was looked at: go on with the command that waited for it. */
  #goOn(queued: QueuedCommand): void {
    queued.check = null
    this.#attempt(queued)
    this.#pump()
  }

  #finish(queued: QueuedCommand, reply: Reply): void {
    if (queued.done) return
    queued.done = true
    this.agenda.cancel(queued.deadline)
    if (queued.check !== null) this.host.forgetCheck(queued.check)
    const place = this.#waiting.indexOf(queued)
    if (place >= 0) this.#waiting.splice(place, 1)
    if (this.#current === queued) this.#current = null
    queued.answer(reply)
  }
}
