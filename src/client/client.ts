// The typed client of the API: a method for each route, one error type, no retries of its own.
import { CartwallError } from './error.js'
import type { CallOptions, Client, ClientOptions, CommandOptions } from './types.js'

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
export type { CallOptions, Client, ClientOptions, CommandOptions, Fetch } from './types.js'
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
