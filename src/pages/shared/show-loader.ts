// Keeps what a page knows of the show: reads /show when the daemon names another ETag.
//
// At most twice a second: a daemon that has just started tells the lengths of a thousand files as
// it learns them, each of which makes another show.
import type { ShowPage } from '../../contract/show-page.js'

export interface ShowPorts {
  /** Rejects where nobody answers, or once it is aborted. */
  read(
    path: string, signal: AbortSignal | null,
  ): Promise<{ readonly etag: string | null; readonly body: unknown } | null>
  after(ms: number, call: () => void): () => void
}

const PAUSE_MS = 500
/** The largest show over a slow network; one that roamed may never bring what was asked before. */
const READ_WITHIN_MS = 15_000

export class ShowLoader {
  readonly #ports: ShowPorts
  readonly #loaded: (show: ShowPage, etag: string | null) => void
  #wanted: string | null = null
  #have: string | null = null
  /** It is being read, or was a moment ago. */
  #isHeld = false

  constructor(ports: ShowPorts, loaded: (show: ShowPage, etag: string | null) => void) {
    this.#ports = ports
    this.#loaded = loaded
  }

  /** Read while the connection is still being made: a page that is loaded needs both. */
  start(): void {
    void this.#read()
  }

  /** The ETag that the daemon names; one reading at a time, until it is the one. */
  want(etag: string | null): void {
    if (etag === null) return
    this.#wanted = etag
    if (etag !== this.#have && !this.#isHeld) void this.#read()
  }

  async #read(): Promise<void> {
    this.#isHeld = true
    const wanted = this.#wanted
    const abort = new AbortController()
    const cancel = this.#ports.after(READ_WITHIN_MS, () => abort.abort())
    const answer = await this.#ports.read('/show', abort.signal).catch(() => null)
    cancel()
    this.#ports.after(PAUSE_MS, () => {
      this.#isHeld = false
      if (answer === null || this.#wanted !== wanted) this.want(this.#wanted)
    })
    if (answer === null) return
    // A show that was replaced meanwhile carries a newer tag than the one that was asked for; what
    // a proxy compressed carries it as W/"tag".
    this.#have = answer.etag?.replace(/^W\//, '') ?? wanted
    this.#loaded(answer.body as ShowPage, this.#have)
  }
}
