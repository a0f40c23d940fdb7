// Keeps the lights of a button at the place of an external clock, such as a video on a page (4.1).
import type { Client } from './types.js'
import { codeOf, failureOf, safely } from './failure.js'
import { dateOf, waitOf, within, type Wait } from './wait.js'
import type { SyncAnswer } from './wire.js'

/** Anything that knows where it is: a transport, a game, a stopwatch. */
export interface SyncClock {
  /** From the start of the video, in milliseconds. */
  readonly positionMs: number
  readonly isPlaying: boolean
}

/** As much of a media element of the page as is needed. */
export interface SyncMedia {
  readonly currentTime: number
  readonly paused: boolean
  readonly ended: boolean
  /** Below 3 there is nothing to go on with: it stands, though it is not paused. */
  readonly readyState?: number | undefined
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}

/** Why it ended: the timeline is over, it is not the button's, or the app stopped or closed it. */
export type SyncEnd =
  | 'dmx_not_active' | 'stale_execution' | 'media_file_missing' | 'button_not_found' | 'refused'
  | 'stopped'

export interface DmxSyncOptions {
  readonly buttonId: string
  /** The `dmxExecutionId` of a start; never the executionId of its sound. */
  readonly dmxExecutionId: string
  readonly clock: SyncMedia | SyncClock | (() => SyncClock)
  /** After every message that was taken. */
  readonly onSync?: ((answer: SyncAnswer) => void) | undefined
  readonly onEnd?: ((end: SyncEnd) => void) | undefined
  /** Between two messages, 225 where nothing (0 or NaN neither) is said. */
  readonly everyMs?: number | undefined
  readonly timeoutMs?: number | undefined
  /**
   * Sequences begin above it. Where nothing is said it is the time of day, so that a page which was
   * loaded again goes on above what it sent before.
   */
  readonly sequence?: number | undefined
  /** In place of real time, e.g. `player.wait` of a test player. */
  readonly wait?: Wait | undefined
}

const EVERY_MS = 225
const TIMEOUT_MS = 1_000
/** The longest pause between two tries while the service is busy or cannot be reached. */
const BACK_OFF_MS = 1_800
/**
 * How far a sequence goes up that is refused once more: an hour, six days, a year, sixty years, and
 * above the microseconds of the day, of which some clients make theirs.
 */
const LEAPS = [1, 3_600_000, 5e8, 3e10, 2e12, 2e15]

const UNKNOWN: SyncClock = { positionMs: NaN, isPlaying: false }

const ENDS: readonly string[] = [
  'dmx_not_active', 'stale_execution', 'media_file_missing', 'button_not_found',
] satisfies SyncEnd[]

export class DmxSync {
  /** Vue's `ref` puts a Proxy before plain objects, which reaches no private fields. */
  readonly [Symbol.toStringTag] = 'DmxSync'
  /** Null while it runs. */
  end: SyncEnd | null = null
  /** The last answer: where the lights are and how far they had drifted. */
  answer: SyncAnswer | null = null
  readonly #options: DmxSyncOptions
  readonly #wait: Wait
  readonly #over = new AbortController()
  #nudge = new AbortController()
  #sequence: number
  /** A seek that no message which was taken has told of yet. */
  #seek = false
  /** There is more to tell than what the message under way says. */
  #dirty = false
  #failures = 0
  /** Sequences in a row that were not above those of before. */
  #stale = 0
  #begun = false

  constructor(readonly client: Client, options: DmxSyncOptions) {
    this.#options = options
    this.#wait = waitOf(options.wait, client)
    this.#sequence = options.sequence ?? Math.floor(dateOf(this.#wait))
  }

  /** The last sequence that was sent. */
  get sequence(): number {
    return this.#sequence
  }

  /** Sends from now on, until the timeline is over or `stop` is called; then never again. */
  start(): void {
    if (this.#begun || this.#isOver()) return
    this.#begun = true
    const media = mediaOf(this.#options.clock)
    if (media !== null) this.#follow(media)
    void this.#run()
  }

  /** To be called at once when a clock that is no media element was paused or resumed. */
  changed(): void {
    this.#dirty = true
    this.#nudge.abort()
  }

  /** To be called at once after an intentional seek of a clock that is no media element. */
  seeked(): void {
    this.#seek = true
    this.changed()
  }

  /** Sends no more; the timeline goes on by its own clock, or rests where it was paused. */
  stop(): void {
    this.#finish('stopped')
  }

  #follow(media: SyncMedia): void {
    const changed = (): void => this.changed()
    const seeked = (): void => this.seeked()
    const heard: readonly (readonly [string, () => void])[] = [
      ['play', changed], ['playing', changed], ['pause', changed], ['ended', changed],
      ['waiting', changed], ['ratechange', changed], ['seeking', seeked], ['seeked', seeked],
    ]
    for (const [type, listener] of heard) media.addEventListener(type, listener)
    this.#over.signal.addEventListener('abort', () => {
      for (const [type, listener] of heard) media.removeEventListener(type, listener)
    })
  }

  /** One message at a time, the next one always with a fresh position and a higher sequence. */
  async #run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      this.#nudge = new AbortController()
      this.#dirty = false
      const begun = this.#seek
      await this.#send(begun)
      const rest = this.#restMs()
      if (!this.#isOver() && !this.#isPressing()) await this.#rest(rest)
    }
  }

  /** News ends the rest early; a service that asked for patience gets it all the same. */
  #rest(ms: number): Promise<void> {
    const { signal } = this.#failures > 0 ? this.#over : this.#nudge
    return this.#wait(ms, signal)
  }

  #restMs(): number {
    // Nor 0 or NaN: it would send without end.
    const every = this.#options.everyMs || EVERY_MS
    return Math.min(Math.max(every, BACK_OFF_MS), every * 2 ** this.#failures)
  }

  async #send(forceSeek: boolean): Promise<void> {
    const { buttonId, dmxExecutionId: executionId, timeoutMs = TIMEOUT_MS } = this.#options
    // A clock of the app's own may have a fault, e.g. while its player is not there yet.
    const { positionMs, isPlaying } = safely(readingOf)(this.#options.clock) ?? UNKNOWN
    // One that knows nothing yet has nothing to say.
    if (!Number.isFinite(positionMs)) return
    this.#sequence += 1
    const message = {
      executionId, sequence: this.#sequence, positionMs: Math.max(0, positionMs), isPlaying,
      ...(forceSeek ? { forceSeek } : {}),
    }
    // A seek that comes while this message is under way is told by the next one.
    if (forceSeek) this.#seek = false
    try {
      const answer = await within(timeoutMs, this.#wait, this.#over.signal,
        (signal) => this.client.dmxSync(buttonId, message, { signal, timeoutMs: Infinity }))
      this.#failures = 0
      this.#stale = 0
      this.answer = answer
      safely(this.#options.onSync)(answer)
    } catch (error) {
      this.#seek ||= forceSeek
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    const code = codeOf(error)
    // Someone sent a higher one for this timeline.
    if (code === 'dmx_stale_sequence') this.#leap()
    else if (failureOf(error) === 'refused') {
      this.#finish(ENDS.includes(code) ? (code as SyncEnd) : 'refused')
      return
    }
    this.#failures += 1
  }

  /**
   * The time of day is above what was sent before, unless this machine's clock was put back since,
   * or is behind that of the machine which sent it.
   */
  #leap(): void {
    const leap = LEAPS[Math.min(this.#stale, LEAPS.length - 1)] as number
    this.#stale += 1
    this.#sequence = Math.max(this.#sequence + leap, Math.floor(dateOf(this.#wait)))
  }

  /** There is news, and nobody asked for patience. */
  #isPressing(): boolean {
    return this.#dirty && this.#failures === 0
  }

  #isOver(): boolean {
    return this.#over.signal.aborted
  }

  #finish(end: SyncEnd): void {
    if (this.end !== null) return
    this.end = end
    this.#over.abort()
    this.#nudge.abort()
    safely(this.#options.onEnd)(end)
  }
}

const mediaOf = (clock: DmxSyncOptions['clock']): SyncMedia | null =>
  typeof clock === 'object' && 'currentTime' in clock ? clock : null

const readingOf = (clock: DmxSyncOptions['clock']): SyncClock => {
  const media = mediaOf(clock)
  if (media !== null) {
    const { currentTime, paused, ended, readyState = 3 } = media
    return { positionMs: currentTime * 1000, isPlaying: !paused && !ended && readyState > 2 }
  }
  return typeof clock === 'function' ? clock() : (clock as SyncClock)
}
