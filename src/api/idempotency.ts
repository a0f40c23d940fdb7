// Lost answers made safe: a command that comes again with its Idempotency-Key is answered again and
// not carried out again. An addition of cartwall's; without the header nothing of this takes place.
import type { FastifyRequest } from 'fastify'
import type { Timers } from '../clock/timers.js'
import { ERRORS, refuse, type ErrorCode, type Refusal } from '../contract/errors.js'
import { LIMITS } from '../contract/limits.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import { giverTo } from './wire/fair-share.js'

const PRINTABLE = new RegExp(`^[ -~]{1,${LIMITS.idempotencyKeyCharacters}}$`)

/** "Not now": whoever sends the same again is meant to have it carried out then. */
const FOR_LATER: readonly ErrorCode[] = ['command_in_progress', 'app_busy', 'dmx_initializing']

/** Known by what it asks for: the same command, however its JSON was written. */
interface Kept {
  readonly asked: string
  /** Who sent it first. */
  readonly address: string
  readonly reply: Promise<Reply>
  /** Null while the first one is carried out. */
  until: number | null
}

export interface KeyedCommand {
  readonly key: string
  /** Of whoever sent it; keys are shared out by it, and found whatever it is. */
  readonly address: string
  readonly command: Command
}

export interface Answered {
  readonly reply: Promise<Reply>
  readonly isReplay: boolean
}

const BAD_KEY = refuse(
  'invalid_playback_request',
  `an Idempotency-Key has 1 to ${LIMITS.idempotencyKeyCharacters} printable ASCII characters, ` +
    'and stands once',
)
const CONFLICT = refuse(
  'idempotency_conflict', 'this Idempotency-Key came with another request; use a new one',
)
const FULL = refuse(
  'idempotency_full',
  `${LIMITS.idempotencyKeys} keys are remembered; try again later, or send no Idempotency-Key`,
)

/** The key of a request, null where it has none. Node joins two such headers into one. */
export const idempotencyKeyOf = (
  { raw }: Pick<FastifyRequest, 'raw'>,
): string | Refusal | null => {
  const key = raw.headers['idempotency-key']
  if (key === undefined) return null
  const lines = raw.rawHeaders.filter(
    (text, i) => i % 2 === 0 && text.toLowerCase() === 'idempotency-key',
  )
  return lines.length === 1 && typeof key === 'string' && PRINTABLE.test(key) ? key : BAD_KEY
}

export class Idempotency {
  /** In the order in which they are forgotten; those that are carried out stand anywhere. */
  readonly #kept = new Map<string, Kept>()
  /** How many keys each address holds. */
  readonly #held = new Map<string, number>()

  constructor(private readonly timers: Timers) {}

  /** The answer of the first time, or that of `execute`; one that is under way is waited for. */
  once(
    { key, address, command }: KeyedCommand, execute: () => Promise<Reply>,
  ): Answered | Refusal {
    this.#forget()
    const asked = JSON.stringify(command)
    const before = this.#kept.get(key)
    if (before !== undefined) {
      return before.asked === asked ? { reply: before.reply, isReplay: true } : CONFLICT
    }
    if (this.#kept.size >= LIMITS.idempotencyKeys && !this.#makeRoom(address)) {
      // Whatever keys are for: silence is never refused.
      return command.kind === 'panic' ? { reply: execute(), isReplay: false } : FULL
    }
    const reply = execute()
    const kept: Kept = { asked, address, reply, until: null }
    this.#kept.set(key, kept)
    this.#held.set(address, this.#heldBy(address) + 1)
    reply.then(
      (value) => this.#settled(key, kept, isFinal(value)),
      () => this.#settled(key, kept, false),
    )
    return { reply, isReplay: false }
  }

  #settled(key: string, kept: Kept, isFinal: boolean): void {
    this.#kept.delete(key)
    if (!isFinal) {
      this.#gone(kept)
      return
    }
    kept.until = this.timers.nowMs() + LIMITS.idempotencyMs
    this.#kept.set(key, kept)
  }

  #forget(): void {
    const now = this.timers.nowMs()
    for (const [key, kept] of this.#kept) {
      if (kept.until === null) continue
      if (kept.until > now) return
      this.#kept.delete(key)
      this.#gone(kept)
    }
  }

  /**
   * All keys are in use: the address that holds the most forgets its oldest, so that an app in a
   * tight loop of new keys takes them from itself alone.
   */
  #makeRoom(address: string): boolean {
    const giver = giverTo(address, this.#held)
    if (giver === null) return false
    for (const [key, kept] of this.#kept) {
      if (kept.address !== giver || kept.until === null) continue
      this.#kept.delete(key)
      this.#gone(kept)
      return true
    }
    return false
  }

  #heldBy(address: string): number {
    return this.#held.get(address) ?? 0
  }

  #gone({ address }: Kept): void {
    const held = this.#heldBy(address) - 1
    if (held > 0) this.#held.set(address, held)
    else this.#held.delete(address)
  }
}

/**
 * What succeeded, what the request itself was refused for, and what a panic swept away: that must
 * not sound after it. Any other 5xx did nothing: try again.
 */
const isFinal = (reply: Reply): boolean => {
  if (reply.ok || reply.refusal.isSwept === true) return true
  const { code } = reply.refusal
  return ERRORS[code] < 500 && !FOR_LATER.includes(code)
}
