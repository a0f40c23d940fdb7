// How many connections there may be at once, and which one gives way to another: the one that has
// been idle longest, e.g. one that said nothing yet. So silence locks nobody out.
import type { Socket } from 'node:net'

export class Connections {
  /** The least recently used first. */
  readonly #open = new Set<Socket>()

  constructor(
    private readonly most: number,
    /** Whether it asks for nothing: whatever it asked was answered. */
    private readonly isIdle: (socket: Socket) => boolean,
  ) {}

  /**
   * One more; where all are busy it goes again at once. One that offered another protocol with a
   * request (Java's client does) comes anew, and is no other.
   */
  opened(socket: Socket): void {
    if (this.#open.has(socket)) return
    if (this.#open.size >= this.most && !this.#giveWay()) {
      socket.destroy()
      return
    }
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
  }

  used(socket: Socket): void {
    if (this.#open.delete(socket)) this.#open.add(socket)
  }

  /** It speaks another protocol from here on, which has a bound of its own. */
  left(socket: Socket): void {
    this.#open.delete(socket)
  }

  #giveWay(): boolean {
    for (const socket of this.#open) {
      if (!this.isIdle(socket)) continue
      this.#open.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }
}
