// What waits to be written to stderr or stdout: lines in order, bounded, what is lost counted.
//
// One batch is out at a time, and whoever writes it says what became of it. So a reader that has
// stopped (a full pipe, Ctrl-S) holds up nothing here: lines wait until the bound, and beyond it
// they are counted. Where they were left out, one line tells their number once writing goes on.

/** About 4000 lines of a command each. */
const WAITING_CHARACTERS_MAX = 1024 * 1024
const BATCH_CHARACTERS_MAX = 64 * 1024
/** A batch that is out this long has met a reader that does not read. */
const STALL_MS = 2_000

/** A line, or the number of lines that were lost in this place. */
type Entry = string | number

export interface LogLinesOptions {
  /** Writes a batch; its outcome is told to `written` or `failed`, later or at once. */
  readonly send: (text: string) => void
  /** The line that tells how many were lost in its place. */
  readonly lossLine: (count: number) => string
  readonly nowMs: () => number
}

export class LogLines {
  #waiting: Entry[] = []
  #waitingCharacters = 0
  #out: { readonly entries: readonly Entry[]; readonly sinceMs: number } | null = null
  #failure: string | null = null
  #lost = 0
  #isHeld = true

  constructor(private readonly options: LogLinesOptions) {}

  add(line: string): void {
    if (this.#waitingCharacters + line.length > WAITING_CHARACTERS_MAX) {
      this.#lose(1)
      return
    }
    this.#waiting.push(line)
    this.#waitingCharacters += line.length
    this.#pump()
  }

  /** Writing may begin, or be tried again after `failed`. */
  resume(): void {
    this.#isHeld = false
    this.#pump()
  }

  /** The process that writes is up: what the one before it ended of is over. */
  up(): void {
    this.#failure = null
  }

  /** The batch that was out is written. */
  written(): void {
    this.#out = null
    this.#failure = null
    this.#pump()
  }

  /** The batch that was out counts as lost, whole; nothing leaves until `resume`. */
  failed(message: string): void {
    this.#isHeld = true
    this.#failure = message
    if (this.#out === null) return
    let count = 0
    // What a loss line told was counted when it was lost.
    for (const entry of this.#out.entries) {
      count += typeof entry === 'number' ? entry : 1
      if (typeof entry === 'string') this.#lost += 1
    }
    this.#out = null
    const [first] = this.#waiting
    if (typeof first === 'number') this.#waiting[0] = first + count
    else this.#waiting.unshift(count)
  }

  get isEmpty(): boolean {
    return this.#out === null && this.#waiting.length === 0
  }

  /** Lines that were never written, since the start. */
  get lost(): number {
    return this.#lost
  }

  /** Why lines do not flow; null while they do. */
  get trouble(): string | null {
    if (this.#failure !== null) return this.#failure
    if (!this.#isStalled) return null
    return `nothing was taken for ${String(Math.floor(this.#outMs / 1000))} s: nobody reads it`
  }

  /** Nothing that waits leaves soon. After a failure it may, once it is tried again. */
  get isStuck(): boolean {
    return this.#isHeld || this.#isStalled
  }

  get #isStalled(): boolean {
    return this.#outMs >= STALL_MS
  }

  /** For how long a batch has been out. */
  get #outMs(): number {
    return this.#out === null ? 0 : this.options.nowMs() - this.#out.sinceMs
  }

  #lose(count: number): void {
    this.#lost += count
    const last = this.#waiting.length - 1
    const entry = this.#waiting[last]
    if (typeof entry === 'number') this.#waiting[last] = entry + count
    else this.#waiting.push(count)
  }

  #pump(): void {
    if (this.#isHeld || this.#out !== null || this.#waiting.length === 0) return
    let text = ''
    let taken = 0
    for (const entry of this.#waiting) {
      const line = typeof entry === 'number' ? this.options.lossLine(entry) : entry
      if (taken > 0 && text.length + line.length > BATCH_CHARACTERS_MAX) break
      text += line
      taken += 1
      if (typeof entry === 'string') this.#waitingCharacters -= entry.length
    }
    const entries = this.#waiting.splice(0, taken)
    this.#out = { entries, sinceMs: this.options.nowMs() }
    this.options.send(text)
  }
}
