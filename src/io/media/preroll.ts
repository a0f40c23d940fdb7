// Armed heads: the first moments of every playable button, decoded ahead, so that a GO is instant.
//
// Every button gets a head that bridges the start of a decoder; while there is room in the budget
// the heads grow, so that stings are held whole and beds for ten seconds and more. It lives on the
// sound thread, so no turn of it grows with the number of buttons: lists that take one step, and
// slices of what must be gone through (a new show, a file that many buttons share).
import type { Decoding } from './decoder/decoder-messages.js'
import type { Looking } from './look/file-look.js'
import { FileWatch, type WatchedFile, type WatchListener } from './look/file-watch.js'
import type { Timers } from '../../clock/timers.js'
import { MediaStore } from './media-store.js'
import { type ArmedButton, Entry, type Filling, type Head, keyOf } from './preroll-entry.js'
import { PrerollQueue } from './preroll-queue.js'
import { type Bounds, PrerollRoom } from './preroll-room.js'
import { inSlices, SLICE } from './slices.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'

export interface HeadStoreOptions extends Bounds, WatchListener {
  readonly timers: Timers
  readonly decoding: Decoding
  readonly looking: Looking
  /** How long heads grow, step by step, as long as the budget has room. */
  readonly growFrames: readonly number[]
  /** How often some files are looked at for a change; null never. */
  readonly recheckMs: number | null
  /** Hears how many bytes of heads are needed no more. */
  readonly released?: ((bytes: number) => void) | undefined
  /** A range (`keyOf`) would sound at once from now on, or no more. */
  readonly armed?: ((key: string, isArmed: boolean) => void) | undefined
}

/** Decodes asked for at a time: the decoding process decodes many at once for little more. */
const FILLINGS = 48
/** The half of the first pause after what failed; it doubles up to the longest. */
const RETRY_MS = 1_000
/** A share that is away costs a look; a file that is broken, or has no ffmpeg yet, a decode. */
const LOOK_PAUSE_MS = 32_000
const DECODE_PAUSE_MS = 300_000

export class HeadStore {
  /** The files of all heads: where one has another content its heads are decoded anew. */
  readonly files: FileWatch
  readonly #options: HeadStoreOptions
  readonly #entries = new Map<string, Entry>()
  readonly #byPath = new Map<string, Set<Entry>>()
  readonly #queue: PrerollQueue
  readonly #room: PrerollRoom
  readonly #fillings = new Map<Entry, Filling>()
  #armed = 0
  #headFrames: number
  #show = 0
  #isFillDue = false
  #closed = false

  constructor(options: HeadStoreOptions) {
    this.#options = options
    this.#headFrames = options.headFrames
    this.#room = new PrerollRoom(options, options.released)
    this.#queue = new PrerollQueue([options.headFrames, ...options.growFrames])
    this.files = new FileWatch({
      looking: options.looking,
      timers: options.timers,
      everyMs: options.recheckMs,
      firstSeen: options.firstSeen,
      replaced: options.replaced,
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
    return this.#room.bytes
  }

  /** Replaces the set of wanted heads, in slices; what is still wanted stays armed. */
  setArmed(list: Iterable<ArmedButton>): void {
    this.#show += 1
    const show = this.#show
    const isLatest = (): boolean => this.#show === show && !this.#closed
    let count = 0
    let last: Entry | null = null
    inSlices(list, isLatest, (button) => {
      const entry = this.#count(button, show)
      if (entry === null) return
      count += 1
      entry.after = null
      if (last !== null) last.after = entry
      last = entry
    }, () => {
      this.#headFrames = this.#room.headFramesFor(count)
      inSlices(this.#entries.values(), isLatest, (entry) => {
        this.#settle(entry, show)
      }, () => {
        this.#fill()
      })
    })
  }

  /** The head of a range, where it is armed; either way the range counts as used now. */
  take(path: string, from: number, to: number | null): Head | null {
    const entry = this.#entries.get(keyOf(path, from, to))
    if (entry === undefined) return null
    if (entry.head !== null && entry.stamp !== entry.file.stamp) this.#disarm(entry)
    this.#room.use(entry)
    if (entry.head === null) {
      this.#enqueue(entry, true)
      this.#fillSoon()
    }
    this.#queue.pressed(entry)
    return entry.head
  }

  close(): void {
    this.#closed = true
    this.files.close()
    for (const filling of [...this.#fillings.values()]) this.#dropFilling(filling)
    this.#entries.clear()
    this.#byPath.clear()
    this.#armed = 0
  }

  /** The entry of a range at its first button in a show; null for the other buttons of it. */
  #count({ path, from, to }: ArmedButton, show: number): Entry | null {
    const key = keyOf(path, from, to)
    const entry = this.#entries.get(key) ?? this.#add(key, path, from, to)
    const isFirst = entry.show !== show
    entry.counted = isFirst ? 1 : entry.counted + 1
    entry.show = show
    return isFirst ? entry : null
  }

  #settle(entry: Entry, show: number): void {
    if (entry.show !== show) {
      this.#remove(entry)
      return
    }
    if (entry.head !== null) this.#armed += entry.counted - entry.buttons
    entry.buttons = entry.counted
    // It grows, or is tried anew: what went wrong before may be mended, and there may be room now.
    this.#enqueue(entry, false)
    entry.failures = 0
    entry.deaths = 0
  }

  #add(key: string, path: string, from: number, to: number | null): Entry {
    const entry = new Entry(key, this.files.add(path), from, to)
    this.#entries.set(key, entry)
    const ofPath = this.#byPath.get(path) ?? new Set()
    this.#byPath.set(path, ofPath.add(entry))
    return entry
  }

  #remove(entry: Entry): void {
    this.#disarm(entry)
    this.#queue.remove(entry)
    this.#entries.delete(entry.key)
    const ofPath = this.#byPath.get(entry.file.path)
    ofPath?.delete(entry)
    if (ofPath?.size === 0) this.#byPath.delete(entry.file.path)
    this.files.leave(entry.file.path)
  }

  /** Gives its memory back; a decode of it that runs is dropped. */
  #disarm(entry: Entry): void {
    if (entry.head !== null) {
      this.#armed -= entry.buttons
      this.#options.armed?.(entry.key, false)
    }
    this.#room.release(entry)
    // What it would grow by is not wanted.
    this.#queue.remove(entry)
    const filling = this.#fillings.get(entry)
    if (filling !== undefined) this.#dropFilling(filling)
    this.#fillSoon()
  }

  #dropFilling(filling: Filling): void {
    this.#forget(filling)
    if (filling.job !== null) this.#options.decoding.drop(filling.job)
  }

  #forget(filling: Filling): void {
    this.#fillings.delete(filling.entry)
    this.#room.reserve(-filling.bytes)
  }

  /** The file became another one: its heads in slices, since many buttons may begin in it. */
  #renew(file: WatchedFile): void {
    const { path, stamp } = file
    const isLatest = (): boolean => file.stamp === stamp && !this.#closed
    inSlices(this.#byPath.get(path) ?? [], isLatest, (entry) => {
      // The one that is about to be decoded takes the new content anyway.
      const isNext = this.#fillings.get(entry)?.job === null && entry.head === null
      if (entry.stamp === stamp || isNext) return
      this.#disarm(entry)
      entry.stamp = null
      entry.deaths = 0
      entry.failures = 0
      if (stamp !== null) this.#enqueue(entry, false)
    }, () => {
      this.#fill()
    })
  }

  #enqueue(entry: Entry, isFirst: boolean): void {
    if (!this.#fillings.has(entry)) this.#queue.add(entry, isFirst)
  }

  /** In a turn of its own, once for all who ask. */
  #fillSoon(): void {
    if (this.#isFillDue) return
    this.#isFillDue = true
    setImmediate(() => {
      this.#isFillDue = false
      this.#fill()
    })
  }

  /** Asks for what is next, up to a bound; the decoding process does it at a low priority. */
  #fill(): void {
    while (this.#fillings.size < FILLINGS && !this.#closed) {
      const filling = this.#nextWanted()
      if (filling === null) return
      this.#fillings.set(filling.entry, filling)
      this.#room.reserve(filling.bytes)
      void this.#begin(filling)
    }
  }

  async #begin(filling: Filling): Promise<void> {
    const { entry } = filling
    const { path } = entry.file
    if (!this.files.isFresh(path)) {
      const look = await this.#options.looking.look(path)
      this.files.seen(path, look)
      if (look.kind === 'unavailable') this.#tryLater(filling, LOOK_PAUSE_MS)
    }
    if (this.#fillings.get(entry) !== filling) return
    if (entry.head === null) entry.stamp = entry.file.stamp
    // A file that changed between two looks is told to be another one, and begun anew.
    if (entry.stamp === null || entry.stamp !== entry.file.stamp) this.#filled(filling, null)
    else this.#decode(filling)
  }

  #decode(filling: Filling): void {
    const { entry, until: limit } = filling
    const { file: { path }, from, to, next } = entry
    const end = to === null ? limit : Math.min(to, limit)
    const store = new MediaStore(next)
    filling.job = this.#options.decoding.decode(
      { path, origin: from, from: next, to: end, until: end, background: true },
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
          const more = { pieces: store.pieces, until: at, end: whole ? { end: at, source } : null }
          // One that gave back meanwhile what it had grown by ends before this begins.
          this.#filled(filling, entry.next === next ? more : null)
        },
        died: () => {
          // The file is not to blame, or it is: it is tried once more.
          entry.deaths += 1
          this.#filled(filling, null)
          if (entry.deaths < 2) this.#enqueue(entry, false)
        },
        failed: () => {
          this.#tryLater(filling, DECODE_PAUSE_MS)
        },
      },
    )
  }

  /** A disk that did not answer in time, a decoder that could not start: the next try may do. */
  #tryLater(filling: Filling, mostMs: number): void {
    const { entry } = filling
    if (this.#fillings.get(entry) !== filling) return
    this.#filled(filling, null)
    entry.failures += 1
    const ms = Math.min(RETRY_MS * 2 ** entry.failures, mostMs)
    this.#options.timers.background.after(ms, () => {
      if (this.#closed || this.#entries.get(entry.key) !== entry) return
      this.#enqueue(entry, false)
      this.#fill()
    })
  }

  #filled(filling: Filling, more: Head | null): void {
    const { entry } = filling
    if (this.#fillings.get(entry) !== filling) return
    this.#forget(filling)
    if (more !== null) this.#take(entry, more)
    this.#fillSoon()
  }

  #take(entry: Entry, more: Head): void {
    if (entry.head !== null) this.#room.grow(entry, entry.head, more)
    else {
      const isHeld = this.#room.hold(entry, more, (victim) => {
        this.#disarm(victim)
      })
      if (!isHeld) return
      this.#armed += entry.buttons
      this.#options.armed?.(entry.key, true)
    }
    this.#enqueue(entry, false)
  }

  /** Passes over those for which there is no room: nothing is decoded to be thrown away again. */
  #nextWanted(): Filling | null {
    const bytes = this.#headFrames * STEREO_FRAME_BYTES
    for (let turn = 0; turn < SLICE; turn += 1) {
      const entry = this.#queue.shiftBare()
      if (entry === null) return this.#nextToGrow()
      const room = this.#room.forFirst(bytes, entry)
      if (room === 'now') return { entry, until: entry.from + this.#headFrames, bytes, job: null }
      if (room === 'never') continue
      this.#queue.add(entry, true)
      return null
    }
    this.#fillSoon()
    return null
  }

  #nextToGrow(): Filling | null {
    const found = this.#queue.firstToGrow()
    if (found === null) return null
    const { entry, until } = found
    const bytes = Math.max(0, until - entry.next) * STEREO_FRAME_BYTES
    if (!this.#room.hasForGrowth(bytes)) return null
    this.#queue.remove(entry)
    return { entry, until, bytes, job: null }
  }
}
