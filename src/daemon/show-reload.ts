// Reads the show anew while it plays: one reload after the other, each whole or not at all.
import type { Timers } from '../clock/timers.js'
import { settledWithin, waited } from '../clock/waiting.js'
import { faultLine, faultsTold, type Fault } from '../io/files/fault.js'
import { ioMessage } from '../io/files/text-file.js'
import { isAbsent } from '../io/show/show-read.js'

/**
 * While a show is read commands are refused, a stop too: a disk that hangs over the reading, or
 * crawls, is not waited for. Ten thousand buttons take a second.
 */
const READ_MS = 5_000
const LATE = 'its disk does not answer; it is read once it does'
/** A program that saves by a rename, e.g. vim, leaves a moment without a file. */
const MOMENT_MS = 100

/** Why the show stays as it was. */
export interface Kept {
  /** For apps: without the paths of this machine. */
  readonly message: string
  /** For the log. */
  readonly why: string
  /** What nobody foresaw. */
  readonly error?: unknown
}

/** What a reload needs, and what it brings about. */
export interface ReloadParts<Loaded> {
  readonly timers: Timers
  /** The show file, as the log names it. */
  readonly file: string
  /** Whether the disk of the show file answers at all. */
  answers(): Promise<boolean>
  load(): Promise<Loaded | { readonly ok: false; readonly faults: readonly Fault[] }>
  /** From here on commands are refused. */
  busy(): void
  kept(kept: Kept): void
  /** The file is not there: the show stays as it was, and no other file is to be named by now. */
  gone(): void
  replaced(show: Loaded): void
}

export class ShowReload<Loaded extends { readonly ok: true }> {
  #reloading: Promise<void> | null = null
  /** A change during one reload asks for one more. */
  #again = false
  #isClosed = false
  /** Told last. One that was read since, e.g. for SIGHUP, and is gone again is news. */
  #isGone = false

  constructor(private readonly parts: ReloadParts<Loaded>) {}

  request(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    if (this.#reloading !== null) {
      this.#again = true
      return this.#reloading
    }
    this.#reloading = this.#once().finally(() => {
      this.#reloading = null
      if (!this.#again) return
      this.#again = false
      void this.request()
    })
    return this.#reloading
  }

  /** The file has been gone for a while. What is being read is an older one: it is read anew. */
  gone(): void {
    if (this.#isGone) return
    if (this.#reloading !== null) this.#again = true
    this.#tellGone()
  }

  close(): void {
    this.#isClosed = true
  }

  async #once(): Promise<void> {
    const { parts } = this
    if (!await parts.answers()) {
      this.#isLate()
      return
    }
    parts.busy()
    try {
      const first = await this.#read()
      const answer = first.ok || !isAbsent(first.faults) ? first : await this.#readAgain()
      if (this.#isClosed) return
      if (answer.ok) this.#replace(answer)
      else this.#refused(answer.faults)
    } catch (error) {
      this.#keep({ message: ioMessage(error), why: String(error), error })
    }
  }

  async #readAgain(): ReturnType<ReloadParts<Loaded>['load']> {
    await waited(this.parts.timers, MOMENT_MS)
    return this.#read()
  }

  #refused(faults: readonly Fault[]): void {
    if (isAbsent(faults)) return this.#tellGone()
    const why = faultLine('the show', this.parts.file, faults)
    this.#keep({ message: faultsTold(faults), why })
  }

  #isLate(): void {
    this.#keep({ message: LATE, why: `the disk of ${this.parts.file} does not answer` })
  }

  #tellGone(): void {
    this.#isGone = true
    this.parts.gone()
  }

  #keep(kept: Kept): void {
    this.#isGone = false
    this.parts.kept(kept)
  }

  #replace(show: Loaded): void {
    this.#isGone = false
    this.parts.replaced(show)
  }

  async #read(): ReturnType<ReloadParts<Loaded>['load']> {
    const { parts } = this
    const reading = parts.load()
    if (await settledWithin(parts.timers, reading, READ_MS)) return reading
    this.#isLate()
    const answer = await reading
    if (!this.#isClosed) parts.busy()
    return answer
  }
}
