// Watches the images of a show: nothing of them is decoded, and only their change is told.
import { inSlices } from '../slices.js'
import { FileWatch, type WatchOptions } from './file-watch.js'

export class ImageWatch {
  readonly files: FileWatch
  readonly #watched = new Set<string>()
  #show = 0
  #closed = false

  constructor(options: WatchOptions) {
    this.files = new FileWatch(options)
  }

  /** Replaces the set of watched files, in slices: there may be thousands. */
  set(paths: Iterable<string>): void {
    this.#show += 1
    const show = this.#show
    const isLatest = (): boolean => this.#show === show && !this.#closed
    const wanted = new Set<string>()
    inSlices(paths, isLatest, (path) => {
      wanted.add(path)
      if (this.#watched.has(path)) return
      this.#watched.add(path)
      this.files.add(path)
    }, () => {
      inSlices(this.#watched, isLatest, (path) => {
        if (wanted.has(path)) return
        this.#watched.delete(path)
        this.files.leave(path)
      }, () => undefined)
    })
  }

  close(): void {
    this.#closed = true
    this.files.close()
  }
}
