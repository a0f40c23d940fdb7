// Watches a show file by its folder, since editors replace files, and tells when it changed.
import { watch, type BigIntStats, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Cancel, Timers } from '../../clock/timers.js'

/** An editor's burst of events becomes one: this long after the last of them. */
const SETTLE_MS = 150
/** Under events without end the file is looked at this often all the same. */
const SETTLE_MS_MAX = 1_000
/** Network folders and full watch tables send no events; a look now and then misses nothing. */
const LOOK_MS = 2_000
/** Programs that save by a rename, or over a share, leave a moment without a file. */
const GONE_MS = 3_000

export interface Watching {
  close(): void
}

export interface ShowNews {
  /** It became another one: new content, a new file in its place, or back after it was gone. */
  changed(): void
  /** It has been gone for three seconds, alone or with its folder; told at each look since. */
  gone(): void
}

/** What a show file is at a moment; null while it is gone. */
export const showMark = (path: string): Promise<string | null> =>
  printed(resolve(path), contentPrint)

/** Take the mark before the first load, and no change can slip in between. */
export const watchShow = (
  path: string, mark: string | null, timers: Timers, news: ShowNews,
): Watching => {
  const watching = new ShowWatch(resolve(path), mark, timers.background, news)
  watching.begin()
  return watching
}

class ShowWatch implements Watching {
  readonly #file: string
  #watcher: FSWatcher | null = null
  #settling: Cancel | null = null
  #unsettledSince = 0
  #looking: Cancel | null = null
  /** What the file was when it was last told; null while it is gone. */
  #print: string | null
  /** When the first look missed it; null while it is there. */
  #goneSince: number | null = null
  #folderPrint: string | null = null
  #closed = false
  /** One look at a time; an event during one asks for another. */
  #busy = false
  #again = false

  constructor(
    file: string, mark: string | null, private readonly timers: Timers,
    private readonly news: ShowNews,
  ) {
    this.#file = file
    this.#print = mark
  }

  begin(): void {
    void this.#look()
    this.#looking = this.timers.every(LOOK_MS, () => {
      // A file that is being written is not read by halves: the look that is due soon will do.
      if (this.#settling === null) void this.#look()
    })
  }

  close(): void {
    this.#closed = true
    this.#watcher?.close()
    this.#watcher = null
    this.#settling?.()
    this.#looking?.()
  }

  async #look(): Promise<void> {
    if (this.#busy) {
      this.#again = true
      return
    }
    this.#busy = true
    try {
      const folder = await printed(dirname(this.#file), identityPrint)
      if (this.#isClosed()) return
      if (folder !== this.#folderPrint || this.#watcher === null) this.#rewatch(folder)
      const print = await printed(this.#file, contentPrint)
      if (!this.#isClosed()) this.#compare(print)
    } finally {
      this.#busy = false
      if (this.#again && !this.#isClosed()) {
        this.#again = false
        this.#settle()
      }
    }
  }

  /** Asked anew after each wait. */
  #isClosed(): boolean {
    return this.#closed
  }

  #compare(print: string | null): void {
    const before = this.#print
    this.#print = print
    if (print === null) {
      this.#missed()
      return
    }
    this.#goneSince = null
    if (print !== before) this.news.changed()
  }

  #missed(): void {
    const now = this.timers.nowMs()
    this.#goneSince ??= now
    if (now - this.#goneSince >= GONE_MS) this.news.gone()
  }

  #rewatch(folder: string | null): void {
    this.#watcher?.close()
    this.#watcher = null
    this.#folderPrint = folder
    if (folder === null) return
    try {
      const watcher = watch(dirname(this.#file), { persistent: false })
      // Some systems do not say which file it was.
      watcher.on('change', (_event, name: unknown) => {
        if (typeof name !== 'string' || name === basename(this.#file)) this.#settle()
      })
      watcher.on('error', () => {
        watcher.close()
        if (this.#watcher === watcher) this.#watcher = null
      })
      this.#watcher = watcher
    } catch {
      // No watch can be had: the regular look does it alone.
    }
  }

  #settle(): void {
    if (this.#closed) return
    const now = this.timers.nowMs()
    if (this.#settling === null) this.#unsettledSince = now
    else this.#settling()
    const left = this.#unsettledSince + SETTLE_MS_MAX - now
    this.#settling = this.timers.after(Math.max(0, Math.min(SETTLE_MS, left)), () => {
      this.#settling = null
      void this.#look()
    })
  }
}

const NO_ACCESS = 'EACCES'

/** A folder is the same while its inode is. */
const identityPrint = (facts: BigIntStats): string => `${String(facts.dev)}:${String(facts.ino)}`

/** A file is the same while nothing was written to it either. */
const contentPrint = (facts: BigIntStats): string =>
  [identityPrint(facts), facts.size, facts.mtimeNs, facts.ctimeNs].join(':')

const printed = async (
  path: string,
  print: (facts: BigIntStats) => string,
): Promise<string | null> => {
  try {
    return print(await stat(path, { bigint: true }))
  } catch (error) {
    // Not gone: its folder may not be looked into by this user any more. Whoever reads it says so.
    return (error as NodeJS.ErrnoException).code === NO_ACCESS ? NO_ACCESS : null
  }
}
