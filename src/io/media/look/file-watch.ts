// Looks at the wanted media files in turn, a few at a time, and tells which became another one.
import type { Cancel, Timers } from '../../../clock/timers.js'
import { FRESH_MS } from '../../files/disk-patience.js'
import type { Look, Looking } from './file-look.js'
import type { Seen } from './quick-look.js'
import { type Link, LinkedList, linkOf } from '../linked-list.js'

/** Who hears how files are. */
export interface WatchListener {
  /** How a file was at the first look at it; null: not there. */
  readonly firstSeen?: ((path: string, stamp: string | null) => void) | undefined
  /** Another file than at the look before stands there: none did, or none does. */
  readonly replaced?: ((path: string) => void) | undefined
}

export interface WatchOptions extends WatchListener {
  readonly looking: Looking
  readonly timers: Timers
  /** How often each file is looked at, where they are few; null never. */
  readonly everyMs: number | null
  /** Either of both, before it is told. */
  readonly changed?: (file: WatchedFile) => void
}

export interface WatchedFile {
  readonly path: string
  /** Its content's stamp at the last look; null where it cannot be played, or nobody looked. */
  readonly stamp: string | null
}

class Watched implements WatchedFile {
  /** How it was when it could be seen last; null where it cannot be played, or nobody looked. */
  look: Look | null = null
  /** Its disk answered before, be it that it is not there. */
  isKnown = false
  /** When it was seen last, in milliseconds of the process's clock. */
  seenAt = Number.NEGATIVE_INFINITY
  /** How many want it to be watched. */
  wanted = 1
  /** A look is under way, and its disk may hang. */
  isAsked = false
  readonly link: Link<Watched> = linkOf<Watched>(this)

  constructor(readonly path: string) {}

  get stamp(): string | null {
    return this.look?.kind === 'file' ? this.look.stamp : null
  }
}

/** Files looked at in `everyMs` at most, and at one time: what a disk that hangs is asked. */
const FILES_PER_TURN = 50

/**
 * It is spread over so many parts of that time. Fifty looks in one go keep a core for 40 to 100 ms:
 * of thirty presses on a wall one fell into them, and its sign was seen after 40 to 64 ms, not 16.
 */
const PARTS = 8

export class FileWatch {
  readonly #options: WatchOptions
  readonly #files = new Map<string, Watched>()
  /** The one that was looked at longest ago comes first. */
  readonly #turns = new LinkedList<Watched>()
  readonly #turning: Cancel | null
  #underWay = 0
  /** Files that are due, and the part of one that is left over. */
  #due = 0
  #closed = false

  constructor(options: WatchOptions) {
    this.#options = options
    const { everyMs, timers } = options
    this.#turning =
      everyMs === null ? null : timers.background.every(everyMs / PARTS, () => { this.#turn() })
  }

  /** Watches a file from now on; each call is undone by one `leave`. */
  add(path: string): WatchedFile {
    const known = this.#files.get(path)
    if (known !== undefined) {
      known.wanted += 1
      return known
    }
    const file = new Watched(path)
    this.#files.set(path, file)
    this.#turns.push(file.link)
    return file
  }

  leave(path: string): void {
    const file = this.#files.get(path)
    if (file === undefined) return
    file.wanted -= 1
    if (file.wanted > 0) return
    this.#files.delete(path)
    this.#turns.remove(file.link)
  }

  /** How the file was when it could be seen last; null where it could not, or is not watched. */
  lastSeen(path: string): Seen | null {
    const file = this.#files.get(path)
    const look = file?.look ?? null
    return file === undefined || look === null ? null : { look, atMs: file.seenAt }
  }

  /** Whether the file was seen, fit to be played, so lately that nobody need look again. */
  isFresh(path: string): boolean {
    const file = this.#files.get(path)
    if (file === undefined || file.stamp === null) return false
    return this.#options.timers.nowMs() - file.seenAt < FRESH_MS
  }

  /** Takes in what somebody saw. A disk that does not answer says nothing about its files. */
  seen(path: string, look: Look): void {
    const file = this.#files.get(path)
    if (file === undefined) return
    this.#turns.push(file.link)
    if (look.kind === 'unavailable') {
      file.seenAt = Number.NEGATIVE_INFINITY
      return
    }
    const before = file.stamp
    const isFirstLook = !file.isKnown
    file.isKnown = true
    file.look = look.kind === 'file' ? look : null
    file.seenAt = this.#options.timers.nowMs()
    if (!isFirstLook && file.stamp === before) return
    const { changed, firstSeen, replaced } = this.#options
    changed?.(file)
    if (isFirstLook) firstSeen?.(path, file.stamp)
    else replaced?.(path)
  }

  close(): void {
    this.#closed = true
    this.#turning?.()
  }

  /** While one disk hangs the files of others are looked at. */
  #turn(): void {
    this.#due += Math.min(FILES_PER_TURN, this.#turns.length) / PARTS
    for (; this.#due >= 1; this.#due -= 1) {
      const file = this.#underWay < FILES_PER_TURN ? this.#longestUnseen() : null
      if (file !== null) void this.#lookAt(file)
    }
  }

  /** That nobody looks at now; it, and those that are passed over, come last from now on. */
  #longestUnseen(): Watched | null {
    for (let n = this.#turns.length; n > 0; n -= 1) {
      const file = this.#turns.first
      if (file === null) return null
      this.#turns.push(file.link)
      if (!file.isAsked) return file
    }
    return null
  }

  async #lookAt(file: Watched): Promise<void> {
    file.isAsked = true
    this.#underWay += 1
    const look = await this.#options.looking.look(file.path)
    file.isAsked = false
    this.#underWay -= 1
    if (!this.#closed) this.seen(file.path, look)
  }
}
