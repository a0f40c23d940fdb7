// The typed client of the API: a method for each route, one error type, no retries of its own.
import { CartwallError } from './error.js'
import type {
  AlreadyActiveAnswer, ButtonsAnswer, Execution, PanicAnswer, PanicBody, PauseBody, ResumeBody,
  RunOptions, StartAnswer, StatusAnswer, StopAnswer, StopBody, SyncAnswer, SyncBody,
} from './wire.js'

/** The platform's fetch, or anything that answers like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** Where the service is, e.g. `http://127.0.0.1:47831/api/v1`. */
  readonly baseUrl: string
  /** In place of the platform's own, e.g. that of a test player. */
  readonly fetch?: Fetch | undefined
}

export interface CallOptions {
  /** Aborts the call; for a timeout use `AbortSignal.timeout(ms)`. */
  readonly signal?: AbortSignal | null | undefined
}

export interface CommandOptions extends CallOptions {
  /**
   * Makes it safe to send this command again when its answer was lost: for ten minutes the service
   * repeats the first answer instead of carrying it out twice. 1 to 128 printable characters.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * Every method resolves with the typed body of a success. Any other answer rejects with a
 * `CartwallError`. Where there is no answer it rejects as `fetch` does: a `TypeError` when the
 * service cannot be reached, the signal's reason when it was aborted.
 */
export interface Client {
  readonly baseUrl: string
  /** The catalogue: every button of every playlist. */
  buttons(call?: CallOptions): Promise<ButtonsAnswer>
  /** The state of the service, and what is active or paused. */
  status(call?: CallOptions): Promise<StatusAnswer>
  /** One audio or video run; terminal ones stay for at least ten minutes. */
  execution(executionId: string, call?: CallOptions): Promise<Execution>
  /** Starts a button. A live run is left as it is, or resumed if paused (`already_active`). */
  play(
    buttonId: string, options?: RunOptions | null, call?: CommandOptions,
  ): Promise<StartAnswer | AlreadyActiveAnswer>
  /** Ends the button's run, if any, and starts a new one: no answer to a resume that failed. */
  restart(
    buttonId: string, options?: RunOptions | null, call?: CommandOptions,
  ): Promise<StartAnswer>
  /** The run as the pause left it; with a fade it is `pausing` first. */
  pause(buttonId: string, body: PauseBody, call?: CommandOptions): Promise<Execution>
  /** Goes on with the same run, from where it is. */
  resume(buttonId: string, body: ResumeBody, call?: CommandOptions): Promise<Execution>
  /** Stops one run, or without an id whatever the button is doing. */
  stop(buttonId: string, body?: StopBody | null, call?: CommandOptions): Promise<StopAnswer>
  /** One message of an external clock to a button's lights; see `DmxSync`. */
  dmxSync(buttonId: string, body: SyncBody, call?: CommandOptions): Promise<SyncAnswer>
  /** Stops everything. */
  panic(body?: PanicBody | null, call?: CommandOptions): Promise<PanicAnswer>
  /** The raw answer of a GET below `baseUrl`, for what is not one JSON body. */
  open(path: string, init: RequestInit): Promise<Response>
}

/** @throws TypeError where `baseUrl` does not end in `/api/v1`. */
export const createClient = (options: ClientOptions): Client => {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  if (!baseUrl.endsWith('/api/v1')) throw new TypeError('baseUrl must end in /api/v1')
  // Looked up at each call, so that a fetch that is put in place later is used.
  const open = (path: string, init: RequestInit): Promise<Response> =>
    (options.fetch ?? fetch)(baseUrl + path, init)
  const get = <T>(path: string, call?: CallOptions): Promise<T> =>
    open(path, { signal: call?.signal ?? null }).then(bodyOf<T>)
  const post = <T>(path: string, body?: object | null, call?: CommandOptions): Promise<T> => {
    const headers: Record<string, string> = {}
    if (body) headers['content-type'] = 'application/json'
    if (call?.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
    const signal = call?.signal ?? null
    const sent = body ? JSON.stringify(body) : null
    return open(path, { method: 'POST', headers, body: sent, signal }).then(bodyOf<T>)
  }
  const on = (buttonId: string, what: string): string =>
    `/buttons/${encodeURIComponent(buttonId)}/${what}`
  return {
    baseUrl,
    open,
    buttons: (call) => get('/buttons', call),
    status: (call) => get('/status', call),
    execution: (id, call) => get(`/executions/${encodeURIComponent(id)}`, call),
    play: (id, body, call) => post(on(id, 'play'), body, call),
    restart: (id, body, call) => post(on(id, 'restart'), body, call),
    pause: (id, body, call) => post(on(id, 'pause'), body, call),
    resume: (id, body, call) => post(on(id, 'resume'), body, call),
    stop: (id, body, call) => post(on(id, 'stop'), body, call),
    dmxSync: (id, body, call) => post(on(id, 'dmx/sync'), body, call),
    panic: (body, call) => post('/stop', body, call),
  }
}

const bodyOf = async <T>(response: Response): Promise<T> => {
  const text = await response.text()
  let body: unknown = null
  try {
    body = JSON.parse(text)
  } catch {
    // Told below: whoever answered, it was not the service.
  }
  if (response.ok && body) return body as T
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown }
  const code = typeof error === 'string' ? error : 'unexpected_answer'
  const told = typeof message === 'string' ? message : text.slice(0, 200)
  throw new CartwallError(response.status, code, told)
}

export { Background } from './background.js'
export type {
  BackgroundOptions, BackgroundState, BackgroundView, HaltReason,
} from './background-options.js'
export { DmxSync } from './dmx-sync.js'
export type { DmxSyncOptions, SyncClock, SyncEnd, SyncMedia } from './dmx-sync.js'
export { CartwallError } from './error.js'
export type { Wait } from './pace.js'
export { watch } from './watch.js'
export type { CartwallEvent, WatchMode, WatchOptions } from './watch.js'
export type {
  AlreadyActiveAnswer, AudioEvent, AudioStatus, Button, ButtonKind, ButtonsAnswer, CatalogueEvent,
  DmxEvent, DmxOutputStatus, DmxRunStatus, EndReason, ErrorCode, ErrorCodes, ErrorStatus, EventBody,
  EventName, Execution, ImageEvent, NoticeEvent, PanicAnswer, PanicBody, PauseBody, ResetEvent,
  ResumeBody, RunEvent, RunOptions, RunState, ServiceEvent, ServiceState, StartAnswer, StatusAnswer,
  StatusItem, StopAnswer, StopBody, StopResult, SyncAnswer, SyncBody, SyncState,
} from './wire.js'
