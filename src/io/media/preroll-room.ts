// Whose memory the armed heads take: within two bounds, and who gives way where there is no more.
import { LinkedList } from './linked-list.js'
import { type Entry, type Head, headBytes, joined } from './preroll-entry.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'

export interface Bounds {
  /** For comfort: heads grow up to here. */
  readonly budgetBytes: number
  /** For the least heads of many buttons, where these are more. */
  readonly mostBytes: number
  /** A head's length where there is room for all; it shrinks where there are many buttons. */
  readonly headFrames: number
  readonly leastHeadFrames: number
}

export class PrerollRoom {
  /** Heads that nobody used yet, and used ones with the least recently used one first. */
  readonly #unused = new LinkedList<Entry>()
  readonly #used = new LinkedList<Entry>()
  /** Those that grew: the first is the first to shrink. */
  readonly #grown = new LinkedList<Entry>()
  #bytes = 0
  #grownBytes = 0
  #reserved = 0
  #uses = 0

  constructor(
    private readonly bounds: Bounds,
    private readonly released: (bytes: number) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.#bytes
  }

  /** The length of a first head where so many are wanted. */
  headFramesFor(count: number): number {
    const { budgetBytes, headFrames, leastHeadFrames } = this.bounds
    const share = Math.floor(budgetBytes / STEREO_FRAME_BYTES / Math.max(1, count))
    return Math.min(headFrames, Math.max(leastHeadFrames, share))
  }

  /** For a decode that was begun: what it may come to hold; below zero once it is known. */
  reserve(bytes: number): void {
    this.#reserved += bytes
  }

  /** Whether a first head would find room; `later`: it may, once it is known what others take. */
  forFirst(bytes: number, entry: Entry): 'now' | 'later' | 'never' {
    const held = this.#bytes - this.#grownBytes + bytes
    if (held + this.#reserved <= this.bounds.mostBytes) return 'now'
    if (this.#leastUsedBefore(entry) !== null) return 'now'
    return this.#reserved > 0 && held <= this.bounds.mostBytes ? 'later' : 'never'
  }

  /** A head that grows never displaces or shortens another one. */
  hasForGrowth(bytes: number): boolean {
    return this.#bytes + this.#reserved + bytes <= this.bounds.budgetBytes
  }

  /** It was pressed now. */
  use(entry: Entry): void {
    this.#uses += 1
    entry.used = this.#uses
    if (entry.head === null) return
    this.#used.push(entry.holding)
    if (entry.growing.list !== null) this.#grown.push(entry.growing)
  }

  /** Takes in a first head; `giveWay` is told whose head goes for it. False: there is no room. */
  hold(entry: Entry, head: Head, giveWay: (victim: Entry) => void): boolean {
    const bytes = headBytes(head)
    while (this.#grown.first !== null && this.#bytes + bytes > this.bounds.budgetBytes) {
      this.#shrink(this.#grown.first)
    }
    while (this.#bytes + bytes > this.bounds.mostBytes) {
      const victim = this.#leastUsedBefore(entry)
      if (victim === null) {
        this.released(bytes)
        return false
      }
      giveWay(victim)
    }
    entry.head = head
    this.#count(entry, bytes)
    // What was used before it was there has its place by now: it is used, and is the latest.
    const isUsed = entry.used > 0
    if (isUsed) entry.used = this.#uses += 1
    ;(isUsed ? this.#used : this.#unused).push(entry.holding)
    return true
  }

  /** It stays as it is where first heads have taken the room that there was for it. */
  grow(entry: Entry, head: Head, more: Head): void {
    const bytes = headBytes(more)
    if (this.#bytes + bytes > this.bounds.budgetBytes) {
      this.released(bytes)
      return
    }
    entry.base ??= head
    entry.head = joined(head, more)
    entry.steps += 1
    entry.grownBytes += bytes
    this.#grownBytes += bytes
    this.#count(entry, bytes)
    this.#grown.push(entry.growing)
  }

  /** Gives the memory of a head back. */
  release(entry: Entry): void {
    this.released(entry.bytes)
    this.#grownBytes -= entry.grownBytes
    this.#count(entry, -entry.bytes)
    entry.head = null
    entry.base = null
    entry.grownBytes = 0
    entry.steps = 0
    entry.holding.list?.remove(entry.holding)
    entry.growing.list?.remove(entry.growing)
  }

  /** Less recently used heads go; a head that nobody used yet never displaces another. */
  #leastUsedBefore(entry: Entry): Entry | null {
    const least = this.#unused.first ?? this.#used.first
    return least !== null && least.used < entry.used ? least : null
  }

  /** It is as long as every button's head again, until the next show. */
  #shrink(entry: Entry): void {
    this.released(entry.grownBytes)
    this.#grownBytes -= entry.grownBytes
    this.#count(entry, -entry.grownBytes)
    entry.head = entry.base
    entry.base = null
    entry.grownBytes = 0
    entry.steps = 0
    entry.growing.list?.remove(entry.growing)
    entry.waiting.list?.remove(entry.waiting)
  }

  #count(entry: Entry, bytes: number): void {
    entry.bytes += bytes
    this.#bytes += bytes
  }
}
