// Armed heads: the first moments of every playable button, decoded ahead, so that a GO is instant.
//
// It lives on the sound thread, so no turn of it grows with the number of buttons: lists that take
// one step, and slices of what must be gone through (a new show, a file that many buttons share).
import type { Decoding } from './decoder/decoder-messages.js'
import type { Look, Looking } from './look/file-look.js'
import { FileWatch, type WatchedFile } from './look/file-watch.js'
import { type Link, LinkedList, linkOf } from './linked-list.js'
import type { Timers } from '../../clock/timers.js'
import { MediaStore, type Piece } from './media-store.js'
import { inSlices, SLICE } from './slices.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'

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
  readonly timers: Timers
  readonly decoding: Decoding
  readonly looking: Looking
  readonly budgetBytes: number
  /** A head's length where there is room for all; it shrinks where there are many buttons. */
  readonly headFrames: number
  readonly leastHeadFrames: number
  /** How often some files are looked at for a change; null never. */
  readonly recheckMs: number | null
}

class Entry {
  /** How many buttons begin with it, and how many do in the show that is being taken over. */
  buttons = 0
  counted = 0
  /** The show that last named it. */
  show = 0
  head: Head | null = null
  bytes = 0
  /** The content that it was decoded from, or that was tried last; null: none yet. */
  stamp: string | null = null
  /** Counts up with each GO: the least recently used one goes first. */
  used = 0
  /** Its place among those that wait. */
  readonly waiting: Link<Entry> = linkOf<Entry>(this)
  /** Its place among those that hold memory. */
  readonly holding: Link<Entry> = linkOf<Entry>(this)

  constructor(
    readonly key: string,
    readonly file: WatchedFile,
    readonly from: number,
    readonly to: number | null,
  ) {}
}

interface Filling {
  readonly entry: Entry
  job: number | null
}

export class HeadStore {
  readonly #options: HeadStoreOptions
  readonly #watch: FileWatch
  readonly #entries = new Map<string, Entry>()
  readonly #byPath = new Map<string, Set<Entry>>()
  /** Waiting to be decoded. */
  readonly #queue = new LinkedList<Entry>()
  /** Heads that nobody used yet, and used ones with the least recently used one first. */
  readonly #unused = new LinkedList<Entry>()
  readonly #used = new LinkedList<Entry>()
  #filling: Filling | null = null
  #bytes = 0
  #armed = 0
  #headFrames: number
  #uses = 0
  #show = 0
  #closed = false

  constructor(options: HeadStoreOptions) {
    this.#options = options
    this.#headFrames = options.headFrames
    this.#watch = new FileWatch({
      looking: options.looking,
      timers: options.timers,
      everyMs: options.recheckMs,
      changed: (file) => {
        this.#renew(file)
      },
    })
  }

  /** Buttons that would sound at once. */
  get armedHeads(): number {
    return this.#armed
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Replaces the set of wanted heads, in slices; what is still wanted stays armed. */
  setArmed(list: Iterable<ArmedButton>): void {
    this.#show += 1
    const show = this.#show
    const isLatest = (): boolean => this.#show === show && !this.#closed
    let count = 0
    inSlices(list, isLatest, (button) => {
      if (this.#count(button, show)) count += 1
    }, () => {
      this.#headFrames = this.#lengthFor(count)
      inSlices(this.#entries.values(), isLatest, (entry) => {
        this.#settle(entry, show)
      }, () => void this.#fill())
    })
  }

  /** The head of a range, where it is armed; either way the range counts as used now. */
  take(path: string, from: number, to: number | null): Head | null {
    const entry = this.#entries.get(keyOf(path, from, to))
    if (entry === undefined) return null
    this.#uses += 1
    entry.used = this.#uses
    if (entry.head !== null && entry.stamp !== entry.file.stamp) this.#disarm(entry)
    if (entry.head === null) {
      this.#enqueue(entry, true)
      void this.#fill()
    } else this.#used.push(entry.holding)
    return entry.head
  }

  /** Tells what a file looks like now; heads of another content are dropped and decoded anew. */
  verify(path: string, look: Look): void {
    this.#watch.seen(path, look)
  }

  close(): void {
    this.#closed = true
    this.#watch.close()
    if (this.#filling !== null) this.#dropFilling(this.#filling)
    this.#entries.clear()
    this.#byPath.clear()
    this.#bytes = 0
    this.#armed = 0
  }

  /** Longer heads give the decoder more time to take over on a busy machine. */
  #lengthFor(count: number): number {
    const { budgetBytes, headFrames, leastHeadFrames } = this.#options
    const share = Math.floor(budgetBytes / STEREO_FRAME_BYTES / Math.max(1, count))
    return Math.min(headFrames, Math.max(leastHeadFrames, share))
  }

  /** True for the first button of a range. */
  #count({ path, from, to }: ArmedButton, show: number): boolean {
    const key = keyOf(path, from, to)
    const entry = this.#entries.get(key) ?? this.#add(key, path, from, to)
    const isFirst = entry.show !== show
    entry.counted = isFirst ? 1 : entry.counted + 1
    entry.show = show
    return isFirst
  }

  #settle(entry: Entry, show: number): void {
    if (entry.show !== show) {
      this.#remove(entry)
      return
    }
    if (entry.head !== null) this.#armed += entry.counted - entry.buttons
    entry.buttons = entry.counted
    if (entry.head === null && entry.stamp === null) this.#enqueue(entry, false)
  }

  #add(key: string, path: string, from: number, to: number | null): Entry {
    const entry = new Entry(key, this.#watch.add(path), from, to)
    this.#entries.set(key, entry)
    const ofPath = this.#byPath.get(path) ?? new Set()
    this.#byPath.set(path, ofPath.add(entry))
    return entry
  }

  #remove(entry: Entry): void {
    this.#disarm(entry)
    this.#queue.remove(entry.waiting)
    this.#entries.delete(entry.key)
    const ofPath = this.#byPath.get(entry.file.path)
    ofPath?.delete(entry)
    if (ofPath?.size === 0) this.#byPath.delete(entry.file.path)
    this.#watch.leave(entry.file.path)
  }

  /** Gives its memory back; a decode of it that runs is dropped. */
  #disarm(entry: Entry): void {
    if (entry.head !== null) this.#armed -= entry.buttons
    this.#bytes -= entry.bytes
    entry.head = null
    entry.bytes = 0
    entry.holding.list?.remove(entry.holding)
    if (this.#filling?.entry !== entry) return
    this.#dropFilling(this.#filling)
    setImmediate(() => void this.#fill())
  }

  #dropFilling(filling: Filling): void {
    this.#filling = null
    if (filling.job !== null) this.#options.decoding.drop(filling.job)
  }

  /** The file became another one: its heads in slices, since many buttons may begin in it. */
  #renew(file: WatchedFile): void {
    const { path, stamp } = file
    const isLatest = (): boolean => file.stamp === stamp && !this.#closed
    inSlices(this.#byPath.get(path) ?? [], isLatest, (entry) => {
      // The one that is about to be decoded takes the new content anyway.
      const isNext = this.#filling?.entry === entry && this.#filling.job === null
      if (entry.stamp === stamp || isNext) return
      this.#disarm(entry)
      entry.stamp = null
      if (stamp !== null) this.#enqueue(entry, false)
    }, () => void this.#fill())
  }

  #enqueue(entry: Entry, first: boolean): void {
    if (this.#filling?.entry === entry) return
    if (first) this.#queue.unshift(entry.waiting)
    else if (entry.waiting.list === null) this.#queue.push(entry.waiting)
  }

  /** Decodes the next head, one at a time, at the lowest priority. */
  async #fill(): Promise<void> {
    if (this.#filling !== null || this.#closed) return
    const entry = this.#nextWanted()
    if (entry === null) return
    const filling: Filling = { entry, job: null }
    this.#filling = filling
    const { path } = entry.file
    if (!this.#watch.isFresh(path)) {
      this.#watch.seen(path, await this.#options.looking.look(path))
    }
    if (this.#filling !== filling) return
    entry.stamp = entry.file.stamp
    if (entry.stamp === null) {
      this.#filled(filling, null)
      return
    }
    this.#decode(filling)
  }

  #decode(filling: Filling): void {
    const { file: { path }, from, to } = filling.entry
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
        died: () => {
          this.#filled(filling, null)
        },
        failed: () => {
          this.#filled(filling, null)
        },
      },
    )
  }

  #filled(filling: Filling, head: Head | null): void {
    if (this.#filling !== filling) return
    this.#filling = null
    const { entry } = filling
    const bytes = head === null ? 0 : bytesOf(head)
    if (head !== null && this.#makeRoom(bytes, entry)) {
      entry.head = head
      entry.bytes = bytes
      this.#bytes += bytes
      this.#armed += entry.buttons
      // What was used before it was there has its place by now: it is used, and is the latest.
      const isUsed = entry.used > 0
      if (isUsed) entry.used = this.#uses += 1
      ;(isUsed ? this.#used : this.#unused).push(entry.holding)
    }
    void this.#fill()
  }

  /** Passes over those for which there is no room: nothing is decoded to be thrown away again. */
  #nextWanted(): Entry | null {
    const most = this.#headFrames * STEREO_FRAME_BYTES
    for (let turn = 0; turn < SLICE; turn += 1) {
      const entry = this.#queue.shift()
      if (entry === null) return null
      if (entry.head !== null) continue
      const fits = this.#bytes + most <= this.#options.budgetBytes
      if (fits || this.#leastUsedBefore(entry) !== null) return entry
    }
    setImmediate(() => void this.#fill())
    return null
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
    const least = this.#unused.first ?? this.#used.first
    return least !== null && least.used < entry.used ? least : null
  }
}

const keyOf = (path: string, from: number, to: number | null): string =>
  `${String(from)}:${to === null ? '' : String(to)}:${path}`

const bytesOf = (head: Head): number =>
  head.pieces.reduce((sum, { sound, count }) => sum + (sound ? count * STEREO_FRAME_BYTES : 0), 0)
