// Looks into the media of a show in the background, and again for those that were not there.
import type { Logger } from 'pino'
import type { Cancel, Timers } from '../clock/timers.js'
import { defaultCacheFile } from '../io/media/probe-cache.js'
import { Prober } from '../io/media/probe.js'
import { imagePaths, type FileReference } from '../io/show/show-file.js'
import type { RemotePlayer } from '../sound/remote-player.js'
import type { MainFact } from '../sound/sound-messages.js'
import type { Pages } from './pages.js'

/** Media that were not there, e.g. on a disk that was not plugged in, are looked for again. */
const MISSING_MS = 10_000
/** Facts go to the sound thread in batches, so that a large show does not flood it. */
const FACTS_PER_BATCH = 100

export interface ProbingParts {
  readonly timers: Timers
  readonly player: RemotePlayer
  readonly pages: Pages
  readonly log: Logger
}

export class Probing {
  readonly #prober: Prober
  #missing: Cancel | null = null
  /** The latest look's number. */
  #turn = 0
  #isClosed = false

  constructor(private readonly parts: ProbingParts) {
    this.#prober = new Prober({
      timers: parts.timers,
      cacheFile: defaultCacheFile(process.env), concurrency: 1, env: process.env,
    })
  }

  /** Durations in the background: from the cache, or one file looked into at a time. */
  begin(media: readonly FileReference[]): void {
    this.#probe(media.map(({ path }) => path), imagePaths(media))
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#missing?.()
    return this.#prober.close()
  }

  #probe(paths: readonly string[], images: ReadonlySet<string>): void {
    const { player, pages, log, timers } = this.parts
    this.#missing?.()
    this.#turn += 1
    const turn = this.#turn
    const missing: string[] = []
    let batch: MainFact[] = []
    const flush = (): void => {
      if (batch.length > 0) player.tell(...batch)
      batch = []
    }
    const done = this.#prober.probe(paths, images, {
      looked: (path, look) => pages.looked(path, look),
      facts: (path, facts) => {
        pages.learn(path, facts)
        const { duration } = facts
        if (duration > 0) batch.push({ kind: 'probed', path, duration })
        if (batch.length >= FACTS_PER_BATCH) flush()
      },
      fault: (path, message, version) => {
        missing.push(path)
        // Said once: it is looked for again as long as it cannot be played.
        if (!pages.miss(path, message, version)) return
        log.warn({ path }, message)
      },
      progress: (count, total) => {
        if (count === total || count % 20 === 0) flush()
        if (count % 500 !== 0) return
        log.info(`looked into ${String(count)} of ${String(total)} files`)
      },
    })
    done.then(() => {
      flush()
      // One that was given up for another show would take the place of that show's look in turn.
      if (turn !== this.#turn || missing.length === 0 || this.#isClosed) return
      this.#missing = timers.background.after(MISSING_MS, () => this.#probe(missing, images))
    }, (error: unknown) => {
      log.error({ err: error }, 'durations could not be read')
    })
  }
}
