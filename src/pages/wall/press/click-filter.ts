// One press for one touch: a click that a pointer made is that pointer's, whose press was taken.
//
// A click without a pointer comes from a screen reader, a switch or a script, and is a press of its
// own. Where the click lands tells nothing: a finger that opened another playlist when it went down
// clicks on whatever button stands there by the time it comes up.

/**
 * A browser makes its click right after the pointer came up. By the moments of the events: a page
 * that is busy may come to the second one only long after the first.
 */
const CLICK_AFTER_UP_MS = 500

export class ClickFilter {
  readonly #down = new Set<number>()
  /** By pointer the button that it went down on, which acts when it is let go there. */
  readonly #begun = new Map<number, string>()
  #lastUp = -Infinity

  /** A pointer went down, anywhere on the page. */
  down(pointerId: number): void {
    if (this.#down.size === 0) this.#begun.clear()
    this.#down.add(pointerId)
    this.#begun.delete(pointerId)
  }

  begunOn(buttonId: string, pointerId: number): void {
    this.#begun.set(pointerId, buttonId)
  }

  /** Whether the pointer that comes up over this button went down on it. */
  isLetGoOn(buttonId: string, pointerId: number): boolean {
    return this.#begun.get(pointerId) === buttonId
  }

  /** It came up, or was taken away by the browser. `timeStamp`: of the event. */
  up(pointerId: number, timeStamp: number): void {
    if (this.#down.delete(pointerId)) this.#lastUp = timeStamp
  }

  /**
   * A menu of the browser has opened. Under Linux and on a Mac it keeps the coming up of the mouse
   * to itself, for which each click of a screen reader would wait. `pointerId`: some browsers tell
   * none.
   */
  menuOpened(pointerId: number | undefined): void {
    if (pointerId === undefined) this.#down.clear()
    else this.#down.delete(pointerId)
  }

  /** Whether a click is a press of its own. `timeStamp`: of its event. */
  isPress(timeStamp: number): boolean {
    return this.#down.size === 0 && timeStamp - this.#lastUp > CLICK_AFTER_UP_MS
  }
}
