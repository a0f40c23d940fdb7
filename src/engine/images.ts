// The picture on the screen: one image at most, shown until it is stopped or another one starts.
import type { Button } from './catalogue.js'
import type { StopReason } from './runs/run.js'

export class Images {
  #shown: Button | null = null

  constructor(
    /** Told of each change, and why one went; the lights of an image end with it. */
    private readonly onChange: (button: Button, gone: StopReason | null) => void,
  ) {}

  get shown(): Button | null {
    return this.#shown
  }

  show(button: Button): void {
    this.hide('replaced')
    this.#shown = button
    this.onChange(button, null)
  }

  hide(reason: StopReason = 'explicit_stop'): void {
    const before = this.#shown
    this.#shown = null
    if (before !== null) this.onChange(before, reason)
  }
}
