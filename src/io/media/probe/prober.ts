// Finds out about media in the background, a file at a time, and remembers it for the next start.
import type { Timers } from '../../../clock/timers.js'
import { settledWithin } from '../../../clock/waiting.js'
import type { Inquiring } from '../decoder/decoder-messages.js'
import { ProbeCache } from './probe-cache.js'
import type { MediaFacts } from './probe-file.js'

export interface ProberOptions {
  readonly timers: Timers
  /** Where facts are kept between starts; null: nowhere. */
  readonly cacheFile: string | null
  /** How many files are looked into at a time. */
  readonly concurrency: number
  /** Whoever looks at files and into them: a dead share must hang no thread of the daemon. */
  readonly files: Pick<Inquiring, 'look' | 'probe'>
}

/** A file as it is now, whatever is in it. */
export interface LookedAt {
  /** Another one with each change of the file. */
  readonly version: string
  /** The content type. */
  readonly type: string
}

export interface ProbeListener {
  /** It is there: told before its facts. */
  looked(path: string, look: LookedAt): void
  facts(path: string, facts: MediaFacts): void
  /**
   * Not there (then it has no version), or nothing that plays: the message says what is wrong.
   * `isSilent` where its disk did not answer in time: whether it is there nobody knows.
   */
  fault(path: string, message: string, version: string | null, isSilent?: boolean): void
  progress(done: number, total: number): void
}

const SAVE_EVERY = 200
/** Of a file that is another one after each probe, e.g. while it is copied. */
const TRIES = 3
/** A cache on a disk that hangs, e.g. in a home on a share, is done without. */
const OPEN_MS = 2_000
const SAVE_MS = 500

export class Prober {
  readonly #options: ProberOptions
  readonly #cache: Promise<ProbeCache>
  /** The latest call's number: an older call's rest is given up. */
  #turn = 0
  #isClosed = false

  constructor(options: ProberOptions) {
    if (options.concurrency < 1) throw new RangeError('a prober looks at one file at least')
    this.#options = options
    this.#cache = this.#opened()
  }

  /**
   * Probes each path once, known ones from the cache; resolves when all are told. Of `images` no
   * more is asked than that they are there. A later call takes the place of one that still runs,
   * whose listener then hears no more.
   */
  async probe(
    paths: readonly string[], images: ReadonlySet<string>, listener: ProbeListener,
  ): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    const cache = await this.#cache
    const queue = [...new Set(paths)]
    const total = queue.length
    let next = 0
    let done = 0
    const work = async (): Promise<void> => {
      for (;;) {
        const path = queue[next]
        next += 1
        if (path === undefined || this.#turn !== turn) return
        await this.#one(path, images.has(path), cache, listener, () => this.#turn === turn)
        if (this.#turn !== turn) return
        done += 1
        listener.progress(done, total)
        if (done % SAVE_EVERY === 0) await this.#save(cache)
      }
    }
    const workers = Math.min(this.#options.concurrency, total)
    await Promise.all(Array.from({ length: workers }, work))
    await this.#save(cache)
  }

  /** Gives up what is left, keeps what was learnt. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#turn += 1
    const saved = this.#cache.then((cache) => this.#save(cache))
    await settledWithin(this.#options.timers, saved, SAVE_MS)
  }

  async #opened(): Promise<ProbeCache> {
    const { cacheFile, timers } = this.#options
    const cache = ProbeCache.open(cacheFile)
    return (await settledWithin(timers, cache, OPEN_MS)) ? cache : ProbeCache.open(null)
  }

  async #save(cache: ProbeCache): Promise<void> {
    await settledWithin(this.#options.timers, cache.save(), SAVE_MS)
  }

  /** What is told is of one content: where another one came meanwhile, it is looked at again. */
  async #one(
    path: string,
    isImage: boolean,
    cache: ProbeCache,
    listener: ProbeListener,
    isWanted: () => boolean,
  ): Promise<void> {
    const { files } = this.#options
    for (let tries = 1; ; tries += 1) {
      const look = await files.look(path)
      if (look.kind !== 'file') {
        if (isWanted()) listener.fault(path, look.message, null, look.kind === 'unavailable')
        return
      }
      const { stamp, type } = look
      if (isWanted()) listener.looked(path, { version: stamp, type })
      if (isImage) return
      const known = cache.get(path, stamp)
      if (known !== null) {
        if (isWanted()) listener.facts(path, known)
        return
      }
      if (!isWanted()) return
      const answer = await files.probe(path)
      const isSame = await this.#isStill(path, stamp)
      if (answer.ok && isSame) cache.set(path, stamp, answer.facts)
      if (!isWanted()) return
      if (!isSame && tries < TRIES) continue
      if (answer.ok) listener.facts(path, answer.facts)
      else listener.fault(path, answer.message, stamp)
      return
    }
  }

  async #isStill(path: string, stamp: string): Promise<boolean> {
    const look = this.#isClosed ? null : await this.#options.files.look(path)
    return look?.kind === 'file' && look.stamp === stamp
  }
}
