// What a client can do: a method for each route, with what it takes and what it answers.
import type {
  AlreadyActiveAnswer, ButtonsAnswer, Execution, PanicAnswer, PanicBody, PauseBody, ResumeBody,
  RunOptions, StartAnswer, StatusAnswer, StopAnswer, StopBody, SyncAnswer, SyncBody,
} from './wire.js'
import type { Wait } from './wait.js'

/** The platform's fetch, or anything that answers like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** As much of a WebSocket as is needed; the platform's, and that of the package `ws`, fit. */
export interface ClientSocket {
  send(text: string): void
  close(): void
  addEventListener(type: 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

export type SocketClass = new (url: string, protocol: string) => ClientSocket

/** As much of a page's `document` as is needed. */
export interface PageSight {
  readonly hidden: boolean
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

export interface ClientOptions {
  /** Where the service is, e.g. `http://127.0.0.1:47831/api/v1`. */
  readonly baseUrl: string
  /** In place of the platform's own, e.g. that of a test player. */
  readonly fetch?: Fetch | undefined
  /**
   * In place of the platform's own, e.g. that of `ws` on Node 20; null: events and polling only.
   * With a `fetch` of its own and nothing here a client opens no WebSocket.
   */
  readonly webSocket?: SocketClass | null | undefined
  /** For how long a request may go unanswered, 5000 where nothing is said; Infinity: for ever. */
  readonly timeoutMs?: number | undefined
  /** In place of real time, for all that uses this client, e.g. `player.wait` of a test player. */
  readonly wait?: Wait | undefined
  /** In place of the page's `document`, which tells whether the page is seen. */
  readonly page?: PageSight | null | undefined
}

/** What the client stands on, for what is built upon it. */
export interface ClientPlatform {
  readonly wait: Wait
  readonly page: PageSight | null
  /** Opens `GET /live`; null where there are no WebSockets, or the page may open none. */
  readonly live: ((query: string) => ClientSocket | null) | null
}

export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | null | undefined
  /** In place of the client's own. */
  readonly timeoutMs?: number | undefined
}

export interface CommandOptions extends CallOptions {
  /**
   * Makes it safe to send this command again when its answer was lost: for ten minutes the service
   * repeats the first answer instead of carrying it out twice. 1 to 128 printable characters.
   */
  readonly idempotencyKey?: string | null | undefined
}

/**
 * Every method resolves with the typed body of a success. Any other answer rejects with a
 * `CartwallError`. Where there is no answer it rejects as `fetch` does: a `TypeError` when the
 * service cannot be reached, the signal's reason when it was aborted, a `TimeoutError` when its
 * time was over. `outcomeOf` tells what became of a command then.
 */
export interface Client {
  readonly baseUrl: string
  readonly platform?: ClientPlatform | undefined
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
  /** The raw answer of a GET below `baseUrl`, for what is not one JSON body; without a timeout. */
  open(path: string, init: RequestInit): Promise<Response>
}
