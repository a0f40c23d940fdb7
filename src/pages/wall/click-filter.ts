// One press for one touch: a click that a pointer made is that pointer's press, already taken.
//
// A click without a pointer comes from a screen reader, a switch or a script, and is a press of its
// own. Browsers do not mark them alike, so the pointer that went down before is what tells.

/** A browser makes its click right after the pointer came up; slow machines take a while. */
const CLICK_AFTER_UP_MS = 500

export class ClickFilter {
  readonly #down = new Map<number, string>()
  readonly #upAt = new Map<string, number>()

  down(pointerId: number, buttonId: string): void {
    this.#down.set(pointerId, buttonId)
  }

  /** It came up, anywhere, or was taken away by the browser. */
  up(pointerId: number, now: number): void {
    const buttonId = this.#down.get(pointerId)
    if (buttonId === undefined) return
    this.#down.delete(pointerId)
    this.#upAt.set(buttonId, now)
  }

  /** Whether a click on this button is a press; it says so once for each pointer. */
  isPress(buttonId: string, now: number): boolean {
    if ([...this.#down.values()].includes(buttonId)) return false
    const up = this.#upAt.get(buttonId)
    this.#upAt.delete(buttonId)
    return up === undefined || now - up > CLICK_AFTER_UP_MS
  }
}
