// Requests that come on a connection before those before them are answered (pipelining): so many
// at once, the others wait in their order, and nothing more is read for as long.
//
// Answers leave in the order of the requests, so each that is worked out early lies in memory until
// its turn: 3000 reads of a large catalogue in one packet were gigabytes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '../../contract/limits.js'

interface Waiting {
  readonly response: ServerResponse
  readonly proceed: () => void
}

/** Of those connections that pipelined. */
const pipelines = new WeakMap<Socket, Pipeline>()

/**
 * Calls `proceed` when the request's turn has come: at once, where it is not pipelined.
 * @param before the answer before this one on the connection, null where there was none.
 */
export const inTurn = (
  request: IncomingMessage, response: ServerResponse, before: ServerResponse | null,
  proceed: () => void,
): void => {
  if (before === null || before.closed) {
    proceed()
    return
  }
  const { socket } = request
  const pipeline = pipelines.get(socket) ?? new Pipeline(socket)
  pipelines.set(socket, pipeline)
  pipeline.add({ response, proceed })
}

class Pipeline {
  /** Beside the one that they came behind. */
  #open = 0
  #waiting: Waiting[] = []

  constructor(private readonly socket: Socket) {}

  add(one: Waiting): void {
    if (this.#open < LIMITS.requestsUnanswered) {
      this.#begin(one)
      return
    }
    this.#waiting.push(one)
    this.socket.pause()
  }

  #begin({ response, proceed }: Waiting): void {
    this.#open += 1
    response.once('close', () => this.#left())
    proceed()
  }

  #left(): void {
    this.#open -= 1
    if (this.socket.destroyed) this.#waiting = []
    const next = this.#waiting.shift()
    if (next !== undefined) this.#begin(next)
    else this.socket.resume()
  }
}
