// What was rendered for good against what is heard, sample by sample. What a device plays while the
// engine is held up was foreseen: it is judged once the engine renders it.
import type { StereoBlock } from '../../src/engine/ports.js'

/** More than ever lies between rendering and hearing: eleven seconds. */
const KEPT = 524_288
/** Twice the stock, left and right: more is never heard before it is rendered. */
const EARLY_MOST = 4 * 5_760

export class HeardOrder {
  /** Frames that were rendered, and the next of them that is to be heard. */
  rendered = 0
  next = 0
  readonly #left = new Float32Array(KEPT)
  readonly #right = new Float32Array(KEPT)
  /** Where the sound was over, as far as it was rendered: from its end to where it goes on. */
  readonly #over: { readonly from: number; to: number }[] = []
  #mayLeaveOut = false
  /** Frames that sounded as they had been foreseen, since a change came too late for them. */
  overtaken = 0
  /** Heard before they were rendered, left and right in turn. */
  readonly #early: number[] = []

  /** @param mayBeLate whether a change may come too late for what the device has read. */
  constructor(
    private readonly mayBeLate: () => boolean, private readonly wrong: (told: string) => void,
  ) {}

  /** @param over nothing follows but silence, as far as anybody knows. */
  render(block: StereoBlock, count: number, over: boolean): void {
    for (let i = 0; i < count; i += 1) {
      this.#left[(this.rendered + i) % KEPT] = block.left[i]!
      this.#right[(this.rendered + i) % KEPT] = block.right[i]!
    }
    this.rendered += count
    const last = this.#over.at(-1)
    if (over && last?.to === this.rendered - count) last.to = this.rendered
    else if (over) this.#over.push({ from: this.rendered, to: this.rendered })
    const early = this.#early.splice(0)
    for (let i = 0; i < early.length; i += 2) this.hear(early[i]!, early[i + 1]!)
  }

  /** A device went: what it played ahead of an engine that was held up may never be rendered. */
  closed(): void {
    this.#early.length = 0
  }

  /** A device took with it what it had; the next hears what is rendered once it is known. */
  opened(): void {
    this.next = this.rendered
    this.#mayLeaveOut = true
  }

  /** The sound was over with the frame that was heard last. */
  isOver(): boolean {
    return this.#over.some(({ from, to }) => from <= this.next && this.next <= to)
  }

  /** This frame must be the next one. */
  hear(left: number, right: number): void {
    // A device that is doubted is played silence before it counts as open.
    if (this.#mayLeaveOut && left === 0 && right === 0) return
    if (this.#early.length > 0 || (this.next === this.rendered && !this.#mayLeaveOut)) {
      this.#early.push(left, right)
      if (this.#early.length > EARLY_MOST) this.wrong('what is heard is never rendered')
      return
    }
    for (let at = Math.max(this.next, this.rendered - KEPT); at < this.rendered; at += 1) {
      const [l, r] = [this.#left[at % KEPT], this.#right[at % KEPT]]
      if (l === left && r === right) {
        this.next = at + 1
        // Silence is like silence: only a sound tells for sure where it was left off.
        if (left !== 0 || right !== 0) this.#mayLeaveOut = false
        return
      }
      if ((l !== 0 || r !== 0) && !this.#mayLeaveOut) break
    }
    if (this.mayBeLate()) {
      // Past the end of a sound it takes nothing's place.
      if (!this.isOver()) this.next += 1
      this.overtaken += 1
    } else this.wrong(
      `heard ${left}, ${right} where frame ${this.next} of ${this.rendered} was to be heard`)
  }
}
