// Answers for a player that no longer does, so that no client waits for ever.
import { refuse } from '../contract/errors.js'
import { LIMITS } from '../contract/limits.js'
import type { Reply } from '../engine/commands/commands.js'

/** The engine gives up on a command by itself and cleans up after it; this comes after that. */
const GIVE_UP_MS = LIMITS.commandDeadlineMs + 1_000
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
  #timer: NodeJS.Timeout | null = null

  over(reply: Promise<Reply>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { since: performance.now(), resolve }
      this.#waiting.add(one)
      this.#timer ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS)
      reply.then(resolve, reject).finally(() => this.#waiting.delete(one))
    })
  }

  #sweep(): void {
    const now = performance.now()
    for (const one of this.#waiting) {
      if (now - one.since < GIVE_UP_MS) continue
      this.#waiting.delete(one)
      one.resolve(LATE)
    }
    if (this.#waiting.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
