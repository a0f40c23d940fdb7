// The second half of a double press, where the first one put something else under the pointer: it
// opened another playlist, or closed a menu that lay over a button. Nobody meant to press that.
//
// A key is meant by its name, whatever stands under it by then: 1 and 1 again may be a list and the
// first sting of it. Of a mouse the browser says whether two clicks are one double click; two that
// it tells apart, however quick, are meant too.

/** A pointer that went down. */
interface Touch {
  readonly x: number
  readonly y: number
  /** How many in a row this is; null: of a mouse it is told a moment later. */
  count: number | null
}

/** A finger comes down again about where it was; who aims at something else goes farther. */
const SAME_PLACE_PX = 40

export class DoublePress {
  #last: Touch | null = null
  #turned: { readonly by: Touch | null; readonly at: number } = { by: null, at: -Infinity }

  /** Whatever it is on, and before that hears of it. Fingers are not counted: two may be one. */
  touched(x: number, y: number, isMouse: boolean): void {
    this.#last = { x, y, count: isMouse ? null : 2 }
  }

  /** As the browser counts what went down last. */
  counted(count: number): void {
    if (this.#last !== null) this.#last.count = count
  }

  /** A key, which is meant. */
  typed(): void {
    this.#last = null
  }

  /** By what went down last, there is something else to be pressed now. */
  turned(now: number): void {
    this.#turned = { by: this.#last, at: now }
  }

  /** Whether what went down last is the same again, too soon to be meant; null: not yet known. */
  isSecond(now: number, guardMs: number): boolean | null {
    const { by, at } = this.#turned
    const last = this.#last
    if (by === null || last === null || by === last || now - at >= guardMs) return false
    if (Math.hypot(by.x - last.x, by.y - last.y) >= SAME_PLACE_PX) return false
    return last.count === null ? null : last.count > 1
  }
}
