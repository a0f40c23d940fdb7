// What happens in the service, as it happens: by its events where they can be had, else by polling.
import { after } from './time.js'
import type { Client } from './types.js'
import { CartwallError } from './error.js'
import { codeOf, realWait, type Wait } from './pace.js'
import type { EventBody, EventName, Execution, StatusAnswer } from './wire.js'

/** A run as events and status tell of it. */
export type WatchedRun = Omit<Execution, 'starvedMs'>

export type CartwallEvent = {
  [Name in EventName]: { readonly name: Name; readonly data: EventBody[Name] }
}[EventName]

/** `away`: the service does not answer. */
export type WatchMode = 'events' | 'polling' | 'away'

export interface WatchOptions {
  /** Ends the watching, as the function that `watch` returns does. */
  readonly signal?: AbortSignal | undefined
  /** Every change of a run, however it came to be known; each run's last one is its end. */
  readonly onRun?: ((run: WatchedRun) => void) | undefined
  /** Every event. There are none while it polls, and what was missed is told by a `reset`. */
  readonly onEvent?: ((event: CartwallEvent) => void) | undefined
  readonly onMode?: ((mode: WatchMode) => void) | undefined
  /** False: where events cannot be had, nothing is heard. */
  readonly poll?: boolean | undefined
  readonly pollMs?: number | undefined
  readonly timeoutMs?: number | undefined
  /** In place of real time, e.g. `player.wait` of a test player. */
  readonly wait?: Wait | undefined
}

const POLL_MS = 750
const TIMEOUT_MS = 3_000
/** The service lets itself be heard every 15 s; a connection this silent is dead. */
const SILENCE_MS = 40_000
/** A service that refused its events is asked again after so many polls. */
const TRY_AGAIN = 20
/** No event is longer; what has no end by then is no stream of events. */
const EVENT_CHARACTERS_MAX = 65_536

/** Watches until the signal aborts or the function that it returns is called. */
export const watch = (client: Client, options: WatchOptions): (() => void) => {
  const watcher = new Watcher(client, options)
  void watcher.run()
  return () => watcher.over.abort()
}

class Watcher {
  readonly over = new AbortController()
  readonly #wait: Wait
  /** The state of every run that is known and not over. */
  readonly #runs = new Map<string, string>()
  #lastId = ''
  #mode: WatchMode | null = null

  constructor(readonly client: Client, readonly options: WatchOptions) {
    this.#wait = options.wait ?? realWait
    if (options.signal?.aborted === true) this.over.abort()
    options.signal?.addEventListener('abort', () => this.over.abort(), { once: true })
  }

  async run(): Promise<void> {
    const { signal } = this.over
    let patience = 0
    while (!signal.aborted) {
      patience -= 1
      if (patience <= 0) {
        const refused = await this.#readEvents()
        patience = refused ? TRY_AGAIN : 0
      }
      if (this.#isOver()) return
      if (this.options.poll !== false) await this.#poll()
      await this.#wait(this.options.pollMs ?? POLL_MS, signal)
    }
  }

  /** Reads until the stream ends; true where the service answers but has no events to give. */
  async #readEvents(): Promise<boolean> {
    const connection = new AbortController()
    const signal = AbortSignal.any([this.over.signal, connection.signal])
    let endSilence = after(this.options.timeoutMs ?? TIMEOUT_MS, () => connection.abort())
    const alive = (): void => {
      endSilence()
      endSilence = after(SILENCE_MS, () => connection.abort())
    }
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (this.#lastId !== '') headers['last-event-id'] = this.#lastId
      const response = await this.client.open('/events', { headers, signal })
      const type = response.headers.get('content-type') ?? ''
      if (!response.ok || response.body === null || !type.startsWith('text/event-stream')) {
        void response.body?.cancel()
        return true
      }
      alive()
      // What happened before is asked for once the stream is open, so that nothing is missed.
      if (this.#lastId === '') await this.#look()
      this.#enter('events')
      await this.#take(response.body, alive)
    } catch {
      // Broken off, or never there: polling tells which.
    } finally {
      endSilence()
      connection.abort()
    }
    return false
  }

  async #take(body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    let rest = ''
    while (!this.#isOver()) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > EVENT_CHARACTERS_MAX) return
      for (const block of blocks) await this.#hear(block)
    }
  }

  async #hear(block: string): Promise<void> {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
    }
    this.#lastId = fields.get('id') ?? this.#lastId
    const text = fields.get('data')
    if (text === undefined) return
    const event = { name: fields.get('event'), data: JSON.parse(text) as unknown } as CartwallEvent
    this.options.onEvent?.(event)
    if (event.name === 'run') {
      const { executionId, buttonId, state, positionMs, durationMs, endReason } = event.data
      this.#tell({ executionId, buttonId, state, positionMs, durationMs, endReason })
    }
    // What was missed is gone for good; what there is now can be asked for.
    if (event.name !== 'reset') return
    const id = this.#lastId
    // Should the look fail, the next connection begins with one.
    this.#lastId = ''
    await this.#look()
    this.#lastId = id
  }

  async #poll(): Promise<void> {
    try {
      await this.#look()
      this.#enter('polling')
    } catch (error) {
      this.#enter(error instanceof CartwallError ? 'polling' : 'away')
    }
  }

  /** Tells every run that is not as it was when last heard of, the ended ones too. */
  async #look(): Promise<void> {
    const status: StatusAnswer = await this.client.status(this.#patience())
    const live = new Set<string>()
    for (const item of [...status.active, ...status.paused]) {
      const { id, executionId, state, positionMs, durationMs } = item
      if (executionId === null || state === null) continue
      live.add(executionId)
      if (this.#runs.get(executionId) === state) continue
      this.#tell({
        executionId, buttonId: id, state, endReason: null,
        positionMs: positionMs ?? 0, durationMs: durationMs ?? 0,
      })
    }
    for (const executionId of [...this.#runs.keys()]) {
      if (!live.has(executionId)) await this.#askAfter(executionId)
    }
  }

  /** A run that is no longer listed has ended, or is lost: of that there is nothing to tell. */
  async #askAfter(executionId: string): Promise<void> {
    try {
      this.#tell(await this.client.execution(executionId, this.#patience()))
    } catch (error) {
      if (codeOf(error) !== 'execution_not_found') throw error
      this.#runs.delete(executionId)
    }
  }

  #tell(run: WatchedRun): void {
    if (run.endReason === null) this.#runs.set(run.executionId, run.state)
    else this.#runs.delete(run.executionId)
    if (!this.#isOver()) this.options.onRun?.(run)
  }

  #enter(mode: WatchMode): void {
    if (mode === this.#mode || this.#isOver()) return
    this.#mode = mode
    this.options.onMode?.(mode)
  }

  #isOver(): boolean {
    return this.over.signal.aborted
  }

  #patience(): { readonly signal: AbortSignal } {
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS)
    return { signal: AbortSignal.any([this.over.signal, timeout]) }
  }
}
