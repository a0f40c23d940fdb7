// Requests to leave HTTP on their connection: /api/v1/live becomes a WebSocket, the rest stay HTTP.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
// By no name: where Node is told to take what is meant for browsers, as by apps of Svelte in their
// tests, `ws` is a file without any. The test player, which comes by here, has no use for it.
import * as ws from 'ws'
import { refuse, type Refusal } from '../../contract/errors.js'
import { LIVE } from '../../contract/live.js'
import { addressOf } from '../wire/fair-share.js'
import type { LiveHub, Seen } from './hub.js'

export interface HandshakeOptions {
  readonly hub: LiveHub
  /** Host, origin and licence, as on every other path; null: it may be answered. */
  readonly refusal: (request: IncomingMessage) => Refusal | null
  /** It leaves HTTP. */
  readonly upgraded: (request: IncomingMessage) => void
  /** Writes a refusal and ends the connection. */
  readonly end: (socket: Duplex, refusal: Refusal) => void
}

/** A message of several frames has at most so many: 1008 for whoever sends one by the byte. */
const FRAGMENTS_MAX = 16
/** Chunks of TCP that one message may come in. */
const CHUNKS_MAX = 1_024
const KEY = /^[+/0-9A-Za-z]{22}==$/

export const attachLive = (server: Server, options: HandshakeOptions): void => {
  const sockets = new ws.WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LIVE.messageBytes,
    maxFragments: FRAGMENTS_MAX,
    maxBufferedChunks: CHUNKS_MAX,
    handleProtocols: (offered) => (offered.has(LIVE.subprotocol) ? LIVE.subprotocol : false),
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!wantsLive(request)) {
      goOn(server, request, socket, head)
      return
    }
    const [, query] = partsOf(request)
    socket.on('error', () => socket.destroy())
    const address = addressOf(request.socket)
    const refusal = options.refusal(request) ?? unfit(request) ?? full(options.hub, address)
    if (refusal !== null) {
      options.end(socket, refusal)
      return
    }
    options.upgraded(request)
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const seen = seenOf(new URLSearchParams(query))
      options.hub.open(webSocket, seen, address)
    })
  })
}

const partsOf = ({ url = '' }: IncomingMessage): readonly string[] => url.split('?', 2)

const wantsLive = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && partsOf(request)[0] === LIVE.path

/**
 * For the making of the server: since Node 24.9 it asks which requests leave HTTP. Any other stays
 * an ordinary one. Before that each comes as an `upgrade` event.
 */
export const UPGRADES = { shouldUpgradeCallback: wantsLive } as object

/**
 * RFC 9110 lets a server pass over an Upgrade that it does not know: Java's client, e.g., offers
 * h2c with its first request, a body too. The request goes back to where it came from without it.
 */
const goOn = (
  server: Server, request: IncomingMessage, socket: Duplex, head: Buffer,
): void => {
  const { rawHeaders, method = 'GET', url = '/', httpVersion } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? ''
    const value = rawHeaders[n + 1] ?? ''
    if (/^upgrade$/i.test(name)) continue
    lines.push(`${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

const withoutUpgrade = (value: string): string =>
  value.split(',').filter((token) => token.trim().toLowerCase() !== 'upgrade').join(',')

/** What ws would refuse without a word in our shape. */
const unfit = ({ method, headers }: IncomingMessage): Refusal | null => {
  if (method !== 'GET') return refuse('bad_request', 'a WebSocket is opened by GET')
  if (headers['sec-websocket-version'] !== '13') return refuse('bad_request', 'use version 13')
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    return refuse('bad_request', 'Sec-WebSocket-Key is missing or no key')
  }
  const offered = headers['sec-websocket-protocol']?.split(',').map((one) => one.trim())
  if (offered === undefined || offered.includes(LIVE.subprotocol)) return null
  return refuse('bad_request', `the subprotocol must be ${LIVE.subprotocol}`)
}

const full = (hub: LiveHub, address: string): Refusal | null =>
  hub.makesRoomFor(address)
    ? null
    : refuse('too_many_readers', `${LIVE.sockets} connections are open already; try again later`)

/** `?boot=BOOT&n=17`: the last change that the page saw. */
const seenOf = (query: URLSearchParams): Seen | null => {
  const boot = query.get('boot')
  const n = query.get('n')
  return boot === null || n === null ? null : { boot, n: /^\d{1,15}$/.test(n) ? Number(n) : -1 }
}
