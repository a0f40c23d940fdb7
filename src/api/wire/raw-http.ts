// Answers what never becomes a request: bytes that are not HTTP, timeouts, CONNECT, expectations.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import type { Timers } from '../../clock/timers.js'
import { ERRORS, refuse, type ErrorCode, type Refusal } from '../../contract/errors.js'
import { LIMITS } from '../../contract/limits.js'
import { LIVE } from '../../contract/live.js'
import { errorBody } from '../errors.js'
import { hostRefusal } from '../host-check.js'
import { COMMON_HEADERS, LENGTH } from './answer-head.js'
import { Connections } from './connections.js'

/** How long a refused client may go on sending, so that a reset does not eat its answer. */
const LINGER_MS = 500

/** Pages on `/live` have a bound of their own; a few may be on their way out. */
const SPARE_CONNECTIONS = LIVE.sockets + 64

const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  request_timeout: 'the request did not arrive in time',
  headers_too_large: 'the headers are too large',
  body_too_large: 'the body is too large',
}

/** What Node's parser says of it, where it is the parser's: e.g. `Invalid method encountered`. */
type WireError = NodeJS.ErrnoException & { readonly reason?: string }

/** Who writes requests by hand, on a microcontroller say, is told what is wrong with this one. */
const notHttp = ({ reason }: WireError): string =>
  `this is not a valid HTTP request${reason === undefined ? '' : `: ${reason}`}`

/** Kept on the socket itself: a weak map by socket costs the collector more than all the guards. */
const LAST = Symbol('the last answer on this connection')
interface Connection {
  [LAST]?: ServerResponse
}

/** Knows the last answer of every connection, because what is not HTTP may follow what is. */
export class Wire {
  readonly #ended = new WeakSet<object>()
  readonly #connections = new Connections(
    LIMITS.connections, (socket) => (socket as Connection)[LAST]?.closed ?? true,
  )

  constructor(
    private readonly timers: Timers,
    /** Hears of each refusal that no request hook sees. */
    private readonly refused: (refusal: Refusal) => void,
  ) {}

  /**
   * To be told of every request before anything looks at it. Answers the answer before it on its
   * connection, where that is not out yet: then it has to wait for its turn.
   */
  noteRequest({ socket }: IncomingMessage, response: ServerResponse): ServerResponse | null {
    const connection = socket as Connection
    const before = connection[LAST]
    connection[LAST] = response
    this.#connections.used(socket)
    return before === undefined || before.closed ? null : before
  }

  /** It was told that it is over; a request may have waited for the same moment. */
  hasEnded({ socket }: IncomingMessage): boolean {
    return this.#ended.has(socket)
  }

  /** The connection speaks another protocol from here on. */
  noteUpgrade({ socket }: IncomingMessage): void {
    this.#connections.left(socket)
  }

  /** A handshake is refused: one answer, then the end. */
  end(socket: Duplex, refusal: Refusal): void {
    this.refused(refusal)
    endRaw(this.timers, socket, refusal)
  }

  /** Once a connection is garbled nothing on it can be read any more: one answer, then the end. */
  onClientError(error: WireError, socket: Duplex): void {
    if (this.#ended.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(error)
      return
    }
    this.#ended.add(socket)
    const code = CODES[error.code ?? ''] ?? 'bad_request'
    const refusal = refuse(code, MESSAGES[code] ?? notHttp(error))
    this.refused(refusal)
    const last = (socket as Connection)[LAST] ?? null
    if (last === null || last.closed) {
      endRaw(this.timers, socket, refusal)
    } else if (last.req.complete) {
      // A good request came before on this connection: its answer goes first.
      last.once('close', () => endRaw(this.timers, socket, refusal))
    } else {
      endResponse(last, socket, refusal)
    }
  }

  /** Takes over what Node would answer with an empty body. */
  attach(server: Server, authority: (request: IncomingMessage) => string): void {
    server.maxConnections = LIMITS.connections + SPARE_CONNECTIONS
    server.on('connection', (socket: Socket) => this.#connections.opened(socket))
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      const refusal = hostRefusal(request, request.url ?? '', authority(request))
        ?? refuse('expectation_failed', 'no expectation but 100-continue can be met')
      const text = bodyText(refusal)
      response.writeHead(ERRORS[refusal.code], headersFor(text)).end(text)
    })
    server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => socket.destroy())
      const own = authority(request)
      // Its target is a host and a port; those of this service stand for its root.
      const target = request.url === own ? '/' : ''
      endRaw(this.timers, socket, hostRefusal(request, target, own)
        ?? refuse('method_not_allowed', 'this is no proxy; use GET or POST'))
    })
  }
}

/** The body of a request is broken: it is answered in its turn, if it was not answered already. */
const endResponse = (response: ServerResponse, socket: Duplex, refusal: Refusal): void => {
  if (response.headersSent) {
    response.once('close', () => socket.destroy())
    return
  }
  const text = bodyText(refusal)
  response.shouldKeepAlive = false
  response.writeHead(ERRORS[refusal.code], headersFor(text)).end(text)
}

/** Answers on a connection that is no longer HTTP, and ends it. */
const endRaw = (timers: Timers, socket: Duplex, refusal: Refusal): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const text = bodyText(refusal)
  const status = ERRORS[refusal.code]
  const headers: Record<string, string> = { ...headersFor(text), connection: 'close' }
  if (status === 405) headers['allow'] = 'GET, HEAD, POST'
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`)
  socket.resume()
  socket.once('close', timers.background.after(LINGER_MS, () => socket.destroy()))
}

const bodyText = (refusal: Refusal): string => JSON.stringify(errorBody(refusal))

const headersFor = (text: string): Record<string, string> => ({
  ...COMMON_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  [LENGTH]: String(Buffer.byteLength(text)),
})
