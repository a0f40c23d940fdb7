// Retention (3.2): what ended stays known for at least ten minutes, runs and DMX runs alike.
import { add, type Frame } from '../clock/frame.js'
import { LIMITS } from '../contract/limits.js'

/** Frames are counted by the sound card: one that runs fast must not cut the ten minutes short. */
const RETENTION_MARGIN_MS = 1_000
export const RETENTION_MS = LIMITS.terminalRetentionMs + RETENTION_MARGIN_MS

/** What is remembered of each that ended, by its id. */
export class Retention<T> {
  readonly #ended = new Map<string, T>()
  /** Ids in order of their ends, with the frame at which each may be forgotten. */
  readonly #line: { readonly at: Frame; readonly id: string }[] = []
  #forgotten = 0

  constructor(private readonly retention: Frame) {}

  keep(id: string, what: T, now: Frame): void {
    this.#ended.set(id, what)
    this.#line.push({ at: add(now, this.retention), id })
  }

  get(id: string): T | null {
    return this.#ended.get(id) ?? null
  }

  /** Forgets what is past its time, and the oldest beyond `most`; tells which ids those were. */
  forget(now: Frame, most = Infinity): readonly string[] {
    const gone: string[] = []
    for (;;) {
      const first = this.#line[this.#forgotten]
      if (first === undefined || (first.at > now && this.#ended.size <= most)) break
      this.#forgotten += 1
      this.#ended.delete(first.id)
      gone.push(first.id)
    }
    if (this.#forgotten > 1024 && this.#forgotten * 2 > this.#line.length) {
      this.#line.splice(0, this.#forgotten)
      this.#forgotten = 0
    }
    return gone
  }

  /** The frame at which the first may be forgotten. */
  get nextForget(): Frame | null {
    return this.#line[this.#forgotten]?.at ?? null
  }
}
