// Whether a file is as it was when it was looked at last: one question instead of a look.
//
// A look goes through two processes, which costs a start 2 ms. Where the file is on a disk of this
// machine the kernel is asked here, and only what has changed is looked at anew. A disk that hangs
// all the same (one that has to spin up) keeps a thread; the look is then made as ever.
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Timers } from '../../../clock/timers.js'
import { hasStamp } from '../../files/file-stamp.js'
import type { Look } from './file-look.js'

/** The kernel answers in a fraction of a millisecond, or else has to wait for the disk. */
const QUICK_MS = 50
/** Of the four threads that all files of this process share. */
const ASKED_MOST = 2

export class QuickLook {
  #asked = 0

  /** @param facts of a file, by its path; it rejects where there is none. */
  constructor(
    private readonly timers: Timers,
    private readonly facts: (path: string) => Promise<Stats> = stat,
  ) {}

  /**
   * Whether the file is still as it was seen; false where that cannot be said soon, null where it
   * is not to be asked: of a share, or while two files keep it waiting.
   */
  isSame(path: string, seen: Look | null): Promise<boolean> | null {
    if (seen?.kind !== 'file' || seen.changedMs === null || this.#asked >= ASKED_MOST) return null
    this.#asked += 1
    return new Promise((settle) => {
      const cancel = this.timers.after(QUICK_MS, () => settle(false))
      const answered = (isSame: boolean): void => {
        this.#asked -= 1
        cancel()
        settle(isSame)
      }
      this.facts(resolve(path)).then(
        (now) => answered(hasStamp(now, seen.stamp) && now.ctimeMs === seen.changedMs),
        () => answered(false),
      )
    })
  }
}
