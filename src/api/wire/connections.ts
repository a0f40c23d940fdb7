// How many connections there may be at once, and which one gives way to another: the one that has
// been idle longest, e.g. one that said nothing yet. So silence locks nobody out. Where all are
// busy it is one of the address that holds the most.
import type { Socket } from 'node:net'
import { Places } from './places.js'

export class Connections {
  readonly #open: Places<Socket>

  constructor(
    most: number,
    /** Whether it asks for nothing: whatever it asked was answered. */
    private readonly isIdle: (socket: Socket) => boolean,
  ) {
    this.#open = new Places(most)
  }

  /**
   * One more; where all are busy, and no address holds more, it goes again at once. One that
   * offered another protocol with a request (Java's client does) comes anew, and is no other.
   */
  opened(socket: Socket): void {
    if (this.#open.has(socket)) return
    const address = socket.remoteAddress ?? ''
    if (this.#open.isFull && !this.#giveWayTo(address)) {
      socket.destroy()
      return
    }
    this.#open.add(socket, address)
    socket.once('close', () => this.#open.delete(socket))
  }

  used(socket: Socket): void {
    this.#open.used(socket)
  }

  /** It speaks another protocol from here on, which has a bound of its own. */
  left(socket: Socket): void {
    this.#open.delete(socket)
  }

  #giveWayTo(address: string): boolean {
    const loser = [...this.#open].find((socket) => this.isIdle(socket))
      ?? this.#open.loserTo(address)
    if (loser === null) return false
    this.#open.delete(loser)
    loser.destroy()
    return true
  }
}
