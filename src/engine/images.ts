// The picture on the screen: one image at most, shown until it is stopped or another one starts.
import type { Button } from './catalogue.js'

export class Images {
  #shown: Button | null = null

  constructor(
    /** Told of each change; the lights of an image end with it. */
    private readonly onChange: (button: Button, shown: boolean) => void,
  ) {}

  get shown(): Button | null {
    return this.#shown
  }

  show(button: Button): void {
    this.hide()
    this.#shown = button
    this.onChange(button, true)
  }

  hide(): void {
    const before = this.#shown
    this.#shown = null
    if (before !== null) this.onChange(before, false)
  }
}
