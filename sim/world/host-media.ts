// Media of the sound thread in a simulation: what is to be armed is, after a while.
import type { Fact } from '../../src/engine/ports.js'
import { keyOf, type ArmedButton } from '../../src/io/media/preroll-entry.js'
import type { ArmingMedia, MediaNews } from '../../src/sound/engine-host.js'
import { SimMedia } from './media.js'
import type { FileSpec } from '../scenario/scenario.js'

export interface MediaTimes {
  /** The engine's frame. */
  readonly now: () => number
  /** Later, on the sound thread, after so many frames of the engine. */
  readonly after: (frames: number, act: () => void) => void
}

export class HostMedia extends SimMedia implements ArmingMedia {
  readonly armed = new Set<string>()
  #wanted: readonly string[] = []

  constructor(
    files: readonly FileSpec[], private readonly news: MediaNews,
    private readonly times: MediaTimes,
  ) {
    super(files)
    this.attach(times.now, (fact, at) => this.#tell(fact, at - times.now()))
  }

  change(file: number, set: Partial<FileSpec>): void {
    this.files[file] = { ...this.files[file]!, ...set }
  }

  get armedHeads(): number {
    return this.armed.size
  }

  setArmed(buttons: Iterable<ArmedButton>): void {
    const keys = new Set([...buttons].map(({ path, from, to }) => keyOf(path, from, to)))
    this.#wanted = [...keys]
    for (const key of [...this.armed]) if (!keys.has(key)) this.#arm(key, false)
    this.times.after(2_400, () => {
      for (const key of this.#wanted) if (!this.armed.has(key)) this.#arm(key, true)
    })
  }

  setImages(): void {
    // Nobody looks at them here.
  }

  closeAll(): Promise<void> {
    return Promise.resolve()
  }

  #arm(key: string, isArmed: boolean): void {
    if (isArmed) this.armed.add(key)
    else this.armed.delete(key)
    this.news.armed(key, isArmed)
  }

  /** What is known at once is told within the engine's step, as of an armed head. */
  #tell(fact: Fact, frames: number): void {
    if (frames <= 0) this.news.post(fact)
    else this.times.after(frames, () => this.news.post(fact))
  }
}
