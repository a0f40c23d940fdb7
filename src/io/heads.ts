// Armed heads: the first moments of every playable button, decoded ahead, so that a GO is instant.
import { stat } from 'node:fs/promises'
import type { Decoding } from './decoder-messages.js'
import { BYTES_PER_FRAME, MediaStore, type Piece } from './media-store.js'

/** The beginning of a range; it is shared by all streams that open it and never changes. */
export interface Head {
  readonly pieces: readonly Piece[]
  /** Set where the whole range is in the head, as the decoder told it. */
  readonly end: { readonly end: number; readonly source: number | null } | null
}

export interface ArmedButton {
  readonly buttonId: string
  readonly path: string
  readonly from: number
  readonly to: number | null
}

export interface HeadStoreOptions {
  readonly decoding: Decoding
  readonly budgetBytes: number
  /** A head's length where there is room for all; it shrinks where there are many buttons. */
  readonly headFrames: number
  readonly leastHeadFrames: number
  /** How often some files are looked at for a change; null never. */
  readonly recheckMs: number | null
}

interface Entry {
  readonly key: string
  readonly path: string
  readonly from: number
  readonly to: number | null
  /** How many buttons begin with it. */
  buttons: number
  head: Head | null
  bytes: number
  /** Size and time of the file it was decoded from, or last tried. */
  stamp: string | null
  /** Counts up with each GO: the least recently used one goes first. */
  used: number
  queued: boolean
}

/** Files looked at for a change at one time. */
const RECHECK_FILES = 50

export class HeadStore {
  readonly #options: HeadStoreOptions
  readonly #entries = new Map<string, Entry>()
  readonly #byPath = new Map<string, Set<Entry>>()
  readonly #timer: NodeJS.Timeout | null
  /** Waiting to be decoded; each entry stands in it once at most. */
  #queue: Entry[] = []
  #filling: { readonly entry: Entry; job: number | null } | null = null
  #bytes = 0
  #headFrames: number
  #uses = 0
  #cursor = 0
  #isLooking = false
  #closed = false

  constructor(options: HeadStoreOptions) {
    this.#options = options
    this.#headFrames = options.headFrames
    this.#timer =
      options.recheckMs === null
        ? null
        : setInterval(() => void this.#recheck(), options.recheckMs).unref()
  }

  /** Buttons that would sound at once. */
  get armedHeads(): number {
    let count = 0
    for (const entry of this.#entries.values()) if (entry.head !== null) count += entry.buttons
    return count
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Replaces the set of wanted heads; what is still wanted stays armed. */
  setArmed(list: readonly ArmedButton[]): void {
    const wanted = new Map<string, { readonly button: ArmedButton; count: number }>()
    for (const button of list) {
      const key = keyOf(button.path, button.from, button.to)
      const known = wanted.get(key)
      if (known === undefined) wanted.set(key, { button, count: 1 })
      else known.count += 1
    }
    this.#headFrames = this.#lengthFor(wanted.size)
    for (const entry of [...this.#entries.values()]) {
      if (!wanted.has(entry.key)) this.#remove(entry)
    }
    for (const [key, { button, count }] of wanted) {
      const entry = this.#entries.get(key) ?? this.#add(key, button)
      entry.buttons = count
      if (entry.head === null && entry.stamp === null) this.#enqueue(entry, false)
    }
    void this.#fill()
  }

  /** The head of a range, where it is armed; either way the range counts as used now. */
  take(path: string, from: number, to: number | null): Head | null {
    const entry = this.#entries.get(keyOf(path, from, to))
    if (entry === undefined) return null
    this.#uses += 1
    entry.used = this.#uses
    if (entry.head === null) {
      this.#enqueue(entry, true)
      void this.#fill()
    }
    return entry.head
  }

  /** Tells what a file looks like now; heads of another content are dropped and decoded anew. */
  verify(path: string, stamp: string | null): void {
    let changed = false
    for (const entry of this.#byPath.get(path) ?? []) {
      if (entry.stamp === stamp) continue
      changed = true
      this.#disarm(entry)
      entry.stamp = null
      if (stamp !== null) this.#enqueue(entry, false)
    }
    if (changed) void this.#fill()
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearInterval(this.#timer)
    for (const entry of [...this.#entries.values()]) this.#remove(entry)
    this.#queue = []
  }

  /** Longer heads give the decoder more time to take over on a busy machine. */
  #lengthFor(count: number): number {
    const { budgetBytes, headFrames, leastHeadFrames } = this.#options
    const share = Math.floor(budgetBytes / BYTES_PER_FRAME / Math.max(1, count))
    return Math.min(headFrames, Math.max(leastHeadFrames, share))
  }

  #add(key: string, { path, from, to }: ArmedButton): Entry {
    const entry: Entry = {
      ...{ key, path, from, to, buttons: 1, head: null, bytes: 0 },
      ...{ stamp: null, used: 0, queued: false },
    }
    this.#entries.set(key, entry)
    const ofPath = this.#byPath.get(path) ?? new Set()
    this.#byPath.set(path, ofPath.add(entry))
    return entry
  }

  #remove(entry: Entry): void {
    this.#disarm(entry)
    this.#entries.delete(entry.key)
    const ofPath = this.#byPath.get(entry.path)
    ofPath?.delete(entry)
    if (ofPath?.size === 0) this.#byPath.delete(entry.path)
  }

  /** Gives its memory back; a decode of it that runs is dropped. */
  #disarm(entry: Entry): void {
    this.#bytes -= entry.bytes
    entry.head = null
    entry.bytes = 0
    const filling = this.#filling
    if (filling?.entry !== entry) return
    this.#filling = null
    if (filling.job !== null) this.#options.decoding.drop(filling.job)
    setImmediate(() => void this.#fill())
  }

  #enqueue(entry: Entry, first: boolean): void {
    if (entry.queued || this.#filling?.entry === entry) return
    entry.queued = true
    if (first) this.#queue.unshift(entry)
    else this.#queue.push(entry)
  }

  /** Decodes the next head, one at a time, at the lowest priority. */
  async #fill(): Promise<void> {
    if (this.#filling !== null || this.#closed) return
    const entry = this.#nextWanted()
    if (entry === undefined) return
    const filling: { readonly entry: Entry; job: number | null } = { entry, job: null }
    this.#filling = filling
    const stamp = await stampOf(entry.path)
    if (this.#filling !== filling) return
    entry.stamp = stamp
    if (stamp === null) {
      this.#filled(filling, null)
      return
    }
    const { path, from, to } = entry
    const limit = from + this.#headFrames
    const end = to === null ? limit : Math.min(to, limit)
    const store = new MediaStore(from)
    filling.job = this.#options.decoding.decode(
      { path, origin: from, from, to: end, until: end, background: true },
      {
        pcm: (left, right) => {
          store.append({ left, right }, left.length)
        },
        silence: (count) => {
          store.append(null, count)
        },
        done: (at, source) => {
          // The head's own limit is no end of the range; any other is.
          const whole = at < limit || to === limit
          this.#filled(filling, { pieces: store.pieces, end: whole ? { end: at, source } : null })
        },
        failed: () => {
          this.#filled(filling, null)
        },
      },
    )
  }

  #filled(filling: { readonly entry: Entry }, head: Head | null): void {
    if (this.#filling !== filling) return
    this.#filling = null
    const { entry } = filling
    const bytes = head === null ? 0 : bytesOf(head)
    if (head !== null && this.#makeRoom(bytes, entry)) {
      entry.head = head
      entry.bytes = bytes
      this.#bytes += bytes
    }
    void this.#fill()
  }

  #nextWanted(): Entry | undefined {
    const most = this.#headFrames * BYTES_PER_FRAME
    for (;;) {
      const entry = this.#queue.shift()
      if (entry === undefined) return undefined
      entry.queued = false
      if (entry.head !== null || this.#entries.get(entry.key) !== entry) continue
      // Nothing is decoded only to be thrown away again.
      const fits = this.#bytes + most <= this.#options.budgetBytes
      if (fits || this.#leastUsedBefore(entry) !== null) return entry
    }
  }

  /** Less recently used heads go; a head that nobody used yet never displaces another. */
  #makeRoom(bytes: number, entry: Entry): boolean {
    while (this.#bytes + bytes > this.#options.budgetBytes) {
      const victim = this.#leastUsedBefore(entry)
      if (victim === null) return false
      this.#disarm(victim)
    }
    return true
  }

  #leastUsedBefore(entry: Entry): Entry | null {
    let least: Entry | null = null
    for (const other of this.#entries.values()) {
      if (other.bytes === 0 || other.used >= (least?.used ?? entry.used)) continue
      least = other
    }
    return least
  }

  /**
   * Looks at some files in turn, armed ones and failed ones alike. One round at a time: on a share
   * that hangs each further round would take one more of the few threads that open files.
   */
  async #recheck(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#lookAround()
    } finally {
      this.#isLooking = false
    }
  }

  async #lookAround(): Promise<void> {
    const paths = [...this.#byPath.keys()]
    const turn = Math.min(paths.length, RECHECK_FILES)
    for (let i = 0; i < turn && !this.#closed; i += 1) {
      const path = paths[this.#cursor % paths.length]
      this.#cursor = (this.#cursor + 1) % paths.length
      if (path !== undefined) this.verify(path, await stampOf(path))
    }
  }
}

const keyOf = (path: string, from: number, to: number | null): string =>
  `${String(from)}:${to === null ? '' : String(to)}:${path}`

const bytesOf = (head: Head): number =>
  head.pieces.reduce((sum, { sound, count }) => sum + (sound ? count * BYTES_PER_FRAME : 0), 0)

/** What tells one content of a file from another; null where there is no file. */
export const stampOf = async (path: string): Promise<string | null> => {
  try {
    const { size, mtimeMs, ino } = await stat(path)
    return `${String(size)}:${String(mtimeMs)}:${String(ino)}`
  } catch {
    return null
  }
}
