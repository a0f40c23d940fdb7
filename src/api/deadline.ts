// Answers for a player that no longer does, so that no client waits for ever.
import type { Cancel, Timers } from '../clock/timers.js'
import { refuse } from '../contract/errors.js'
import { LIMITS } from '../contract/limits.js'
import type { Reply } from '../engine/commands/commands.js'

const SWEEP_EVERY_MS = 500

const LATE: Reply = {
  ok: false,
  refusal: refuse(
    'command_failed',
    'the player does not answer; ask for its state before you try again',
  ),
}

/** So many sweeps it has seen go by: at least as long as an answer may take. */
const SWEEPS = Math.ceil(LIMITS.commandAnswerMs / SWEEP_EVERY_MS)

interface Waiting {
  /** The sweep before it. */
  readonly since: number
  readonly resolve: (reply: Reply) => void
}

/**
 * One timer for all that wait, and none while nobody does: a command costs no timer of its own, and
 * no look at the clock. As many wait as there are requests in flight.
 */
export class Deadline {
  readonly #waiting = new Set<Waiting>()
  #endSweeps: Cancel | null = null
  #sweeps = 0

  constructor(private readonly timers: Timers) {}

  over(reply: Promise<Reply>): Promise<Reply> {
    return new Promise((resolve) => {
      const one: Waiting = { since: this.#sweeps, resolve }
      this.#waiting.add(one)
      this.#endSweeps ??= this.timers.every(SWEEP_EVERY_MS, () => this.#sweep())
      const settle = (value: Reply | Promise<Reply>): void => {
        this.#waiting.delete(one)
        resolve(value)
      }
      reply.then(settle, () => settle(reply))
    })
  }

  #sweep(): void {
    this.#sweeps += 1
    for (const one of this.#waiting) {
      if (this.#sweeps - one.since <= SWEEPS) continue
      this.#waiting.delete(one)
      one.resolve(LATE)
    }
    if (this.#waiting.size > 0) return
    this.#endSweeps?.()
    this.#endSweeps = null
  }
}
