// Whether a file is as it was when it was looked at last: one question instead of a look.
//
// A look goes through two processes, which costs a start 2 ms. Where the file is on a disk of this
// machine the kernel is asked here, and only what has changed is looked at anew: at once where the
// file was seen within a minute, since the kernel then answers out of its memory (a few µs), else
// through a thread, as where a link or a folder on the way may lie on a share. A disk that hangs
// all the same (one that has to spin up) keeps that thread; the look is then made as ever.
import { statSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Timers } from '../../../clock/timers.js'
import { hasStamp } from '../../files/file-stamp.js'
import type { Look } from './file-look.js'

/** The kernel answers in a fraction of a millisecond, or else has to wait for the disk. */
const QUICK_MS = 50
/** Of the four threads that all files of this process share. */
const ASKED_MOST = 2
/** So long names and facts of a file that was looked at stay in the kernel's memory. */
const IN_MEMORY_MS = 60_000

/** How a file was when it was looked at last, and when that was. */
export interface Seen {
  readonly look: Look
  /** In milliseconds of the process's clock. */
  readonly atMs: number
}

/** What the kernel knows of a file by its path. Either fails, or tells nothing, where none is. */
export interface KernelFacts {
  /** It must not be asked where the disk may have to be: whoever asks does nothing else. */
  now(path: string): Stats | undefined
  soon(path: string): Promise<Stats>
}

const KERNEL: KernelFacts = {
  now: (path) => statSync(path, { throwIfNoEntry: false }),
  soon: stat,
}

export class QuickLook {
  #asked = 0

  constructor(
    private readonly timers: Timers,
    private readonly kernel: KernelFacts = KERNEL,
  ) {}

  /**
   * Whether the file is still as it was seen, at once where that can be said; false where it cannot
   * be said soon, null where it is not to be asked: of a share, or while two files keep it waiting.
   */
  isSame(path: string, seen: Seen | null): boolean | Promise<boolean> | null {
    if (seen?.look.kind !== 'file' || seen.look.own === null) return null
    const { stamp, own: { changedMs, isDirect } } = seen.look
    const isIt = (facts: Stats): boolean =>
      hasStamp(facts, stamp) && facts.ctimeMs === changedMs
    const isInMemory = isDirect && this.timers.nowMs() - seen.atMs < IN_MEMORY_MS
    if (isInMemory) return this.#isNow(path, isIt)
    return this.#asked >= ASKED_MOST ? null : this.#isSoon(path, isIt)
  }

  #isNow(path: string, isIt: (facts: Stats) => boolean): boolean {
    try {
      const facts = this.kernel.now(resolve(path))
      return facts !== undefined && isIt(facts)
    } catch {
      return false
    }
  }

  #isSoon(path: string, isIt: (facts: Stats) => boolean): Promise<boolean> {
    this.#asked += 1
    return new Promise((settle) => {
      const cancel = this.timers.after(QUICK_MS, () => settle(false))
      const answered = (isSame: boolean): void => {
        this.#asked -= 1
        cancel()
        settle(isSame)
      }
      this.kernel.soon(resolve(path)).then((facts) => answered(isIt(facts)), () => answered(false))
    })
  }
}
