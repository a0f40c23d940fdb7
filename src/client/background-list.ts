// What a background has in hand: its phase, what the app wants of it, and the bed that is due.
import type { BedCalls } from './background-calls.js'
import type { BackgroundOptions, HaltReason } from './background-options.js'
import {
  backFrom, isPausedByOthers, keyAfter, type Adopt, type Back, type Intent, type Pause, type Phase,
  type Resume, type Run, type Stray, type Wish,
} from './background-phase.js'
import type { CartwallError } from './error.js'
import { dateOf, nowOf, POLL_MS, type Wait } from './wait.js'

export const DEADLINE_MS = 10_000
const LATE_MS = 60_000
/** A machine slept where the time of day gained more; clocks that are set right do by less. */
const SLEPT_MS = 5_000

/** Why a read was cut short: the app wants something, or there is news. */
export const LOOK_UP = new Error('look up')

type StartWish = Extract<Wish, { kind: 'start' }>

interface Asked {
  readonly intent: Intent
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  readonly over: (() => unknown) | undefined
  /** The app may leave it unanswered: that is no unhandled rejection. */
  readonly excuse: () => void
}

export const closedError = (): Error => new Error('this background was closed')

/** What the app asked for and waits for: each wish is answered once. */
class AskedWishes {
  #asked: Asked[] = []

  /** Resolves once the wish was carried out, with what `over` tells; called where it fails too. */
  add<T = void>(intent: Intent, over?: () => T): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.#asked.push({
        intent, reject, over,
        resolve: () => resolve(over?.() as T),
        excuse: () => void done.catch(() => undefined),
      })
    })
    return done
  }

  /** Resolves (null) or rejects all of them, or those that are meant. */
  answer(error: unknown, isMeant: (intent: Intent) => boolean = () => true): void {
    const asked = this.#asked.filter(({ intent }) => isMeant(intent))
    this.#asked = this.#asked.filter((one) => !asked.includes(one))
    for (const { resolve, reject, over } of asked) {
      if (error === null) resolve()
      else {
        over?.()
        reject(error)
      }
    }
  }

  /** What was not carried out will not be. Whoever closes or stops it need not look at that. */
  drop(error: Error, isMeant: (intent: Intent) => boolean = () => true): void {
    for (const { intent, excuse } of this.#asked) if (isMeant(intent)) excuse()
    this.answer(error, isMeant)
  }
}

export class BedList {
  readonly asked = new AskedWishes()
  phase: Phase = { kind: 'idle' }
  index = 0
  /** The latest wish of the app that was not carried out yet. */
  intent: Wish | null = null
  /** What there was before the page was loaded again is to be found out first. */
  adopting: Adopt | null = null
  /** The start that the app asked for last. */
  latestStart: StartWish | null = null
  /** The app wants silence: an end that comes now starts nothing (decisions 3). */
  wantsPause = false
  /** Commands that were given up, and may yet arrive, e.g. behind a slow proxy. */
  strays: Stray[] = []
  /** Why a bed ended before it sounded, and the one before it is back: to be told once. */
  gaveWay: HaltReason | null = null
  /** Why the service did not do yet what is asked of it again and again. */
  refusal: CartwallError | null = null
  looking = new AbortController()
  /** When the bed was last known to play or to rest, in milliseconds since 1970. */
  #heardAt = 0
  /** What the time of day is ahead of the own clock, and by how much both moved apart in sleep. */
  #ahead: number
  #slept = 0

  constructor(
    readonly options: BackgroundOptions,
    readonly wait: Wait,
    readonly calls: BedCalls,
    /** Tells the app what changed. */
    readonly tell: () => void,
  ) {
    this.#ahead = dateOf(wait) - nowOf(wait)
    this.heard()
  }

  /** Aborts when there is something newer to look at. */
  get signal(): AbortSignal {
    return this.looking.signal
  }

  /** Deadlines go on while the machine sleeps, where its own clock may stand. */
  get now(): number {
    const own = nowOf(this.wait)
    const ahead = dateOf(this.wait) - own
    if (ahead - this.#ahead > SLEPT_MS) this.#slept += ahead - this.#ahead
    this.#ahead = ahead
    return own + this.#slept
  }

  get pollMs(): number {
    // Nor 0 or NaN, e.g. of a setting that is not there: it would look without end.
    return this.options.pollMs || POLL_MS
  }

  get lateMs(): number {
    return this.options.lateMs ?? LATE_MS
  }

  get bed(): string {
    return this.options.beds[this.index] as string
  }

  /** There is to be silence: the app wants it, or somebody who paused the bed. */
  get isQuiet(): boolean {
    return this.wantsPause || isPausedByOthers(this.phase)
  }

  /** A bed is to start now. */
  get isDue(): boolean {
    return this.phase.kind === 'due' && !this.wantsPause
  }

  /** All that the app asked for was carried out. */
  get isAtRest(): boolean {
    const { intent, adopting, phase } = this
    return intent === null && adopting === null && phase.kind !== 'starting' && !this.isDue
  }

  /** Whether what was remembered at that time of day is of this minute. */
  isFresh(atMs: number): boolean {
    return dateOf(this.wait) - atMs < this.lateMs
  }

  heard(): void {
    this.#heardAt = dateOf(this.wait)
  }

  /**
   * The moment so long after the bed was heard of last, or now where that is to come. By the time
   * of day: a page that slept looked at nothing, and its own clock may have slept too.
   */
  afterHeard(ms: number): number {
    return this.now - Math.max(0, dateOf(this.wait) - this.#heardAt - ms)
  }

  /** It comes after a start that is under way: a later one has its own time for both. */
  wanted(wish: StartWish | Resume): void {
    if (wish.kind === 'start') this.latestStart = wish
    const { phase } = this
    if (phase.kind !== 'starting') return
    phase.by = wish.kind === 'start' ? wish.by : Math.max(phase.by, wish.by)
  }

  /** The app asked for this bed. */
  becomeDue(index: number, by: number): void {
    const back = backFrom(this.phase, this.index)
    this.phase = { kind: 'due', index, by, back, key: null }
    this.index = index
  }

  /**
   * The app asked for this bed, and for something else before that was carried out, e.g. a pause:
   * the bed is due, and the pause holds for it. A start that was sent has to be answered first.
   */
  queueStart(start: StartWish): void {
    if (this.phase.kind === 'starting' && this.phase.isSent) this.phase.next = start
    else this.becomeDue(start.index, start.by)
  }

  /** A bed comes by itself after this run, the next one or the lost one, and after silence. */
  scheduleAfter({ executionId }: Run, index: number, since: number): void {
    this.wantsPause = this.isQuiet
    this.refusal = null
    const key = keyAfter(executionId)
    this.phase = { kind: 'due', index, by: since + this.lateMs, back: null, key }
    if (!this.wantsPause) this.index = index
  }

  /** The bed that sounds is looked after (again). */
  follow({ running, index }: Back): void {
    this.phase = running
    this.index = index
  }

  halt(reason: HaltReason, error: CartwallError | null): void {
    this.phase = { kind: 'halted', reason, error }
  }

  /** The wish was carried out, unless a later one came meanwhile. */
  settle(intent: Intent): void {
    if (this.adopting === intent) this.adopting = null
    else if (this.intent === intent) this.intent = null
  }

  /** It was given up, or another wish took its place. */
  mayStray({ key, sentFor }: Pause | Resume, undo: Stray['undo'] = null): void {
    if (sentFor !== null) this.strays.push({ buttonId: sentFor.buttonId, key, undo })
  }
}
