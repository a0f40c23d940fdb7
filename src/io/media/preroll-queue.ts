// Which head is decoded next: first every button's beginning, then longer ones; likely ones first.
import { LinkedList } from './linked-list.js'
import type { Entry } from './preroll-entry.js'

/** What follows a pressed button in its list, and what is beside it on the wall. */
const NEIGHBOURS = 16

export class PrerollQueue {
  /** By how often they have grown: [0] has no head yet. */
  readonly #steps: readonly LinkedList<Entry>[]

  /** `lengths`: how many frames a head has after each step; the first is every button's. */
  constructor(private readonly lengths: readonly number[]) {
    this.#steps = lengths.map(() => new LinkedList<Entry>())
  }

  /** Nothing where its head is as long as any, or whole. */
  add(entry: Entry, isFirst: boolean): void {
    if (entry.waiting.list !== null && !isFirst) return
    const list = this.#steps[stepOf(entry)]
    if (list === undefined || (entry.head?.end ?? null) !== null) return
    if (isFirst) list.unshift(entry.waiting)
    else list.push(entry.waiting)
  }

  remove(entry: Entry): void {
    entry.waiting.list?.remove(entry.waiting)
  }

  /** One without a head. */
  shiftBare(): Entry | null {
    return this.#steps[0]?.shift() ?? null
  }

  /** The first that would grow, with the frame that it would reach. */
  firstToGrow(): { readonly entry: Entry; readonly until: number } | null {
    for (const [step, list] of this.#steps.entries()) {
      const entry = step === 0 ? null : list.first
      if (entry !== null) return { entry, until: entry.from + (this.lengths[step] ?? 0) }
    }
    return null
  }

  /** It was pressed: what comes after it in the show is likely to be next. */
  pressed(entry: Entry): void {
    const likely: Entry[] = []
    for (let next: Entry | null = entry; next !== null; next = next.after) {
      likely.push(next)
      if (likely.length > NEIGHBOURS) break
    }
    for (const next of likely.reverse()) next.waiting.list?.unshift(next.waiting)
  }
}

const stepOf = ({ head, steps }: Entry): number => (head === null ? 0 : steps + 1)
