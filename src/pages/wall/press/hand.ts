// The second half of a double press, where the first one put something else under the hand: it
// opened another playlist, or closed a menu that lay over a button. Nobody meant to press that.

/** A key by its code, or where on the page a pointer went down. */
type Touched = { readonly key: string } | { readonly x: number; readonly y: number }

/** A finger comes down again about where it was; who aims at something else goes farther. */
const SAME_PLACE_PX = 40

export class Hand {
  #last: Touched | null = null
  #turned: { readonly by: Touched | null; readonly at: number } = { by: null, at: -Infinity }

  /** Whatever it is on, and before that hears of it. */
  touched(what: Touched): void {
    this.#last = what
  }

  /** By what was touched last, there is something else to be pressed now. */
  turned(now: number): void {
    this.#turned = { by: this.#last, at: now }
  }

  /** Whether what was touched last is the same again, too soon to be meant. */
  isSecond(now: number, guardMs: number): boolean {
    const { by, at } = this.#turned
    return by !== null && this.#last !== null && now - at < guardMs && isSame(by, this.#last)
  }
}

const isSame = (a: Touched, b: Touched): boolean => {
  if ('key' in a || 'key' in b) return 'key' in a && 'key' in b && a.key === b.key
  return Math.hypot(a.x - b.x, a.y - b.y) < SAME_PLACE_PX
}
