// How many connections there may be at once, and which one gives way to another: one of the address
// that holds more, or else the one that has been idle longest, e.g. one that said nothing yet. So
// silence locks nobody out, and of two that come together neither takes the place of the other.
import type { Socket } from 'node:net'
import { addressOf, FairShare } from './fair-share.js'

export class Connections {
  readonly #open: FairShare<Socket>

  constructor(
    most: number,
    /** Whether it asks for nothing: whatever it asked was answered. */
    private readonly isIdle: (socket: Socket) => boolean,
  ) {
    this.#open = new FairShare(most)
  }

  /**
   * One more; where all are busy, and no address holds more, it goes again at once. One that
   * offered another protocol with a request (Java's client does) comes anew, and is no other.
   */
  opened(socket: Socket): void {
    if (this.#open.has(socket)) return
    const address = addressOf(socket)
    if (!this.#open.makeRoomFor(address, (loser) => loser.destroy(), () => this.#idle())) {
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

  /** The one that has been idle longest; null: all are busy. */
  #idle(): Socket | null {
    return this.#open.leastRecent((socket) => this.isIdle(socket))
  }
}
