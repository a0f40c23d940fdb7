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

interface Waiting {
  readonly since: number
  readonly resolve: (reply: Reply) => void
}

/** One timer for all that wait, and none while nobody does: a command costs no timer of its own.
 * As many wait as there are requests in flight. */
export class Deadline {
  readonly #waiting = new Set<Waiting>()
  #endSweeps: Cancel | null = null

  constructor(private readonly timers: Timers) {}

  over(reply: Promise<Reply>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { since: this.timers.nowMs(), resolve }
      this.#waiting.add(one)
      this.#endSweeps ??= this.timers.every(SWEEP_EVERY_MS, () => this.#sweep())
      reply.then(resolve, reject).finally(() => this.#waiting.delete(one))
    })
  }

  #sweep(): void {
    const now = this.timers.nowMs()
    for (const one of this.#waiting) {
      if (now - one.since < LIMITS.commandAnswerMs) continue
      this.#waiting.delete(one)
      one.resolve(LATE)
    }
    if (this.#waiting.size > 0) return
    this.#endSweeps?.()
    this.#endSweeps = null
  }
}
