// Requests that come on a connection before those before them are answered (pipelining): so many
// at once, the others wait in their order, and nothing more is read for as long.
//
// Answers leave in the order of the requests, so each that is worked out early lies in memory until
// its turn: 3000 reads of a large catalogue in one packet were gigabytes. A read is worked out in
// its turn alone: 17 of a waveform were still megabytes a connection, and an answer whose turn
// never comes hears nothing of its connection's end: its medium stayed open for ever.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '../../contract/limits.js'

interface Waiting {
  readonly response: ServerResponse
  /** The answer before it; null: it need not be out. */
  readonly behind: ServerResponse | null
  readonly proceed: () => void
}

/** Of those connections that pipelined. */
const pipelines = new WeakMap<Socket, Pipeline>()

/**
 * Calls `proceed` when the request's turn has come.
 * @param before the answer before this one on the connection, which is not out yet.
 */
export const inTurn = (
  { socket, method }: IncomingMessage, response: ServerResponse, before: ServerResponse,
  proceed: () => void,
): void => {
  const pipeline = pipelines.get(socket) ?? new Pipeline(socket)
  pipelines.set(socket, pipeline)
  const isRead = method === 'GET' || method === 'HEAD'
  pipeline.add({ response, behind: isRead ? before : null, proceed })
}

class Pipeline {
  /** Beside the one that they came behind. */
  #open = 0
  #waiting: Waiting[] = []

  constructor(private readonly socket: Socket) {}

  add(one: Waiting): void {
    if (this.#waiting.length === 0 && this.#mayBegin(one)) {
      this.#begin(one)
      return
    }
    this.#waiting.push(one)
    one.behind?.once('close', () => this.#goOn())
    this.socket.pause()
  }

  #mayBegin({ behind }: Waiting): boolean {
    return this.#open < LIMITS.requestsUnanswered && (behind === null || behind.closed)
  }

  #begin({ response, proceed }: Waiting): void {
    this.#open += 1
    response.once('close', () => {
      this.#open -= 1
      this.#goOn()
    })
    proceed()
  }

  #goOn(): void {
    if (this.socket.destroyed) this.#waiting = []
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (!this.#mayBegin(next)) return
      this.#waiting.shift()
      this.#begin(next)
    }
    this.socket.resume()
  }
}
