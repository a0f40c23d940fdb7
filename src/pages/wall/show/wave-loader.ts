// Keeps the small waveforms of all buttons: reads /waves again when the daemon has made more.
import { signal, type Signal } from '@preact/signals'
import { after } from '../../../client/time.js'
import { readWaves } from '../../../contract/waves.js'
import { request } from '../../shared/request.js'

/** While a show's waveforms are being made they come in one by one; one reading holds many. */
const READ_EVERY_MS = 2_000
/** One that roamed to another network may never have its answer. */
const READ_WITHIN_MS = 15_000

export class WaveLoader {
  /** By button; drawn by those that are seen. */
  readonly peaks: Signal<ReadonlyMap<string, Uint8Array>> = signal(new Map())
  #wanted: string | null = null
  #have: string | null = null
  #isBusy = false

  want(etag: string | null): void {
    this.#wanted = etag
    if (etag !== null && etag !== this.#have && !this.#isBusy) void this.#read()
  }

  async #read(): Promise<void> {
    this.#isBusy = true
    const wanted = this.#wanted
    const abort = new AbortController()
    const cancel = after(READ_WITHIN_MS, () => abort.abort())
    try {
      const { signal } = abort
      const answer = await request('/waves', { cache: 'no-cache', priority: 'low', signal })
      if (answer.ok) {
        this.peaks.value = readWaves(await answer.arrayBuffer())
        this.#have = wanted
      }
    } catch {
      // Read again below; without a connection the tag comes anew when it is back.
    } finally {
      cancel()
    }
    after(READ_EVERY_MS, () => {
      this.#isBusy = false
      this.want(this.#wanted)
    })
  }
}
