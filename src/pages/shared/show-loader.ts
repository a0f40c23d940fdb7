// Keeps what a page knows of the show: reads /show when the daemon names another ETag.
import type { ShowPage } from '../../contract/show-page.js'

export interface ShowPorts {
  /** Rejects where nobody answers, or once it is aborted. */
  read(
    path: string, signal: AbortSignal | null,
  ): Promise<{ readonly etag: string | null; readonly body: unknown } | null>
  after(ms: number, call: () => void): () => void
}

const AGAIN_MS = 500
/** The largest show over a slow network; one that roamed may never bring what was asked before. */
const READ_WITHIN_MS = 15_000

export class ShowLoader {
  readonly #ports: ShowPorts
  readonly #loaded: (show: ShowPage, etag: string | null) => void
  #wanted: string | null = null
  #have: string | null = null
  #isReading = false

  constructor(ports: ShowPorts, loaded: (show: ShowPage, etag: string | null) => void) {
    this.#ports = ports
    this.#loaded = loaded
  }

  /** Read while the connection is still being made: a page that is loaded needs both. */
  start(): void {
    void this.#read()
  }

  /** The ETag that the daemon names; one reading at a time, and again until it is the one. */
  want(etag: string | null): void {
    if (etag === null) return
    this.#wanted = etag
    if (etag !== this.#have && !this.#isReading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    const wanted = this.#wanted
    const abort = new AbortController()
    const cancel = this.#ports.after(READ_WITHIN_MS, () => abort.abort())
    const answer = await this.#ports.read('/show', abort.signal).catch(() => null)
    cancel()
    this.#isReading = false
    if (answer === null) {
      this.#ports.after(AGAIN_MS, () => this.want(this.#wanted))
      return
    }
    // A show that was replaced meanwhile carries a newer tag than the one that was asked for.
    this.#have = answer.etag ?? wanted
    this.#loaded(answer.body as ShowPage, this.#have)
    if (this.#wanted !== wanted) this.want(this.#wanted)
  }
}
