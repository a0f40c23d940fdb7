// The browser behind the shared pieces: its socket, its clock, its timers, its requests.
import { after, nowMs } from '../../client/time.js'
import { LIVE } from '../../contract/live.js'
import type { LivePorts, Socket, SocketEvents } from './live-socket.js'
import { request } from './request.js'
import type { ShowPorts } from './show-loader.js'

const THERE_WITHIN_MS = 1_000

export const browserPorts: LivePorts = {
  now: nowMs,
  after,
  open: (path, events) => openSocket(path, events),
  isThere: async () => {
    const over = new AbortController()
    const cancel = after(THERE_WITHIN_MS, () => over.abort())
    try {
      await request('/show', { method: 'HEAD', cache: 'no-store', signal: over.signal })
      return true
    } catch {
      return false
    } finally {
      cancel()
    }
  },
  isHidden: () => document.hidden,
}

/** A page that comes to be seen, or back from the browser's store of pages, looks at once. */
export const wakeWith = (wake: () => void): void => {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake()
  })
  window.addEventListener('pageshow', wake)
  window.addEventListener('online', wake)
}

const openSocket = (path: string, events: SocketEvents): Socket => {
  const socket = new WebSocket(`ws://${location.host}${path}`, LIVE.subprotocol)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => events.opened())
  socket.addEventListener('close', () => events.closed())
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') events.text(data)
    else events.binary(data)
  })
  return socket
}

export const showPorts: ShowPorts = {
  after,
  read: async (path, signal) => {
    const answer = await request(path, { cache: 'no-cache', signal })
    if (!answer.ok) return null
    return { etag: answer.headers.get('etag'), body: await answer.json() }
  },
}
