// The typed client of the API: a method for each route, one error type, no retries of its own.
import { CartwallError } from './error.js'
import type {
  CallOptions, Client, ClientOptions, ClientPlatform, CommandOptions, PageSight, SocketClass,
} from './types.js'
import { realWait, within } from './wait.js'

const TIMEOUT_MS = 5_000

/** @throws TypeError where `baseUrl` does not end in `/api/v1`. */
export const createClient = (options: ClientOptions): Client => {
  // An environment may lack it, which JavaScript does not notice.
  const said: unknown = options.baseUrl
  const baseUrl = String(said).replace(/\/+$/, '')
  if (!baseUrl.endsWith('/api/v1')) {
    throw new TypeError(`baseUrl must end in /api/v1, which ${options.baseUrl} does not`)
  }
  // Looked up at each call, so that a fetch that is put in place later is used.
  const open = (path: string, init: RequestInit): Promise<Response> =>
    (options.fetch ?? fetch)(baseUrl + path, init)
  const platform = platformOf(baseUrl, options)
  /** The body too must be there in time. */
  const ask = <T>(path: string, init: RequestInit, call?: CallOptions): Promise<T> =>
    within(
      call?.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS, platform.wait, call?.signal,
      (signal) => open(path, { ...init, signal }).then(bodyOf<T>),
    )
  const get = <T>(path: string, call?: CallOptions): Promise<T> => ask(path, {}, call)
  const post = <T>(path: string, body?: object | null, call?: CommandOptions): Promise<T> => {
    const headers: Record<string, string> = {}
    if (body) headers['content-type'] = 'application/json'
    const key = call?.idempotencyKey ?? null
    // No header holds it, and fetch would tell that as it tells a service that is not there.
    if (key !== null && /[^ -~]/.test(key)) {
      const told = 'an Idempotency-Key has 1 to 128 printable ASCII characters'
      return Promise.reject(new CartwallError(400, 'invalid_playback_request', told))
    }
    if (key !== null) headers['idempotency-key'] = key
    return ask(path, { method: 'POST', headers, body: body ? JSON.stringify(body) : null }, call)
  }
  const on = (buttonId: string, what: string): string =>
    `/buttons/${encodeURIComponent(buttonId)}/${what}`
  return {
    baseUrl,
    platform,
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

const platformOf = (baseUrl: string, options: ClientOptions): ClientPlatform => {
  const platform = globalThis as { WebSocket?: SocketClass; document?: PageSight }
  return {
    wait: options.wait ?? realWait,
    page: options.page === undefined ? platform.document ?? null : options.page,
    live: options.webSocket === null ? null : (query) => {
      // Looked up now, as fetch is. Who brings a fetch wants no other way to the network.
      const Socket = options.webSocket ?? (options.fetch ? undefined : platform.WebSocket)
      try {
        const url = `${baseUrl.replace(/^http/, 'ws')}/live${query}`
        return Socket ? new Socket(url, 'cartwall.live.1') : null
      } catch {
        // E.g. on a page that came by https.
        return null
      }
    },
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
  const isSwept = response.headers.get('swept-by-panic') === 'true'
  throw new CartwallError(response.status, code, told, isSwept)
}

export { Background } from './background.js'
export { NotStartedError } from './background-options.js'
export type {
  BackgroundMemory, BackgroundOptions, BackgroundState, BackgroundView, HaltReason, ResumeCall,
  StartCall,
} from './background-options.js'
export { DmxSync } from './dmx-sync.js'
export type { DmxSyncOptions, SyncClock, SyncEnd, SyncMedia } from './dmx-sync.js'
export { CartwallError } from './error.js'
export { outcomeOf } from './failure.js'
export type { Outcome } from './failure.js'
export type {
  CallOptions, Client, ClientOptions, ClientPlatform, ClientSocket, CommandOptions, Fetch,
  PageSight, SocketClass,
} from './types.js'
export type { Wait } from './wait.js'
export { watch } from './watch.js'
export type { Watching, WatchOptions } from './watch.js'
export type { CartwallEvent, WatchedRun, WatchMode } from './link.js'
export type {
  AlreadyActiveAnswer, AudioEvent, AudioStatus, Button, ButtonKind, ButtonsAnswer, CatalogueEvent,
  DmxEvent, DmxOutputStatus, DmxRunStatus, DurationEvent, EndReason, ErrorCode, ErrorCodes,
  ErrorStatus, EventBody, EventName, Execution, ImageEvent, NoticeEvent, PanicAnswer, PanicBody,
  PauseBody, ResetEvent, ResumeBody, RunEvent, RunOptions, RunState, ServiceEvent, ServiceState,
  StartAnswer, StatusAnswer, StatusItem, StopAnswer, StopBody, StopResult, SyncAnswer, SyncBody,
  SyncState, WrapEvent,
} from './wire.js'
