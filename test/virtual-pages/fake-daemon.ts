// A daemon for pages without a browser: its connection, its show and its answers, as the test says.
import { vi } from 'vitest'
import type {
  LiveChange, LiveMessage, LiveParts, PageMessage,
} from '../../src/contract/live.js'
import type { ShowPage } from '../../src/contract/show-page.js'

const FRAMES_PER_MS = 48

interface Asked {
  readonly path: string
  readonly body: unknown
}

type Answer = { readonly status: number; readonly body: unknown } | 'none' | 'broken'

/** Whom a page meets that connects. */
let listening: FakeDaemon

const connectTo = (daemon: FakeDaemon): void => {
  listening = daemon
  vi.stubGlobal('WebSocket', PageSocket)
}

/** The browser's side of one connection. */
class PageSocket extends EventTarget {
  binaryType = ''
  isOpen = false
  readonly daemon = listening

  constructor() {
    super()
    this.daemon.sockets.push(this)
    setTimeout(() => this.#opened(), 1)
  }

  send(text: string): void {
    this.daemon.hear(this, JSON.parse(text) as PageMessage)
  }

  close(): void {
    this.isOpen = false
  }

  say(message: LiveMessage): void {
    if (this.isOpen) {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
    }
  }

  #opened(): void {
    if (!this.daemon.isThere) return this.end()
    this.isOpen = true
    this.dispatchEvent(new Event('open'))
    this.daemon.welcome(this)
  }

  end(): void {
    this.isOpen = false
    this.dispatchEvent(new Event('close'))
  }
}

export class FakeDaemon {
  readonly sockets: PageSocket[] = []
  /** What pages sent besides asking the time. */
  readonly heard: PageMessage[] = []
  readonly posts: Asked[] = []
  /** What the next requests of the API are answered; then all are accepted. */
  answers: Answer[] = []
  /** Paths that are looked up, and their bodies. */
  readonly bodies = new Map<string, unknown>()
  /** How often pages asked the time. */
  timesAsked = 0
  isThere = true
  answersTime = true
  /** So long the page's machine slept, and its clock with it. */
  sleptMs = 0
  boot = 'one'
  version = '1'
  parts: LiveParts
  #n = 0
  #tag = 1

  constructor(private show: ShowPage, parts: LiveParts) {
    this.parts = { ...parts, show: this.etag }
    connectTo(this)
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => this.#fetched(path, init))
  }

  get etag(): string {
    return `"show ${this.#tag}"`
  }

  /** The engine's frame at this moment; what is heard is the same. */
  get frame(): number {
    return Math.round((performance.now() + this.sleptMs) * FRAMES_PER_MS)
  }

  tell(change: Partial<LiveChange>): void {
    const { events = [], runs = [], ...parts } = change
    this.#n += 1
    const live = new Map(this.parts.runs.map((run) => [run.executionId, run]))
    for (const run of runs) {
      if (run.endReason === null) live.set(run.executionId, run)
      else live.delete(run.executionId)
    }
    this.parts = { ...this.parts, ...parts, runs: [...live.values()] }
    this.#say({ kind: 'change', n: this.#n, at: this.frame, events, runs, ...parts })
  }

  /** Another show is saved. */
  save(show: ShowPage): void {
    this.show = show
    this.#tag += 1
    this.tell({ show: this.etag })
  }

  levels(bytes: Uint8Array<ArrayBuffer>): void {
    for (const socket of this.sockets) {
      if (socket.isOpen) socket.dispatchEvent(new MessageEvent('message', { data: bytes.buffer }))
    }
  }

  /** It is gone, as a process that was killed. */
  die(): void {
    this.isThere = false
    for (const socket of this.sockets) if (socket.isOpen) socket.end()
  }

  welcome(socket: PageSocket): void {
    const { boot, version, etag: show } = this
    socket.say({ kind: 'hello', protocol: 'cartwall.live.1', version, boot, show })
    socket.say({ kind: 'state', n: this.#n, at: this.frame, missed: null, ...this.parts })
  }

  hear(socket: PageSocket, message: PageMessage): void {
    if (message.kind !== 'time') {
      this.heard.push(message)
      return
    }
    this.timesAsked += 1
    if (this.answersTime) {
      const { frame } = this
      setTimeout(() => socket.say({ kind: 'time', id: message.id, frame, latency: 0 }), 0)
    }
  }

  #say(message: LiveMessage): void {
    for (const socket of this.sockets) socket.say(message)
  }

  #fetched(path: string, init: RequestInit): Promise<Response> {
    if (!this.isThere) return Promise.reject(new Error('nobody listens'))
    if (init.method === 'POST') return this.#posted(path, init)
    if (path === '/show') return Promise.resolve(answerOf(200, this.show, this.etag))
    const body = this.bodies.get(path)
    return Promise.resolve(answerOf(body === undefined ? 404 : 200, body ?? {}, null))
  }

  #posted(path: string, { body = null, signal = null }: RequestInit): Promise<Response> {
    const text = typeof body === 'string' ? body : 'null'
    this.posts.push({ path: path.replace('/api/v1', ''), body: JSON.parse(text) as unknown })
    const answer = this.answers.shift() ?? { status: 202, body: { result: 'accepted' } }
    if (answer === 'broken') return Promise.reject(new Error('connection reset'))
    if (answer !== 'none') return Promise.resolve(answerOf(answer.status, answer.body, null))
    return new Promise((_answer, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  }
}

const answerOf = (status: number, body: unknown, etag: string | null): Response => ({
  ok: status < 300, status, headers: { get: () => etag },
  json: () => Promise.resolve(body),
  arrayBuffer: () => Promise.resolve(body),
}) as unknown as Response
