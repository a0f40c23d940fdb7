// Whether the disk of a show file answers. While a show is read commands are refused, a stop too,
// so a disk that hangs (a share whose server is away) must not be waited for.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Timers } from '../../clock/timers.js'
import { isAnswered } from '../files/disk-patience.js'

export class ShowDisk {
  /** One that hangs keeps a thread: it is asked once, however often somebody wants to know. */
  #isAsked = false

  /** `isBack` is called once a disk answers that did not in time. */
  constructor(
    private readonly path: string, private readonly timers: Timers,
    private readonly isBack: () => void, private readonly ask: typeof opened = opened,
  ) {}

  async answers(): Promise<boolean> {
    if (this.#isAsked) return false
    this.#isAsked = true
    const answer = this.ask(this.path).finally(() => { this.#isAsked = false })
    if (await isAnswered(this.timers, answer)) return true
    void answer.then(this.isBack)
    return false
  }
}

/** To be asked for its size is no question: what the system remembers of a share may answer it. */
const opened = async (path: string): Promise<void> => {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    await file.close()
  } catch {
    // Not there, or not to be read: whoever reads it tells that.
  }
}
