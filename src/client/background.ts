// A list of beds behind a quiz: pauses for a question, goes on with the same run, and moves on to
// the next bed only when one has come to its natural end (4.1, 4.2).
import type {
  BackgroundOptions, BackgroundState, BackgroundView, HaltReason,
} from './background-options.js'
import type { Client } from './types.js'
import type { CartwallError } from './error.js'
import { codeOf, failureOf, newKey, realWait, type Wait } from './pace.js'
import { watch } from './watch.js'
import type { Execution } from './wire.js'

type Intent =
  | { readonly kind: 'start'; readonly index: number }
  | { readonly kind: 'pause'; readonly fadeOutMs: number | undefined }
  | { readonly kind: 'resume'; readonly fadeInMs: number | undefined }
  | { readonly kind: 'stop'; readonly fadeOutMs: number | undefined }

interface Run {
  readonly buttonId: string
  readonly executionId: string
}

interface Start {
  readonly index: number
  readonly buttonId: string
  readonly key: string
  /** The run that the button had before: a start whose answer was lost is told from it. */
  readonly before: string | null
  sent: boolean
}

const POLL_MS = 750
const TIMEOUT_MS = 3_000
const BUSY_MS = 250
/** Why a read was cut short: the app wants something, or there is news. */
const LOOK_UP = new Error('look up')

export class Background implements BackgroundView {
  state: BackgroundState = 'idle'
  reason: HaltReason | null = null
  error: CartwallError | null = null
  index = 0
  execution: Execution | null = null
  readonly #options: BackgroundOptions
  readonly #end = new AbortController()
  readonly #wait: Wait
  #run: Run | null = null
  /** The latest wish of the app that was not carried out yet. */
  #intent: Intent | null = null
  #asked: { resolve: () => void; reject: (error: unknown) => void }[] = []
  #start: Start | null = null
  /** The bed that is to start as soon as the app wants no silence. */
  #owed: number | null = null
  /** The app wants silence: an end that comes now starts nothing (decisions 3). */
  #wantsPause = false
  /** The last call had no answer: the state is asked for before anything else is sent. */
  #inDoubt = false
  #looking = new AbortController()
  #running = false
  #told = ''

  constructor(readonly client: Client, options: BackgroundOptions) {
    if (options.beds.length === 0) throw new RangeError('a background needs at least one bed')
    this.#options = options
    this.#wait = options.wait ?? realWait
  }

  get bed(): string {
    return this.#options.beds[this.index] as string
  }

  get executionId(): string | null {
    return this.#run?.executionId ?? null
  }

  /** Starts a bed, the first one where nothing is said; resolves when it was accepted. */
  start(index = 0): Promise<void> {
    if (this.#options.beds[index] === undefined) throw new RangeError(`there is no bed ${index}`)
    return this.#ask({ kind: 'start', index })
  }

  /** For a question. While it holds, no bed starts, not even after one that ended in its fade. */
  pause(fade: { readonly fadeOutMs?: number | undefined } = {}): Promise<void> {
    return this.#ask({ kind: 'pause', fadeOutMs: fade.fadeOutMs })
  }

  /** Goes on with the same run. Where that is over for any reason but its natural end, it halts. */
  resume(fade: { readonly fadeInMs?: number | undefined } = {}): Promise<void> {
    return this.#ask({ kind: 'resume', fadeInMs: fade.fadeInMs })
  }

  stop(fade: { readonly fadeOutMs?: number | undefined } = {}): Promise<void> {
    return this.#ask({ kind: 'stop', fadeOutMs: fade.fadeOutMs })
  }

  /** Looks after the list no more; what plays goes on. */
  close(): void {
    this.#end.abort()
    this.#lookUp()
    this.#answer(null)
  }

  #ask(intent: Intent): Promise<void> {
    if (this.#end.signal.aborted) return Promise.reject(new Error('this background was closed'))
    // The latest wish counts: one that was not carried out yet is answered along with it.
    if (this.#intent?.kind === 'start') this.#owed = this.#intent.index
    this.#intent = intent
    this.#wantsPause = intent.kind === 'pause'
    const done = new Promise<void>((resolve, reject) => this.#asked.push({ resolve, reject }))
    this.#lookUp()
    if (!this.#running) {
      this.#running = true
      this.#listen()
      void this.#goOn()
    }
    return done
  }

  /** Cuts short whatever the loop reads or waits for. */
  #lookUp(): void {
    this.#looking.abort(LOOK_UP)
  }

  #answer(error: unknown): void {
    const asked = this.#asked
    this.#asked = []
    for (const { resolve, reject } of asked) {
      if (error === null) resolve()
      else reject(error)
    }
  }

  /** Events only tell that there is something to look at; what counts is the look. */
  #listen(): void {
    if (this.#options.events === false) return
    watch(this.client, {
      signal: this.#end.signal,
      wait: this.#wait,
      poll: false,
      onRun: ({ executionId }) => {
        if (executionId === this.executionId) this.#lookUp()
      },
    })
  }

  /** One thing after another, for as long as it is open: no two calls are ever under way. */
  async #goOn(): Promise<void> {
    while (!this.#end.signal.aborted) {
      this.#looking = new AbortController()
      const rest = await this.#turn().catch((error: unknown) => this.#failed(error))
      const owing = this.#owed !== null && !this.#wantsPause
      if (this.#intent === null && this.#start === null && !owing) this.#answer(null)
      if (rest > 0) await this.#rest(rest)
    }
  }

  #rest(ms: number): Promise<void> {
    const { signal } = this.#looking
    if (ms < Infinity) return this.#wait(ms, signal)
    return new Promise((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** Does the one thing that is due; answers how long nothing will be. */
  async #turn(): Promise<number> {
    if (this.#inDoubt) {
      await this.client.status(this.#look())
      this.#inDoubt = false
    }
    if (this.#start !== null && this.#intent?.kind !== 'stop') {
      await this.#goOnStarting(this.#start)
    } else if (this.#intent !== null) await this.#carryOut(this.#intent)
    else if (this.#owed !== null && !this.#wantsPause) await this.#prepare(this.#owed)
    else if (this.#run !== null) {
      await this.#lookAtRun(this.#run)
      return this.#owed === null ? this.#pollMs : 0
    } else return Infinity
    return 0
  }

  /** What a call that failed means; answers after how long to try again. */
  #failed(error: unknown): number {
    if (error === LOOK_UP) return 0
    const failure = failureOf(error)
    if (failure === 'unknown') {
      this.#inDoubt = true
      return this.#pollMs
    }
    if (failure === 'busy') {
      // This start is certainly over, and its key would only bring the same refusal again.
      if (this.#start !== null) this.#owed = this.#start.index
      this.#start = null
      return codeOf(error) === 'playback_unavailable' ? this.#pollMs : BUSY_MS
    }
    this.#start = null
    this.#owed = null
    this.#intent = null
    this.#halt('refused', error as CartwallError)
    this.#answer(error)
    return 0
  }

  async #carryOut(intent: Intent): Promise<void> {
    if (intent.kind === 'start') {
      await this.#prepare(intent.index)
      this.#settle(intent)
    } else if (intent.kind === 'stop') await this.#carryOutStop(intent)
    else if (this.#run !== null) await this.#pauseOrResume(intent, this.#run)
    else {
      this.#settle(intent)
      if (this.#owed !== null) this.#change(this.#wantsPause ? 'paused' : 'starting')
    }
  }

  /** Looks at the button before a start, so that it can be told afterwards whether it happened. */
  async #prepare(index: number): Promise<void> {
    const buttonId = this.#options.beds[index] as string
    this.index = index
    this.#change('starting')
    const before = await this.#liveRunOf(buttonId)
    this.#owed = null
    this.#start = { index, buttonId, key: newKey(), before, sent: false }
  }

  /** Sends a start, or finds out what became of one whose answer was lost. */
  async #goOnStarting(start: Start): Promise<void> {
    const { buttonId, before, key } = start
    if (start.sent) {
      const live = await this.#liveRunOf(buttonId)
      if (live !== null && live !== before) {
        this.#began(buttonId, live)
        return
      }
    }
    if (this.#wantsPause) {
      this.#start = null
      this.#owed = start.index
      return
    }
    start.sent = true
    const options = { ...this.#options.runOptions, externalSequencing: true }
    const call = { ...this.#patience(), idempotencyKey: key }
    // Play would leave a run that is there to its own options (3.3.7).
    const answer = before === null
      ? await this.client.play(buttonId, options, call)
      : await this.client.restart(buttonId, options, call)
    this.#began(buttonId, answer.executionId)
  }

  #began(buttonId: string, executionId: string | null): void {
    this.#start = null
    this.execution = null
    this.#run = executionId === null ? null : { buttonId, executionId }
    if (executionId === null) this.#halt('refused', null)
    else this.#change('playing')
  }

  async #pauseOrResume(
    intent: Extract<Intent, { kind: 'pause' | 'resume' }>, run: Run,
  ): Promise<void> {
    const { buttonId, executionId } = run
    const call = this.#patience()
    try {
      const seen = intent.kind === 'pause'
        ? await this.client.pause(buttonId, { executionId, fadeOutMs: intent.fadeOutMs }, call)
        : await this.client.resume(buttonId, { executionId, fadeInMs: intent.fadeInMs }, call)
      this.#settle(intent)
      this.#saw(seen)
    } catch (error) {
      if (failureOf(error) !== 'refused') throw error
      this.#settle(intent)
      // Over, gone or not ours any more. It is looked at, and never started again instead (4.2.4).
      await this.#lookAtRun(run)
      if (this.state === 'halted') {
        this.error = error as CartwallError
        this.#answer(error)
      }
    }
  }

  async #carryOutStop(intent: Extract<Intent, { kind: 'stop' }>): Promise<void> {
    const { fadeOutMs } = intent
    const stop = async (buttonId: string, executionId: string | undefined): Promise<void> => {
      try {
        await this.client.stop(buttonId, { executionId, fadeOutMs }, this.#patience())
      } catch (error) {
        if (failureOf(error) !== 'refused') throw error
      }
    }
    if (this.#run !== null) await stop(this.#run.buttonId, this.#run.executionId)
    // A start whose answer was lost may have happened: whatever its button plays is meant.
    if (this.#start?.sent === true) await stop(this.#start.buttonId, undefined)
    this.#start = null
    this.#owed = null
    this.#run = null
    this.#settle(intent)
    this.#change('stopped')
  }

  async #lookAtRun(run: Run): Promise<void> {
    try {
      this.#saw(await this.client.execution(run.executionId, this.#look()))
    } catch (error) {
      if (codeOf(error) !== 'execution_not_found') throw error
      await this.#lost(run)
    }
  }

  /** The service does not know the run: no reason to move on, but one to ask (4.2.3). */
  async #lost(run: Run): Promise<void> {
    const status = await this.client.status(this.#look())
    const items = [...status.active, ...status.paused]
    const other = items.find(({ id }) => id === run.buttonId.toLowerCase())
    if (other !== undefined && other.executionId !== run.executionId) this.#halt('superseded', null)
    else if (this.#options.whenLost !== 'start') this.#halt('lost', null)
    else if (status.state === 'ready') this.#owe(this.index)
  }

  #saw(execution: Execution): void {
    this.execution = execution
    const { state, endReason } = execution
    if (endReason === null) {
      this.#change(state === 'paused' || state === 'pausing' ? 'paused' : 'playing')
    } else if (state === 'completed' && endReason === 'natural_end') this.#advance()
    else this.#halt(endReason === 'natural_end' ? 'lost' : endReason, null)
  }

  /** A bed came to its natural end. */
  #advance(): void {
    const { beds, wrap } = this.#options
    const next = this.index + 1 < beds.length ? this.index + 1 : 0
    if (next > 0 || wrap === true) this.#owe(next)
    else {
      this.#run = null
      this.#change('finished')
    }
  }

  #owe(index: number): void {
    this.#run = null
    this.#owed = index
    if (this.#wantsPause) this.#change('paused')
  }

  async #liveRunOf(buttonId: string): Promise<string | null> {
    const { buttons } = await this.client.buttons(this.#look())
    return buttons.find(({ id }) => id === buttonId.toLowerCase())?.executionId ?? null
  }

  /** The wish was carried out, unless a later one came meanwhile. */
  #settle(intent: Intent): void {
    if (this.#intent === intent) this.#intent = null
  }

  #halt(reason: HaltReason, error: CartwallError | null): void {
    this.#run = null
    this.#change('halted', reason, error)
  }

  #change(
    state: BackgroundState, reason: HaltReason | null = null, error: CartwallError | null = null,
  ): void {
    this.state = state
    this.reason = reason
    this.error = error
    const told = `${state} ${this.index} ${this.executionId ?? ''}`
    if (told === this.#told) return
    this.#told = told
    this.#options.onChange?.(this)
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? POLL_MS
  }

  /** A read that a wish or an event may cut short. */
  #look(): { readonly signal: AbortSignal } {
    return { signal: AbortSignal.any([this.#looking.signal, this.#patience().signal]) }
  }

  #patience(): { readonly signal: AbortSignal } {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS)
    return { signal: AbortSignal.any([this.#end.signal, timeout]) }
  }
}
