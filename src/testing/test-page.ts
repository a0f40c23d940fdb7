// A page that a test hides and shows, in place of the browser's document.
import type { PageSight } from '../client/types.js'

export class TestPage implements PageSight {
  /** Vue's `ref` puts a Proxy before plain objects, which reaches no private fields. */
  readonly [Symbol.toStringTag] = 'TestPage'
  readonly #listeners = new Set<() => void>()
  #isHidden = false

  get hidden(): boolean {
    return this.#isHidden
  }

  set hidden(hidden: boolean) {
    if (this.#isHidden === hidden) return
    this.#isHidden = hidden
    for (const listener of this.#listeners) listener()
  }

  addEventListener(_type: 'visibilitychange', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'visibilitychange', listener: () => void): void {
    this.#listeners.delete(listener)
  }
}
