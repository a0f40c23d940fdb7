// The messages from one thread to another: copies, in order, each under way for a while.
import type { VirtualTimers } from '../../src/clock/virtual.js'
import type { VirtualThread } from '../devices/virtual-thread.js'

export class Channel<Message> {
  /** When the latest one arrives: none overtakes another. */
  #lastMs = 0

  constructor(
    private readonly world: VirtualTimers, private readonly to: VirtualThread,
    private readonly delayMs: () => number, private readonly heard: (message: Message) => void,
  ) {}

  send(message: Message): void {
    const copy = structuredClone(message)
    const now = this.world.nowMs()
    this.#lastMs = Math.max(this.#lastMs, now + this.delayMs())
    this.world.after(this.#lastMs - now, () => this.to.run(() => this.heard(copy)))
  }
}
