// Looks into the media of a show in the background, and again for those that were not there.
import type { Logger } from 'pino'
import type { Cancel, Timers } from '../clock/timers.js'
import { defaultCacheFile } from '../io/media/probe/probe-cache.js'
import { Prober, type ProberOptions } from '../io/media/probe/prober.js'
import type { NamedFile } from '../io/show/named-files.js'
import { imagePaths } from '../io/show/show-file.js'
import type { RemotePlayer } from '../sound/remote-player.js'
import type { MainFact, SeenFile } from '../sound/sound-messages.js'
import type { Pages } from './pages.js'

/**
 * Media that were not there, e.g. on a disk that was not plugged in, are looked for again. What is
 * not there for a minute may be missing for weeks, and each look wakes its disk. One that comes
 * back is told by those who look at the files of buttons anyway.
 */
const MISSING_MS = 10_000
const MISSING_OFTEN = 6
const MISSING_LONG_MS = 60_000
/** A file that is still being written changes many times: it is looked into so often at most. */
const REPLACED_MS = 1_000
/** Facts go to the sound thread in batches, so that a large show does not flood it. */
const FILES_PER_BATCH = 20

export interface ProbingParts {
  readonly timers: Timers
  readonly files: ProberOptions['files']
  readonly player: RemotePlayer
  readonly pages: Pages
  readonly log: Logger
}

export class Probing {
  readonly #prober: Prober
  #images: ReadonlySet<string> = new Set()
  #missing: readonly string[] = []
  /** Looks for these in vain, since the show was loaded or anything of a file was told. */
  #vain = 0
  readonly #replaced = new Set<string>()
  /** Which file each path was at the latest look here; null: none. */
  readonly #versions = new Map<string, string | null>()
  #next: Cancel | null = null
  #isLooking = false
  /** The latest look's number. */
  #turn = 0
  #isClosed = false

  constructor(private readonly parts: ProbingParts) {
    const { timers, files } = parts
    const cacheFile = defaultCacheFile(process.env)
    this.#prober = new Prober({ timers, files, cacheFile, concurrency: 1 })
  }

  /** Durations in the background: from the cache, or one file looked into at a time. */
  begin(media: readonly NamedFile[]): void {
    this.#images = imagePaths(media)
    this.#replaced.clear()
    this.#versions.clear()
    this.#vain = 0
    this.#probe(media.map(({ path }) => path))
  }

  /** Another file stands in this one's place, or none, or it is back: what was known is void. */
  again(path: string): void {
    const isFirst = this.#replaced.size === 0
    this.#replaced.add(path)
    this.#vain = 0
    // The next one is not put off by those that come before it.
    if (isFirst && !this.#isLooking) this.#lookAgainIn(REPLACED_MS)
  }

  /** Where those who watch the files began to do so only after one had changed. */
  compare(files: readonly SeenFile[]): void {
    for (const [path, stamp] of files) {
      const version = this.#versions.get(path)
      if (version !== undefined && version !== stamp) this.again(path)
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#next?.()
    return this.#prober.close()
  }

  #lookAgainIn(ms: number): void {
    if (this.#isClosed) return
    this.#next?.()
    this.#next = this.parts.timers.background.after(ms, () => {
      const paths = new Set([...this.#replaced, ...this.#missing])
      this.#replaced.clear()
      this.#probe([...paths])
    })
  }

  #probe(paths: readonly string[]): void {
    const { player, pages, log } = this.parts
    this.#next?.()
    this.#isLooking = true
    this.#turn += 1
    const turn = this.#turn
    const missing: string[] = []
    let isAnySilent = false
    let batch: MainFact[] = []
    const flush = (): void => {
      if (batch.length > 0) player.tell(...batch)
      batch = []
    }
    const done = this.#prober.probe(paths, this.#images, {
      looked: (path, look) => {
        this.#versions.set(path, look.version)
        pages.looked(path, look)
      },
      facts: (path, facts) => {
        pages.learn(path, facts)
        const { duration } = facts
        if (duration > 0) batch.push({ kind: 'probed', path, duration })
      },
      fault: (path, message, version, isSilent = false) => {
        missing.push(path)
        this.#versions.set(path, version)
        isAnySilent ||= isSilent
        // Said once: it is looked for again as long as it cannot be played.
        if (!pages.miss(path, message, version)) return
        log.warn({ path }, message)
      },
      progress: (count, total) => {
        if (count === total || count % FILES_PER_BATCH === 0) flush()
        if (count % 500 !== 0) return
        log.info(`looked into ${String(count)} of ${String(total)} files`)
      },
    })
    done.then(() => {
      flush()
      // One that was given up for another show would take the place of that show's look in turn.
      if (turn === this.#turn) this.#looked(missing, isAnySilent)
    }, (error: unknown) => {
      log.error({ err: error }, 'durations could not be read')
      if (turn === this.#turn) this.#looked(missing, isAnySilent)
    })
  }

  /** A disk that does not answer may do at any moment, and then its files are no news to anyone. */
  #looked(missing: readonly string[], isAnySilent: boolean): void {
    this.#isLooking = false
    this.#missing = missing
    if (this.#replaced.size > 0) this.#lookAgainIn(REPLACED_MS)
    else if (missing.length > 0) {
      if (!isAnySilent) this.#vain += 1
      this.#lookAgainIn(isAnySilent || this.#vain <= MISSING_OFTEN ? MISSING_MS : MISSING_LONG_MS)
    }
  }
}
