// A list of beds behind a quiz: pauses for a question, goes on with the same run, and moves on to
// the next bed only when one has come to its natural end (4.1, 4.2).
import { carryOutAdopt } from './background-adopt.js'
import { BedList, closedError, DEADLINE_MS, LOOK_UP } from './background-list.js'
import { BedCalls } from './background-calls.js'
import type {
  BackgroundMemory, BackgroundOptions, BackgroundState, BackgroundView, HaltReason, ResumeCall,
  StartCall,
} from './background-options.js'
import {
  backFrom, dueAgain, isActive, memoryOf, runOf, stateOf, type Intent, type Wish,
} from './background-phase.js'
import { lookAtRun, pauseOrResume } from './background-run.js'
import {
  carryOutStop, deadlineMs, goOnStarting, isLate, lookForBed, prepare, settleStray, takeBack,
} from './background-start.js'
import type { CartwallError } from './error.js'
import { codeOf, failureOf, newKey, safely } from './failure.js'
import type { Client } from './types.js'
import { dateOf, untilAborted, waitOf } from './wait.js'
import { watch, type Watching } from './watch.js'
import type { Execution } from './wire.js'

/** While the service tells of itself, a look is only there in case of a mistake. */
const LIVE_POLL_MS = 5_000
const BUSY_MS = 250
/** After so long the next look renews what the page keeps: a bed may end while it is reloaded. */
const KEEP_MS = 4_000

const deadlineFault = (ms: number): Promise<never> | null =>
  ms >= 0 ? null : Promise.reject(new RangeError(`deadlineMs is ${ms}, not 0 or above`))

export class Background implements BackgroundView {
  /** Vue's `ref` puts a Proxy before plain objects, which reaches no private fields. */
  readonly [Symbol.toStringTag] = 'Background'
  state: BackgroundState = 'idle'
  reason: HaltReason | null = null
  error: CartwallError | null = null
  index = 0
  bed: string
  executionId: string | null = null
  execution: Execution | null = null
  readonly #options: BackgroundOptions
  readonly #list: BedList
  readonly #calls: BedCalls
  readonly #end = new AbortController()
  /** The last call had no answer: the state is asked for before anything else is sent. */
  #inDoubt = false
  #watching: Watching | null = null
  #isLive = false
  #isRunning = false
  /** It was away, and what plays was not seen since. */
  #isUnseen = false
  /** What it is at first is no change. */
  #told = this.#summary
  #kept = ''
  #keptAt = 0

  constructor(readonly client: Client, options: BackgroundOptions) {
    if (options.beds.length === 0) throw new RangeError('a background needs a bed')
    this.#options = options
    this.bed = options.beds[0] as string
    const { timeoutMs, runOptions } = options
    const wait = waitOf(options.wait, client)
    this.#calls = new BedCalls(client, { wait, timeoutMs, runOptions, over: this.#end.signal })
    this.#list = new BedList(options, wait, this.#calls, () => this.#tell())
  }

  get memory(): BackgroundMemory {
    const { phase, index, isQuiet, adopting, wait } = this.#list
    // Until it was carried out, what there was before the reload is all that is known.
    if (adopting !== null && adopting.memory !== null) return adopting.memory
    return memoryOf(phase, index, isQuiet, dateOf(wait))
  }

  /** Where the bed is at this moment, to be drawn; see `Watching.positionMs`. */
  get positionMs(): number | null {
    const id = this.executionId
    const exact = id === null ? null : this.#watching?.positionMs(id)
    return exact ?? this.execution?.positionMs ?? null
  }

  /**
   * Starts a bed, the first one where nothing is said; resolves when it was accepted. Rejects with
   * the `CartwallError` of a refusal, with `NotStartedError` at the deadline or for a `stop`, or
   * with the signal's reason; then it does not begin later either.
   */
  start(index = 0, { deadlineMs = DEADLINE_MS, signal }: StartCall = {}): Promise<void> {
    if (this.#options.beds[index] === undefined) {
      return Promise.reject(new RangeError(`there is no bed ${index}`))
    }
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    const fault = deadlineFault(deadlineMs)
    if (fault !== null) return fault
    const intent: Intent = { kind: 'start', index, by: this.#list.now + deadlineMs }
    const abort = (): void => takeBack(this.#list, intent, signal?.reason)
    signal?.addEventListener('abort', abort)
    return this.#ask(intent, () => signal?.removeEventListener('abort', abort))
  }

  /**
   * After a reload of the page: takes over the bed that plays or is paused, and with the `memory`
   * of the page before it also goes on with what was due. False: there was nothing to take over.
   * It waits while the service is away; `start`, which has a deadline, or `close` ends that.
   */
  adopt(memory: BackgroundMemory | null = null): Promise<boolean> {
    return this.#ask({ kind: 'adopt', memory }, () => isActive(this.#list.phase))
  }

  /** For a question. While it holds, no bed starts, not even after one that ended in its fade. */
  pause(fade: { readonly fadeOutMs?: number | undefined } = {}): Promise<void> {
    const { fadeOutMs } = fade
    return this.#ask({ kind: 'pause', fadeOutMs, key: newKey(), sentFor: null, refusal: null })
  }

  /**
   * Goes on with the same run. Where that is over for any reason but its natural end, it halts.
   * Rejects with `NotStartedError` at its deadline; then the bed stays paused.
   */
  resume({ fadeInMs, deadlineMs = DEADLINE_MS }: ResumeCall = {}): Promise<void> {
    const fault = deadlineFault(deadlineMs)
    if (fault !== null) return fault
    const { isQuiet, adopting, now } = this.#list
    const by = now + deadlineMs
    const wasQuiet = isQuiet || adopting?.memory?.isPaused === true
    return this.#ask({
      kind: 'resume', fadeInMs, key: newKey(), by, wasQuiet, sentFor: null, refusal: null,
    })
  }

  stop(fade: { readonly fadeOutMs?: number | undefined } = {}): Promise<void> {
    return this.#ask({ kind: 'stop', fadeOutMs: fade.fadeOutMs })
  }

  /** Looks after the list no more; what plays goes on. What was not carried out yet rejects. */
  close(): void {
    this.#end.abort()
    this.#lookUp()
    this.#list.asked.drop(closedError())
  }

  #ask<T = void>(intent: Intent, over?: () => T): Promise<T> {
    const list = this.#list
    const done = list.asked.add(intent, over)
    if (this.#end.signal.aborted) {
      list.asked.answer(closedError())
      return done
    }
    // After a stop there is nothing to pause, or to go on with.
    if (list.intent?.kind === 'stop' && 'key' in intent) return done
    // The latest wish counts: one that was not carried out yet is answered along with it.
    if (list.intent?.kind === 'start') list.queueStart(list.intent)
    if ('by' in intent) list.wanted(intent)
    // One that is under way says so itself, should its answer be lost.
    if (list.intent !== null && 'sentFor' in list.intent) list.mayStray(list.intent)
    if (intent.kind === 'adopt') list.adopting = intent
    // What is there to be paused or stopped is found out first; a start takes the place of it.
    else if (intent.kind === 'start') list.adopting = null
    list.intent = intent.kind === 'adopt' ? null : intent
    list.wantsPause = intent.kind === 'pause'
    list.refusal = null
    this.#lookUp()
    if (!this.#isRunning) {
      this.#isRunning = true
      this.#listen()
      void this.#goOn()
    }
    return done
  }

  /** Cuts short whatever the loop reads or waits for. */
  #lookUp(): void {
    this.#list.looking.abort(LOOK_UP)
  }

  /** Events only tell that there is something to look at; what counts is the look. */
  #listen(): void {
    if (this.#options.events === false) return
    this.#watching = watch(this.client, {
      signal: this.#end.signal,
      wait: this.#options.wait,
      poll: false,
      whileHidden: () => isActive(this.#list.phase),
      onMode: (mode) => {
        this.#isLive = mode === 'live'
        this.#lookUp()
      },
      onEvent: ({ name, data }) => {
        if (name === 'reset') this.#lookUp()
        if (name !== 'run') return
        const { phase } = this.#list
        if (phase.kind !== 'running' || phase.run.executionId !== data.executionId) return
        if (data.endReason !== null) return
        // It may fade out before it rests: that its fade is done says nothing new.
        const isResting = data.state === 'paused' && data.cause === 'fade_done'
        phase.isPutAside = data.cause === 'replaced' || (phase.isPutAside && isResting)
      },
      onRun: ({ executionId }) => {
        const { phase, isQuiet } = this.#list
        const isAwaited = phase.kind === 'due' && isQuiet
        if (isAwaited || executionId === runOf(phase)?.executionId) this.#lookUp()
      },
    })
  }

  /** One thing after another, for as long as it is open: no two calls are ever under way. */
  async #goOn(): Promise<void> {
    const list = this.#list
    while (!this.#end.signal.aborted) {
      list.looking = new AbortController()
      const left = deadlineMs(list)
      const { looking } = list
      // A look that hangs must not carry a start beyond its deadline.
      if (left < Infinity) void list.wait(left, looking.signal).then(() => looking.abort(LOOK_UP))
      const rest = await this.#turn().then((ms) => {
        this.#isUnseen = false
        return ms
      }, (error: unknown) => this.#failed(error))
      // First: what the app asks for when it is told of a change has an answer of its own.
      if (list.isAtRest) list.asked.answer(null)
      this.#tell()
      if (rest === Infinity) await untilAborted(list.signal)
      else if (rest > 0) await list.wait(rest, list.signal)
      // Else the wait for the deadline would go on to it, one for each turn.
      looking.abort(LOOK_UP)
    }
  }

  /** Does the one thing that is due; answers how long nothing will be. */
  async #turn(): Promise<number> {
    const list = this.#list
    // Nothing is sent by that, and from here on its deadline holds.
    if (list.intent?.kind === 'start' && list.phase.kind !== 'starting') {
      await this.#carryOut(list.intent)
    }
    if (isLate(list)) return 0
    if (this.#inDoubt) {
      await this.#calls.status(list.signal)
      this.#inDoubt = false
    }
    const { phase, intent, adopting, strays: [stray] } = list
    // Before anything that it would undo, or that would undo it.
    if (stray !== undefined && intent?.kind !== 'stop') await settleStray(list, stray)
    else if (phase.kind === 'starting' && intent?.kind !== 'stop') await goOnStarting(list, phase)
    else if (adopting !== null) await carryOutAdopt(list, adopting)
    else if (intent !== null) await this.#carryOut(intent)
    else if (list.isDue && phase.kind === 'due') await prepare(list, phase)
    else if (phase.kind === 'running') {
      await lookAtRun(list, phase)
      return list.phase === phase ? this.#restMs() : 0
    } else if (phase.kind === 'due') {
      await lookForBed(list, phase)
      return list.phase === phase ? this.#restMs() : 0
    } else return Infinity
    return 0
  }

  #restMs(): number {
    const { intent, adopting, pollMs } = this.#list
    if (intent !== null || adopting !== null) return 0
    return Math.max(pollMs, this.#isLive ? LIVE_POLL_MS : 0)
  }

  async #carryOut(intent: Wish): Promise<void> {
    const list = this.#list
    const { phase } = list
    if (intent.kind === 'start') list.becomeDue(intent.index, intent.by)
    else if (intent.kind === 'stop') return carryOutStop(list, intent)
    else if (phase.kind === 'running') return pauseOrResume(list, intent, phase)
    else if (phase.kind === 'due') {
      // The wish is as good as a start: the bed has all its time again.
      list.phase = { ...phase, by: 'by' in intent ? intent.by : list.now + DEADLINE_MS }
      const { back } = phase
      // What is to give way to it sounds on meanwhile.
      if (intent.kind === 'pause' && back !== null) return pauseOrResume(list, intent, back.running)
    }
    list.settle(intent)
  }

  /** What a call that failed means; answers after how long to try again. */
  #failed(error: unknown): number {
    if (error === LOOK_UP) return 0
    const list = this.#list
    const failure = failureOf(error)
    if (failure === 'unknown') {
      this.#inDoubt = true
      return list.pollMs
    }
    if (failure === 'busy') {
      // This start is certainly over; of a refusal like this one its key keeps nothing (7.1).
      if (list.phase.kind === 'starting') list.phase = dueAgain(list.phase)
      list.refusal = error as CartwallError
      return codeOf(error) === 'playback_unavailable' ? list.pollMs : BUSY_MS
    }
    const { phase } = list
    // What was asked for while a start was under way is not what was refused.
    const wish = phase.kind === 'starting' ? list.intent : null
    list.intent = wish
    list.adopting = null
    const back = phase.kind === 'running' ? null : backFrom(phase, list.index)
    // A start that was refused changed nothing: what played before it plays on.
    if (back !== null) list.follow(back)
    else list.halt('refused', error as CartwallError)
    list.asked.answer(error, (asked) => asked !== wish)
    this.#tell()
    return 0
  }

  get #summary(): string {
    return `${this.state} ${this.reason} ${this.index} ${this.executionId}`
  }

  #tell(): void {
    if (this.#end.signal.aborted) return
    const { phase, wantsPause, isQuiet, adopting, index, bed, strays, gaveWay } = this.#list
    // Of a run that is taken over nothing is told before it was looked at.
    if (adopting !== null && phase.kind === 'running') return
    // Whether it plays is not known either while a start that was given up may have replaced it.
    const isDoubtful = phase.kind === 'running' && strays.some(({ undo }) => undo !== null)
    const isAway = isDoubtful || (this.#calls.isAway && isActive(phase))
    this.#isUnseen = phase.kind === 'running' && (isAway || this.#isUnseen)
    this.state = isAway || this.#isUnseen ? 'away' : stateOf(phase, wantsPause)
    const halted = phase.kind === 'halted' ? phase : null
    this.reason = halted?.reason ?? gaveWay
    this.#list.gaveWay = null
    this.error = halted?.error ?? null
    this.index = index
    this.bed = bed
    this.executionId = runOf(phase)?.executionId ?? null
    this.execution = phase.kind === 'running' ? phase.execution : null
    const told = this.#summary
    const kept = `${told} ${isQuiet} ${phase.kind} ${'key' in phase ? phase.key : ''}`
    const isNew = told !== this.#told
    this.#told = told
    if (kept !== this.#kept) this.#watching?.changed()
    const at = dateOf(this.#list.wait)
    // Either way: a clock that was set back by an hour would renew nothing for as long.
    const isOld = Math.abs(at - this.#keptAt) >= KEEP_MS
    if (adopting === null && (kept !== this.#kept || isOld)) {
      this.#kept = kept
      this.#keptAt = at
      safely(this.#options.onMemory)(this.memory)
    }
    if (isNew) safely(this.#options.onChange)(this)
  }
}
