// What is due and when: a total order over (frame, lane, seq), so that ties are decided and not
// found.
import type { Frame } from '../clock/frame.js'

/**
 * At one frame facts come first, then ends and seams of media, then ends of ramps, then commands,
 * then housekeeping: an end of media at the very frame of a stop beats the stop. A fade at End
 * is looked at when all that ends at this frame has left room for what follows.
 */
export const LANE = {
  fact: 0, media: 1, ramp: 2, fadeAtEnd: 3, command: 4, housekeeping: 5,
} as const
/** All up to here is settled before a command is looked at. */
export const BEFORE_COMMANDS = LANE.fadeAtEnd
export type Lane = (typeof LANE)[keyof typeof LANE]

export interface Due {
  readonly at: Frame
  readonly lane: Lane
  readonly seq: number
  readonly act: () => void
  /** Its place in the heap; -1 once it is done or cancelled. */
  place: number
}

const before = (a: Due, b: Due): boolean =>
  a.at !== b.at ? a.at < b.at : a.lane !== b.lane ? a.lane < b.lane : a.seq < b.seq

/** A binary heap that knows each entry's place, so that a cancelled one is gone at once. */
export class Agenda {
  readonly #heap: Due[] = []
  #seq = 0

  add(at: Frame, lane: Lane, act: () => void): Due {
    const due: Due = { at, lane, seq: this.#seq++, act, place: this.#heap.length }
    this.#heap.push(due)
    this.#rise(due)
    return due
  }

  cancel(due: Due | null): void {
    if (due === null || due.place < 0) return
    this.#removeAt(due.place)
  }

  next(): Due | null {
    return this.#heap[0] ?? null
  }

  take(): Due {
    const first = this.#heap[0]
    if (first === undefined) throw new Error('bug: nothing is due')
    this.#removeAt(0)
    return first
  }

  get size(): number {
    return this.#heap.length
  }

  #removeAt(place: number): void {
    const gone = this.#heap[place]
    const last = this.#heap.pop()
    if (gone === undefined || last === undefined) throw new Error('bug: no such place')
    gone.place = -1
    if (last === gone) return
    this.#heap[place] = last
    last.place = place
    this.#rise(last)
    this.#sink(last)
  }

  #rise(due: Due): void {
    while (due.place > 0) {
      const parent = this.#heap[(due.place - 1) >> 1]
      if (parent === undefined || !before(due, parent)) return
      this.#swap(parent, due)
    }
  }

  #sink(due: Due): void {
    for (;;) {
      const left = this.#heap[due.place * 2 + 1]
      const right = this.#heap[due.place * 2 + 2]
      const child = right !== undefined && left !== undefined && before(right, left) ? right : left
      if (child === undefined || !before(child, due)) return
      this.#swap(due, child)
    }
  }

  #swap(parent: Due, child: Due): void {
    const place = parent.place
    parent.place = child.place
    child.place = place
    this.#heap[parent.place] = parent
    this.#heap[child.place] = child
  }
}
