// What a background says to the service: each call once, with its time limit, and nothing decided.
import { isNext, type Resume, type Run, type Starting } from './background-phase.js'
import { codeOf, failureOf } from './failure.js'
import { CartwallError } from './error.js'
import type { CallOptions, Client } from './types.js'
import { LOOK_TIMEOUT_MS, nowOf, within, type Wait } from './wait.js'
import type {
  AlreadyActiveAnswer, Execution, RunOptions, StartAnswer, StatusAnswer,
} from './wire.js'

/** Without an answer for so long the service is away. */
const AWAY_MS = 2_000
/** An id that no run has. */
const NO_RUN = '00000000-0000-4000-8000-000000000000'
/** What a stop is refused with where there is nothing to stop. */
const OVER = ['execution_not_found', 'stale_execution', 'execution_not_resumable']

export interface CallSettings {
  readonly wait: Wait
  readonly timeoutMs: number | undefined
  readonly runOptions: RunOptions | undefined
  /** Ends everything. */
  readonly over: AbortSignal
}

export class BedCalls {
  /** Since when the service has not answered; null: it has. */
  #silentSince: number | null = null

  constructor(readonly client: Client, private readonly settings: CallSettings) {}

  get isAway(): boolean {
    return this.#silentSince !== null && this.#now - this.#silentSince >= AWAY_MS
  }

  status(signal: AbortSignal): Promise<StatusAnswer> {
    return this.#call(signal, null, (call) => this.client.status(call))
  }

  execution({ executionId }: Run, signal: AbortSignal): Promise<Execution> {
    return this.#call(signal, null, (call) => this.client.execution(executionId, call))
  }

  async liveRunOf(buttonId: string, signal: AbortSignal): Promise<string | null> {
    const { buttons } = await this.#call(signal, null, (call) => this.client.buttons(call))
    return buttons.find(({ id }) => id === buttonId.toLowerCase())?.executionId ?? null
  }

  /**
   * Play would leave a run that is there to its own options (3.3.7). The next bed is asked for by
   * one word on all pages, whether another one was first or not: their key is one.
   */
  start(start: Starting, leftMs: number): Promise<StartAnswer | AlreadyActiveAnswer> {
    const { buttonId, before, key } = start
    const options = { ...this.settings.runOptions, externalSequencing: true }
    const how = before === null && !isNext(start) ? 'play' : 'restart'
    return this.#call(null, leftMs, (call) =>
      this.client[how](buttonId, options, { ...call, idempotencyKey: key }))
  }

  pause({ buttonId, executionId }: Run, fadeOutMs: number | undefined, idempotencyKey: string) {
    return this.#call(null, null, (call) =>
      this.client.pause(buttonId, { executionId, fadeOutMs }, { ...call, idempotencyKey }))
  }

  resume({ buttonId, executionId }: Run, { fadeInMs, key }: Resume, leftMs: number) {
    return this.#call(null, leftMs, (call) =>
      this.client.resume(buttonId, { executionId, fadeInMs }, { ...call, idempotencyKey: key }))
  }

  /** What is over already was stopped; any other refusal leaves a bed that plays. */
  async stop({ buttonId, executionId }: Run, fadeOutMs: number | undefined): Promise<void> {
    try {
      await this.#call(null, null, (call) =>
        this.client.stop(buttonId, { executionId, fadeOutMs }, call))
    } catch (error) {
      if (!OVER.includes(codeOf(error))) throw error
    }
  }

  /**
   * Uses up the key of a command that was given up, by one that does nothing: from then on the
   * service refuses it. False: it had arrived before.
   */
  async burn(buttonId: string, idempotencyKey: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#call(signal, null, (call) =>
        this.client.stop(buttonId, { executionId: NO_RUN }, { ...call, idempotencyKey }))
    } catch (error) {
      if (codeOf(error) === 'idempotency_conflict') return false
      // Where even this is refused, so is what was given up.
      if (failureOf(error) !== 'refused') throw error
    }
    return true
  }

  async #call<T>(
    signal: AbortSignal | null, leftMs: number | null, call: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const { wait, timeoutMs = LOOK_TIMEOUT_MS, over } = this.settings
    const ms = Math.max(0, Math.min(timeoutMs, leftMs ?? Infinity))
    // What is looked at is cut short by the end of everything too.
    const outer = signal ?? over
    const since = this.#now
    try {
      const answer = await within(ms, wait, outer, (inner) =>
        call({ signal: inner, timeoutMs: Infinity }))
      this.#silentSince = null
      return answer
    } catch (error) {
      // A look that was cut short says nothing about the service.
      if (error instanceof CartwallError) this.#silentSince = null
      else if (!outer.aborted) this.#silentSince ??= since
      throw error
    }
  }

  get #now(): number {
    return nowOf(this.settings.wait)
  }
}
