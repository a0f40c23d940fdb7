// What is asked of files for pages: of each folder one thing at a time, and of all of them two.
//
// A share that hangs keeps a thread for each thing that it was asked, and four threads read and
// write all files of the process, its recordings too.

/** Folders that are asked at a time. */
const FOLDERS_MOST = 2

interface Waiting {
  readonly folder: string
  readonly begin: () => void
  readonly isWanted: () => boolean
  readonly giveUp: () => void
}

export class FolderQueue {
  readonly #asked = new Set<string>()
  readonly #waiting = new Set<Waiting>()

  /**
   * Runs it once its folder has answered what was asked before. One that is not wanted by then
   * rejects: a disk that is slow would answer for browsers that left before it does for one that
   * waits, e.g. for each place that was sought on the way.
   */
  run<T>(folder: string, ask: () => Promise<T>, isWanted = (): boolean => true): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        ask().then(resolve, reject).finally(() => {
          this.#asked.delete(folder)
          this.#pump()
        })
      }
      const giveUp = (): void => reject(new Error('nobody waits for it any more'))
      this.#waiting.add({ folder, begin, isWanted, giveUp })
      this.#pump()
    })
  }

  #pump(): void {
    // All of them, so that a share that hangs for an evening gathers none.
    for (const one of this.#waiting) {
      if (!one.isWanted() && this.#waiting.delete(one)) one.giveUp()
    }
    for (const one of this.#waiting) {
      if (this.#asked.size >= FOLDERS_MOST) return
      if (this.#asked.has(one.folder)) continue
      this.#waiting.delete(one)
      this.#asked.add(one.folder)
      one.begin()
    }
  }
}
