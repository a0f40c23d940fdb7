// The one connection of a client, which all its watches share: a WebSocket, else events, else
// polling. It gives up its place while the page is hidden and nothing that follows depends on it.
import { codeOf } from './failure.js'
import { CartwallError } from './error.js'
import { readEvents, type EventReading } from './event-reader.js'
import {
  isYounger, LiveClock, placeMs, readLive, watched, type CartwallEvent, type Follower,
  type LinkRun, type LiveRunTold, type LiveStateTold, type WatchedRun, type WatchMode,
} from './live-reader.js'
import type { CallOptions, Client } from './types.js'
import { nowOf, untilAborted, waitOf, within, type Wait } from './wait.js'
import type { EventBody } from './wire.js'

export type { CartwallEvent, WatchedRun, WatchMode } from './live-reader.js'

/** A service that refused a connection is asked again after so many polls. */
const TRY_AGAIN = 20
/** After a connection that broke while the service is there, and until what it missed was told. */
const BACK_MS = 250

const links = new WeakMap<Client, Link>()

export class Link {
  /** Every run that is known and not over. */
  readonly #runs = new Map<string, LinkRun>()
  readonly #followers = new Set<Follower>()
  readonly #over = new AbortController()
  readonly #clock = new LiveClock()
  readonly #wait: Wait
  #poke = new AbortController()
  #connection = new AbortController()
  #mode: WatchMode | null = null
  /** What was heard last, so that the next connection can go on there. */
  #boot = ''
  #n = -1
  #lastId = ''
  #wasThere = false
  #upSince = Infinity

  private constructor(readonly client: Client, first: Follower) {
    this.#wait = waitOf(first.wait, client)
  }

  /** The connection that the client has, or a new one. */
  static join(client: Client, follower: Follower): Link {
    let link = links.get(client)
    if (link === undefined) {
      link = new Link(client, follower)
      links.set(client, link)
      link.#followers.add(follower)
      void link.#run()
    } else link.#join(follower)
    return link
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
    if (this.#followers.size === 0) {
      links.delete(this.client)
      this.#over.abort()
      this.#connection.abort()
    }
    this.poke()
  }

  /** Whether anybody needs it may have changed. */
  poke(): void {
    if (this.#isIdle()) this.#connection.abort()
    this.#poke.abort()
  }

  /** Where a run is that is known: exactly where that is told, else by the last reading. */
  positionMs(executionId: string): number | null {
    const known = this.#runs.get(executionId)
    return known === undefined ? null : placeMs(known, this.#clock, nowOf(this.#wait))
  }

  /** Who comes later is told what the others know. */
  #join(follower: Follower): void {
    this.#followers.add(follower)
    const runs = [...this.#runs.values()]
    void Promise.resolve().then(() => {
      if (!this.#followers.has(follower)) return
      if (this.#mode !== null) follower.mode(this.#mode)
      for (const { run } of runs) if (this.#runs.has(run.executionId)) follower.run(run)
    })
    this.poke()
  }

  async #run(): Promise<void> {
    // Nothing is told before whoever follows has what `join` answers.
    await Promise.resolve()
    const seen = (): void => this.poke()
    this.#page?.addEventListener('visibilitychange', seen)
    let patience = 0
    while (!this.#isOver()) {
      this.#poke = new AbortController()
      if (this.#isIdle()) {
        this.#enter('hidden')
        await untilAborted(this.#poke.signal)
        continue
      }
      // Browsers hold back a page that opens connections in vain: first a look whether it is there.
      const isThere = this.#mode !== 'away' || (await this.#isThere())
      if (isThere && !this.#isOver() && !this.#isIdle()) {
        patience -= 1
        if (patience <= 0) patience = (await this.#connect()) ? 0 : TRY_AGAIN
        if (!this.#isOver() && !this.#isIdle()) await this.#poll()
      }
      if (this.#isOver() || this.#isIdle()) continue
      const back = patience === 0 && this.#mode === 'polling' && this.#wasThere
      await this.#wait(back ? BACK_MS : this.#pollMs, this.#poke.signal)
    }
    this.#page?.removeEventListener('visibilitychange', seen)
  }

  /** Follows the service until that ends; false where it answers and has no place for us. */
  async #connect(): Promise<boolean> {
    this.#connection.abort()
    this.#connection = new AbortController()
    return (await this.#live()) || (this.#isOver() || this.#isIdle() || (await this.#events()))
  }

  async #live(): Promise<boolean> {
    const live = this.client.platform?.live
    if (!live) return false
    // Where it was followed in another way since, a boot says nothing: the age that it tells does.
    let isNewBoot = this.#n < 0 && this.#wasThere && (await this.#isAnew())
    const { signal } = this.#connection
    const socket = live(this.#n < 0 ? '' : `?boot=${encodeURIComponent(this.#boot)}&n=${this.#n}`)
    if (socket === null) return false
    return readLive(socket, {
      hello: (boot) => {
        if (this.#n >= 0) isNewBoot = boot !== this.#boot
        this.#boot = boot
      },
      state: (state) => this.#anew(state, isNewBoot),
      change: ({ n, at, events, runs }) => {
        this.#n = n
        for (const run of runs) this.#note(run, at)
        for (const event of events) this.#hear(event)
      },
    }, { wait: this.#wait, timeoutMs: this.#timeoutMs, signal, clock: this.#clock })
  }

  /** All of it: what was missed is told by a `reset`, each run by the state that it has now. */
  #anew({ n, at, missed, runs }: LiveStateTold, isNewBoot: boolean): void {
    const told = missed ?? this.#wasThere
    this.#n = n
    this.#lastId = ''
    this.#wasThere = true
    if (told) {
      this.#toAll({ name: 'reset', data: { reason: isNewBoot ? 'restarted' : 'gap' } })
    }
    this.#enter('live')
    for (const run of runs) this.#found(watched(run, at))
    for (const run of runs) this.#note(run, at)
    void this.#askUntilTold(this.#missing(runs))
  }

  /** An end is due of each, be it that a request gets lost while the connection stands. */
  async #askUntilTold(ids: readonly string[]): Promise<void> {
    const { signal } = this.#connection
    const ask = (): Promise<boolean> => this.#askAfter(ids).then(() => true, () => false)
    while (!signal.aborted && !(await ask())) await this.#wait(this.#pollMs, signal)
  }

  #note(live: LiveRunTold, frame: number): void {
    const known = this.#runs.get(live.executionId)
    if (known !== undefined) this.#runs.set(live.executionId, { ...known, live })
    else if (live.endReason === null) {
      const run = watched(live, frame)
      this.#runs.set(live.executionId, { run, at: nowOf(this.#wait), live })
    }
  }

  async #events(): Promise<boolean> {
    const reading: EventReading = {
      lastId: this.#lastId, timeoutMs: this.#timeoutMs, wait: this.#wait,
      signal: this.#connection.signal,
    }
    const stood = await readEvents(this.client, {
      opened: async () => {
        // What happened before is asked for once the stream is open, so that nothing is missed.
        if (reading.lastId === '') await this.#look(false, this.#wasThere && this.#n >= 0)
        // What was missed follows, and says where each run was by then, e.g. at its resume.
        else void this.#lookLater(reading.signal)
        this.#wasThere = true
        this.#n = -1
        this.#enter('events')
      },
      event: async (event) => {
        this.#hear(event)
        // What was missed is gone for good; what there is now can be asked for.
        if (event.name !== 'reset') return
        const id = reading.lastId
        // Should the look fail, the next connection begins with one.
        reading.lastId = ''
        await this.#look()
        reading.lastId = id
      },
    }, reading)
    this.#lastId = reading.lastId
    return stood
  }

  async #lookLater(signal: AbortSignal): Promise<void> {
    await this.#wait(BACK_MS, signal)
    if (!signal.aborted) await this.#look(false, false, true).catch(() => undefined)
  }

  #hear(event: CartwallEvent): void {
    this.#toAll(event)
    if (event.name === 'run') this.#tell(event.data)
    else if (event.name === 'wrap' || event.name === 'duration') this.#learn(event.data)
  }

  /** A run that plays on came round, or its length is known now. */
  #learn(news: EventBody['wrap'] | EventBody['duration']): void {
    const known = this.#runs.get(news.executionId)
    if (known === undefined) return
    const at = 'passes' in news ? nowOf(this.#wait) : known.at
    this.#runs.set(news.executionId, { ...known, run: { ...known.run, ...news }, at })
  }

  #isThere(): Promise<boolean> {
    return this.#patiently((call) => this.client.status(call))
      .then(() => true, (error: unknown) => error instanceof CartwallError)
  }

  async #poll(): Promise<void> {
    try {
      await this.#look(this.#mode === 'polling')
      this.#enter('polling')
    } catch (error) {
      this.#enter(error instanceof CartwallError ? 'polling' : 'away')
    }
  }

  /**
   * Tells every run that is not as it was when last heard of, the ended ones too.
   *
   * @param placesAlone events are on their way: they tell what is, before the answer and after it.
   */
  async #look(polled = false, isGap = false, placesAlone = false): Promise<void> {
    const asked = nowOf(this.#wait)
    const { active, paused, uptimeMs } = await this.#patiently((call) => this.client.status(call))
    const listed = [...active, ...paused]
    // A connection of the same kind as the one before it tells a restart; else it is seen here.
    if (polled || isGap || !this.#wasThere) {
      const isAnew = isYounger(uptimeMs, asked, this.#upSince)
      this.#upSince = nowOf(this.#wait) - uptimeMs
      const reason = isAnew ? 'restarted' : 'gap'
      if (isAnew || isGap) this.#toAll({ name: 'reset', data: { reason } }, polled)
    }
    for (const item of listed) {
      // Images and lights have no run.
      if (item.executionId === null) continue
      const known = this.#runs.get(item.executionId)
      if (placesAlone && (known?.run.state !== item.state || known.at > asked)) continue
      this.#found({ ...item, buttonId: item.id, endReason: null } as unknown as WatchedRun, polled)
    }
    if (!placesAlone) await this.#askAfter(this.#missing(listed), polled)
  }

  /** Than when it was heard of last: it began again. */
  #isAnew(): Promise<boolean> {
    const asked = nowOf(this.#wait)
    return this.#patiently((call) => this.client.status(call))
      .then(({ uptimeMs }) => isYounger(uptimeMs, asked, this.#upSince), () => false)
  }

  #missing(listed: readonly { readonly executionId: string | null }[]): readonly string[] {
    return [...this.#runs.keys()].filter((id) => !listed.some((it) => it.executionId === id))
  }

  /** A run that is no longer listed has ended, or is lost: of that there is nothing to tell. */
  async #askAfter(ids: readonly string[], polled = false): Promise<void> {
    for (const executionId of ids) {
      if (!this.#runs.has(executionId)) continue
      try {
        const run = await this.#patiently((call) => this.client.execution(executionId, call))
        if (this.#runs.has(executionId)) this.#tell(run, polled)
      } catch (error) {
        if (codeOf(error) !== 'execution_not_found') throw error
        this.#runs.delete(executionId)
      }
    }
  }

  #found(run: WatchedRun, polled = false): void {
    const known = this.#runs.get(run.executionId)
    if (known?.run.state !== run.state) this.#tell(run, polled)
    else this.#runs.set(run.executionId, { run, at: nowOf(this.#wait), live: null })
  }

  #tell(run: WatchedRun, polled = false): void {
    const { executionId } = run
    const live = polled ? null : this.#runs.get(executionId)?.live ?? null
    if (run.endReason !== null) this.#runs.delete(executionId)
    else this.#runs.set(executionId, { run, at: nowOf(this.#wait), live })
    if (this.#isOver()) return
    for (const follower of this.#followers) if (!polled || follower.poll) follower.run(run)
  }

  #toAll(event: CartwallEvent, polled = false): void {
    for (const follower of this.#followers) if (!polled || follower.poll) follower.event(event)
  }

  #enter(mode: WatchMode): void {
    if (mode === this.#mode || this.#isOver()) return
    this.#mode = mode
    if (mode === 'live' || mode === 'events') this.#upSince = nowOf(this.#wait)
    for (const follower of this.#followers) follower.mode(mode)
  }

  /** By the time of those who follow alone, be it longer than the client's. */
  #patiently<T>(ask: (call: CallOptions) => Promise<T>): Promise<T> {
    return within(this.#timeoutMs, this.#wait, this.#over.signal, (signal) =>
      ask({ signal, timeoutMs: Infinity }))
  }

  #isOver(): boolean {
    return this.#over.signal.aborted
  }

  #isIdle(): boolean {
    return this.#page?.hidden === true && ![...this.#followers].some((it) => it.needed())
  }

  get #page() {
    return this.client.platform?.page ?? null
  }

  get #pollMs(): number {
    return Math.min(...[...this.#followers].map((it) => it.pollMs))
  }

  get #timeoutMs(): number {
    return Math.min(...[...this.#followers].map((it) => it.timeoutMs))
  }
}
