// The live connection of a test player without a network: both ends of a WebSocket, and its wire.
import { EventEmitter } from 'node:events'
import type { PageSocket } from '../api/live/page.js'
import type { ClientSocket } from '../client/types.js'

export interface Wire {
  /** Hands something on by the network as it is; what is held back comes later, in order. */
  carry(direction: 'to service' | 'to app', deliver: () => void): void
  /** The app is at work. */
  touched(): void
  gone(line: Line): void
}

/** The service's end. */
class ServiceEnd extends EventEmitter implements PageSocket {
  readonly bufferedAmount = 0

  constructor(private readonly line: Line) {
    super()
  }

  send(data: Uint8Array, { binary }: { readonly binary: boolean }): void {
    const text = binary ? data.slice().buffer : new TextDecoder().decode(data)
    this.line.toApp(text)
  }

  /** The network answers at once: whoever is there is there. */
  ping(): void {
    this.emit('pong')
  }

  close(_code: number, _reason: string): void {
    this.line.end()
  }

  /** What is on its way arrives all the same, e.g. the last words of a service that ends. */
  terminate(): void {
    this.line.end()
  }
}

type Heard = (event: { readonly data: unknown }) => void

/** The app's end, as `new WebSocket(url, protocol)` answers it. */
export class AppEnd implements ClientSocket {
  readonly #listeners = new Map<string, Set<Heard>>()

  constructor(private readonly line: Line) {}

  addEventListener(type: string, listener: Heard): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
  }

  send(text: string): void {
    this.line.toService(text)
  }

  close(): void {
    this.line.cut()
  }

  emit(type: string, data: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data })
  }
}

/** One connection. */
export class Line {
  readonly service = new ServiceEnd(this)
  readonly app = new AppEnd(this)
  #isOver = false

  constructor(private readonly wire: Wire) {}

  toApp(data: unknown): void {
    if (this.#isOver) return
    this.wire.carry('to app', () => {
      if (!this.#isOver) this.#tellApp('message', data)
    })
  }

  toService(text: string): void {
    if (this.#isOver) return
    this.wire.touched()
    this.wire.carry('to service', () => {
      if (!this.#isOver) this.service.emit('message', Buffer.from(text), false)
    })
  }

  /** In order: what was said before is still heard. */
  end(): void {
    this.wire.carry('to app', () => this.cut())
  }

  cut(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.wire.gone(this)
    this.service.emit('close')
    this.#tellApp('close', null)
  }

  #tellApp(type: 'message' | 'close', data: unknown): void {
    this.wire.touched()
    queueMicrotask(() => {
      this.wire.touched()
      this.app.emit(type, data)
    })
  }
}
