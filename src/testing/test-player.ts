// A player to test apps against: the real engine and the real server on a clock that tests move.
//
// It opens no port and no sound device and needs no ffmpeg. Requests come in through msw
// (`player.handlers`) or through `player.fetch`; time passes only in `advance`.
import { http, HttpResponse, ws, type RequestHandler, type WebSocketHandler } from 'msw'
import { add, frame, framesToWholeMs, msToFrames, type Frame } from '../clock/frame.js'
import { turnOfTheLoop } from '../clock/event-loop.js'
import { DEFAULTS } from '../contract/limits.js'
import { AppClock } from './app-clock.js'
import type { Heard } from './ear.js'
import type { ClientOptions, ClientSocket, SocketClass } from '../client/types.js'
import type { Loss, Network } from './network.js'
import { Service } from './service.js'
import { framesOf } from './argument-checks.js'
import { TestPage } from './test-page.js'
import { pathOf, type TestShow } from './test-show.js'

/** As `Wait` of the client. */
export interface TestWait {
  (ms: number, signal?: AbortSignal | null): Promise<void>
  readonly now: () => number
}

export interface TestFile {
  readonly durationMs: number
  /** From the start to its first sound; 0 where nothing is said. */
  readonly readyAfterMs?: number | undefined
  /** The decoder fails when it reaches this position of the source. */
  readonly failsAtMs?: number | undefined
}

export interface TestPlayerOptions {
  /** The files that exist, by the names that the show gives them. */
  readonly media?: Readonly<Record<string, TestFile>> | undefined
  /** The lighting timelines that exist. */
  readonly timelines?: Readonly<Record<string, { readonly durationMs: number }>> | undefined
  /** Where the app believes the service to be; the default address where nothing is said. */
  readonly baseUrl?: string | undefined
}

/** As much of what msw hands over as is needed. */
interface CaughtSocket {
  readonly url: URL
  send(data: string): void
  close(): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
}

/** How often in a row the loop must turn without news before everything is taken to be settled. */
const QUIET_TURNS = 5
const TURNS_MAX = 100_000
const LONGEST_MS = 2 ** 31 - 1
type Sockets = ReturnType<typeof ws.link>
const sockets = new Map<string, Sockets>()
/** Of the players that a test makes one after the other one answers, as it is for its requests. */
const answered = new WeakSet<CaughtSocket>()

/** One for all players of an address: each that msw makes listens for as long as the process. */
const socketsOf = (origin: string): Sockets => {
  const known = sockets.get(origin) ?? ws.link(`${origin.replace(/^http/, 'ws')}/*`)
  sockets.set(origin, known)
  return known
}

// The jsdom of Jest takes it away, and what answers requests here ends each answer by it.
if (!('setImmediate' in globalThis)) {
  Object.assign(globalThis, { setImmediate: turnOfTheLoop })
}

export class TestPlayer {
  readonly baseUrl: string
  /** The page that the app believes to be on: `page.hidden = true` hides it. */
  readonly page = new TestPage()
  #handlers: (RequestHandler | WebSocketHandler)[] | null = null
  readonly #service: Service
  readonly #clock = new AppClock()
  /** Where the calls of `advance` have brought the clock, to the frame. */
  #target: Frame = frame(0)
  #moving: Promise<void> = Promise.resolve()
  #isWaitedOn = false

  constructor(show: TestShow, options: TestPlayerOptions) {
    const { host, port, apiPrefix } = DEFAULTS
    const { baseUrl = `http://${host}:${String(port)}${apiPrefix}`, timelines = {} } = options
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    const { host: authority, pathname } = new URL(this.baseUrl)
    const prefix = pathname.slice(0, -apiPrefix.length)
    this.#service = new Service({ show, authority, prefix, timelines })
    for (const [name, file] of Object.entries(options.media ?? {})) this.addFile(name, file)
  }

  /** For msw: `server.use(...player.handlers)`. Everything on the service's address comes here. */
  get handlers(): (RequestHandler | WebSocketHandler)[] {
    const { origin } = new URL(this.baseUrl)
    this.#handlers ??= [
      http.all(`${origin}/*`, ({ request }) => this.#answer(request)),
      socketsOf(origin).addEventListener('connection', ({ client }) => this.#connect(client)),
    ]
    return this.#handlers
  }

  /** In place of the platform's fetch, where no msw is wanted. */
  readonly fetch = async (
    what: string | URL | Request, init: RequestInit = {},
  ): Promise<Response> => {
    const { signal = what instanceof Request ? what.signal : null, ...rest } = init
    const request = new Request(what, rest)
    const { origin } = new URL(request.url)
    if (origin !== new URL(this.baseUrl).origin) throw new TypeError('fetch failed')
    return this.#service.respond(request, signal)
  }

  /** In place of the platform's WebSocket: the live connection. */
  get webSocket(): SocketClass {
    const connect = (url: string): ClientSocket => this.#service.connect(url)
    // A function that answers an object may be called with `new`.
    return function open(url: string) {
      return connect(url)
    } as unknown as SocketClass
  }

  /** All that a client needs: `createClient(player.clientOptions)` lives in the player's time. */
  get clientOptions(): ClientOptions {
    const { baseUrl, fetch, webSocket, wait, page } = this
    return { baseUrl, fetch, webSocket, wait, page }
  }

  /** A wait on the player's clock, for whatever waits: `new Background(client, { wait, … })`. */
  get wait(): TestWait {
    this.#isWaitedOn = true
    // As a timer has it: what is longer than it can be is as good as for ever.
    const wait = (ms: number, signal: AbortSignal | null = null): Promise<void> =>
      this.#clock.wait(add(this.#service.now, msToFrames(Math.min(ms, LONGEST_MS))), signal)
    return Object.assign(wait, { now: () => this.now() })
  }

  /** Milliseconds since the player was made. */
  now(): number {
    return framesToWholeMs(this.#service.now)
  }

  /**
   * Lets time pass. Once the app was given `player.wait` or has read events, await it: time then
   * stops at each thing that happens until the app has done what it does about it. Elsewhere all of
   * it has passed when the call returns.
   */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError('time does not go back')
    this.#target = add(this.#target, msToFrames(ms))
    const target = this.#target
    if (this.#isWaitedOn || this.#service.wasAttended) {
      this.#moving = this.#moving.then(() => this.#step(target))
      return this.#moving
    }
    this.#service.moveTo(target, null)
    return this.settled()
  }

  /** Resolves when no request is on its way and the app is at rest. */
  async settled(): Promise<void> {
    let quiet = 0
    for (let turns = 0; quiet < QUIET_TURNS && turns < TURNS_MAX; turns += 1) {
      const before = this.#activity()
      await new Promise((resolve) => {
        turnOfTheLoop(resolve)
      })
      quiet = this.#service.busy || this.#activity() !== before ? 0 : quiet + 1
    }
  }

  /** Breaks the decoder of a button's run: it ends `failed`/`playback_error` at the next frame. */
  fail(buttonId: string, _what: 'decoder' = 'decoder'): void {
    if (!this.#service.breakDecoder(buttonId.toLowerCase())) {
      throw new Error(`button ${buttonId} has no run that could fail`)
    }
  }

  /** The sound device goes away: what sounds fails, starts answer 503. */
  loseDevice(): void {
    this.#service.post({ kind: 'output_lost', message: 'the device is gone' })
  }

  restoreDevice(): void {
    this.#service.post({ kind: 'output_back' })
  }

  /** The service is killed, or had ended, and begins again: it knows no run any more. */
  restart(): void {
    this.#service.restart()
  }

  /** The service ends in order, as at SIGTERM; nobody answers until `restart`. */
  async shutDown(): Promise<void> {
    await this.#service.shutDown()
    await this.settled()
  }

  /** What lies between the app and the service; see `Network`. */
  setNetwork(network: Network): void {
    this.#service.network.network = network
  }

  /**
   * Of the next command exactly one thing gets lost: its answer, or the request itself; or all of
   * it is `late` and arrives `ms` later, whether the app still waits for it or not.
   */
  loseNext(loss: Loss = 'answer', ms = 400): void {
    this.#service.network.lose(loss, msToFrames(ms))
  }

  /** Every connection that stands breaks, once; the next one finds the network as it is. */
  cutConnections(): void {
    this.#service.network.cut()
  }

  /** Another show takes the place of this one while things play, as when its file was edited. */
  replaceShow(show: TestShow): void {
    this.#service.replaceShow(show)
  }

  /** From now on the file exists, or exists with another length. */
  addFile(name: string, file: TestFile): void {
    const { durationMs, readyAfterMs = 0, failsAtMs = null } = file
    this.#service.addFile(pathOf(name), name, {
      frames: framesOf(`${name}: durationMs`, durationMs),
      readyAfter: framesOf(`${name}: readyAfterMs`, readyAfterMs),
      breaksAt: failsAtMs === null ? null : framesOf(`${name}: failsAtMs`, failsAtMs),
    })
  }

  /** From now on the file is missing; what plays from it goes on. */
  removeFile(name: string): void {
    this.#service.removeFile(pathOf(name))
  }

  /** What sounded and when, in the order of the beginnings. */
  heard(): Heard[] {
    return this.#service.heard()
  }

  async #step(target: Frame): Promise<void> {
    await this.settled()
    while (this.#service.now < target) {
      const next = this.#clock.next()
      const until = next !== null && next < target ? next : target
      const news = this.#service.moveTo(until, () => this.#service.attended)
      const rang = this.#clock.ring(this.#service.now)
      if (news || rang) await this.settled()
    }
    this.#clock.ring(this.#service.now)
    await this.settled()
  }

  #activity(): number {
    return this.#clock.activity + this.#service.activity
  }

  /** The platform's own WebSocket, as msw hands it over. */
  #connect(client: CaughtSocket): void {
    // msw asks the handlers that it was handed last first, and then all others too.
    if (answered.has(client)) return
    answered.add(client)
    const end = this.#service.connect(client.url.href)
    end.addEventListener('message', ({ data }) => client.send(data as string))
    end.addEventListener('close', () => client.close())
    client.addEventListener('message', ({ data }) => end.send(String(data)))
    client.addEventListener('close', () => end.close())
  }

  async #answer(request: Request): Promise<Response> {
    try {
      return await this.#service.respond(request, request.signal)
    } catch (error) {
      // What msw makes of it has this as its cause: an app is told whether anything was sent.
      return Object.assign(HttpResponse.error(), (error as Error).cause)
    }
  }
}

/** A player for one test; nothing of it needs to be closed. */
export const createTestPlayer = (show: TestShow, options: TestPlayerOptions): TestPlayer =>
  new TestPlayer(show, options)

export type { Heard } from './ear.js'
export type { Loss, Network } from './network.js'
export type { TestPage } from './test-page.js'
export type { TestButton, TestPlaylist, TestShow } from './test-show.js'
