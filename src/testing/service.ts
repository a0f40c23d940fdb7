// The service inside a test player: engine and server by direct calls, and the network before them.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Response as Injected } from 'light-my-request'
import { add, earlier, framesToMs, framesToWholeMs, frame, type Frame } from '../clock/frame.js'
import { buildServer } from '../api/server.js'
import { LiveHub } from '../api/live/hub.js'
import type { Timers } from '../clock/timers.js'
import { VirtualTimers } from '../clock/virtual.js'
import { version } from '../daemon/package.js'
import { DEFAULT_ENGINE } from '../engine/engine.js'
import type { Fact } from '../engine/ports.js'
import { createPrng } from '../engine/prng.js'
import { DirectPlayer } from './direct-player.js'
import { Ear, type Heard } from './ear.js'
import type { AppEnd, Line } from './live-wire.js'
import { NetworkBetween } from './network.js'
import { StagedMedia, type StagedFile } from './staged-media.js'
import { catalogueOf, type TestShow } from './test-show.js'

export interface ServiceOptions {
  readonly show: TestShow
  readonly authority: string
  /** What stands before `/api/v1` in the address, as of a proxy. */
  readonly prefix: string
  readonly timelines: Readonly<Record<string, { readonly durationMs: number }>>
}

/** Time is walked in pieces of at most a second, so that decoders need not run far ahead. */
const PIECE = 48_000

export class Service {
  /** Grows with everything that the app does. */
  activity = 0
  readonly #media = new StagedMedia()
  /** Never rings: the engine keeps all deadlines itself, readers need no heartbeat here. */
  readonly #still = new VirtualTimers(0)
  readonly #names = new Map<string, string>()
  readonly network: NetworkBetween
  /** Time as live connections see it: that of the player. */
  readonly #liveTimers = new VirtualTimers(0)
  /** Somebody has read events, or heard of them on a live connection. */
  wasAttended = false
  #past: Heard[] = []
  #answering = 0
  #ids = 0
  #show: TestShow
  #player: DirectPlayer
  #ear: Ear
  #app: FastifyInstance
  #hub: LiveHub
  #isShuttingDown = false

  constructor(private readonly options: ServiceOptions) {
    this.#show = options.show
    this.#player = this.#born(frame(0))
    this.network = new NetworkBetween(() => this.now, () => (this.activity += 1))
    this.#ear = new Ear(this.#player, this.#media)
    this.#app = this.#serve()
    this.#hub = this.#liveHub()
  }

  get now(): Frame {
    return this.#player.engine.now
  }

  /** A request is being answered. */
  get busy(): boolean {
    return this.#answering > 0
  }

  /** Somebody reads events. */
  get attended(): boolean {
    return this.network.streams.size + this.network.lines.size > 0
  }

  /**
   * Moves time to `target`, from one thing that happens to the next. With `attended` it stops at
   * the first one that somebody may react to, and answers true.
   */
  moveTo(target: Frame, attended: (() => boolean) | null): boolean {
    const { engine, events } = this.#player
    while (engine.now < target) {
      const before = events.length
      const wire = this.network.next() ?? target
      const horizon = earlier(earlier(target, wire), add(engine.now, PIECE))
      this.#media.feed(horizon)
      this.#player.advance(0)
      const due = engine.nextDue() ?? horizon
      const next = earlier(horizon, due > engine.now ? due : add(engine.now, 1))
      this.#ear.move(this.#ear.nextTurn(next))
      this.#liveTimers.advance(engine.now)
      const arrived = this.network.arrive()
      // What arrives is for the app, or is carried out only once it is waited for.
      if (attended !== null && (arrived || (attended() && events.length > before))) return true
    }
    return false
  }

  post(fact: Fact): void {
    this.#player.post(fact)
  }

  /** True where the button had something to break; its run fails one frame from now. */
  breakDecoder(buttonId: string): boolean {
    if (!this.#media.breakDecoders(buttonId, 'the decoder broke')) return false
    this.moveTo(add(this.now, 1), null)
    return true
  }

  addFile(path: string, name: string, file: StagedFile): void {
    this.#media.files.set(path, file)
    this.#names.set(path, name)
    this.post({ kind: 'probed', path, duration: file.frames })
  }

  removeFile(path: string): void {
    this.#media.files.delete(path)
  }

  replaceShow(show: TestShow): void {
    const catalogue = catalogueOf(show, this.options.timelines)
    this.#show = show
    this.post({ kind: 'catalogue_busy' })
    this.post({ kind: 'catalogue', catalogue })
  }

  /** In order, as at SIGTERM: what plays is stopped, readers hear of it, then nobody answers. */
  async shutDown(): Promise<void> {
    this.#isShuttingDown = true
    this.#answering += 1
    this.post({ kind: 'shutdown' })
    this.#hub.close()
    await this.#app.close()
    this.#answering -= 1
    this.network.isGone = true
    this.activity += 1
  }

  /** Begins again, killed in mid-air if need be. */
  restart(): void {
    this.#past = this.heard()
    this.network.cut()
    if (!this.#isShuttingDown) void this.#app.close()
    this.#isShuttingDown = false
    this.network.isGone = false
    this.#player = this.#born(this.now)
    this.#ear = new Ear(this.#player, this.#media)
    this.#app = this.#serve()
    this.#hub = this.#liveHub()
    for (const [path, { frames }] of this.#media.files) {
      this.post({ kind: 'probed', path, duration: frames })
    }
  }

  heard(): Heard[] {
    return [...this.#past, ...this.#ear.report((path) => this.#names.get(path) ?? path)]
  }

  /** Answers as the service would, through the network as it is; rejects as fetch does. */
  respond(request: Request, signal: AbortSignal | null): Promise<Response> {
    this.activity += 1
    return this.network.pass(request.method === 'POST', signal, async () => {
      this.#answering += 1
      try {
        return await this.#inject(request, signal)
      } finally {
        this.#answering -= 1
        this.activity += 1
      }
    })
  }

  /** A live connection, as `new WebSocket` opens it: the end that the app has of it. */
  connect(url: string): AppEnd {
    this.activity += 1
    this.wasAttended = true
    const { searchParams } = new URL(url)
    const [boot, n] = [searchParams.get('boot'), searchParams.get('n')]
    const seen = boot === null || n === null ? null : { boot, n: Number(n) }
    return this.network.connect((line: Line) => this.#hub.open(line.service, seen)).app
  }

  async #inject(request: Request, signal: AbortSignal | null): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const { prefix } = this.options
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname
    const headers = { ...Object.fromEntries(request.headers), host: this.options.authority }
    const text = Buffer.from(await request.text())
    // As a stream: a text is handed on by setImmediate, and a test may have put its own there.
    const payload = text.length === 0 ? {} : { payload: Readable.from([text]) }
    const answer = await this.#app.inject({
      method: request.method as 'GET',
      url: path + search,
      headers: { ...headers, 'content-length': String(text.length) },
      ...payload,
      payloadAsStream: true,
    })
    const lasting = String(answer.headers['content-type']).startsWith('text/event-stream')
    const body = lasting ? this.#follow(answer, signal) : await textOf(answer.stream())
    return new Response(answer.statusCode === 204 ? null : body, {
      status: answer.statusCode, headers: headersOf(answer.headers),
    })
  }

  /** A stream that lasts until its reader or the service goes. */
  #follow(answer: Injected, signal: AbortSignal | null): ReadableStream<Uint8Array> {
    const { streams } = this.network
    const stream = answer.stream()
    streams.add(stream)
    this.wasAttended = true
    stream.once('close', () => {
      streams.delete(stream)
      // The service does not notice by itself that its reader has gone.
      answer.raw.res.destroy()
    })
    stream.on('error', () => undefined)
    stream.on('data', () => (this.activity += 1))
    signal?.addEventListener('abort', () => stream.destroy(), { once: true })
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>
  }

  #born(origin: Frame): DirectPlayer {
    const player: DirectPlayer = new DirectPlayer(
      {
        ...DEFAULT_ENGINE,
        // Staged media come just in time.
        cushion: frame(1),
        origin,
        media: this.#media,
        catalogue: catalogueOf(this.#show, this.options.timelines),
        dmxAllowed: true,
        prng: createPrng(1),
        ids: { next: () => guidOf((this.#ids += 1)) },
      },
      () => ({
        version: version(),
        showError: null,
        uptimeMs: framesToWholeMs(frame(player.engine.now - origin)),
        dmxEnabled: true,
        universes: 0,
        audio: { sink: 'test', latencyMs: 0, underruns: 0, armedHeads: 0 },
        lights: { state: 'off', message: null },
        log: { state: 'ok', message: null, lost: 0 },
      }),
    )
    const { engine } = player
    this.#media.attach((fact, at) => engine.post(fact, at), () => engine.now)
    return player
  }

  #liveHub(): LiveHub {
    const player = this.#player
    return new LiveHub({
      version: version(),
      engine: player,
      tags: () => ({ show: null, waves: null, armed: null }),
      meter: () => undefined,
      look: () => ({ frame: player.engine.now, universes: [] }),
    }, this.#liveTimers)
  }

  /** What the server remembers for a while, e.g. the keys of commands, it forgets in time. */
  #timersOfServer(): Timers {
    const still = this.#still
    return {
      nowMs: () => framesToMs(this.now),
      wallMs: () => still.wallMs(),
      after: (ms, act) => still.after(ms, act),
      every: (ms, act) => still.every(ms, act),
      background: still.background,
    }
  }

  #serve(): FastifyInstance {
    return buildServer({
      timers: this.#timersOfServer(),
      player: this.#player,
      authority: this.options.authority,
      entitled: () => true,
      logger: null,
      checksAnswers: true,
      shuttingDown: () => this.#isShuttingDown,
      origins: 'any',
      live: null,
      pages: null,
    })
  }
}

/** Ids that nobody's show has, and that a person can tell apart. */
const guidOf = (n: number): string => `e0000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

const textOf = async (stream: Readable): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const headersOf = (from: OutgoingHttpHeaders): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one))
  }
  return headers
}
