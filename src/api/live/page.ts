// One page on the live connection: its bounds in both directions, and what it asked for.
import type { Cancel, Timers } from '../../clock/timers.js'
import { LIVE, LIVE_CLOSE, type PageMessage } from '../../contract/live.js'
import { readPageMessage } from './page-message.js'

/** A page that was told to go and does not take even that is cut after so long. */
const FAREWELL_MS = 5_000
/** Levels and lights are of the moment: a page that is so far behind goes without some. */
const STALE_BYTES = 64 * 1_024
const SECOND_MS = 1_000

/** As much of a WebSocket of `ws` as a page needs. */
export interface PageSocket {
  readonly bufferedAmount: number
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  on(event: 'ping' | 'pong' | 'error' | 'close', listener: () => void): unknown
  send(data: Uint8Array, options: { readonly binary: boolean }): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
}

export interface PageHost {
  heard(page: Page, message: PageMessage): void
  gone(page: Page): void
}

export class Page {
  wantsLevels = false
  wantsLights = false
  #heardAt: number
  #askedAt: number
  /** Messages within the second that began at `secondAt`. */
  #secondAt = 0
  #inSecond = 0
  #isOver = false
  /** Cuts it where it does not go by itself. */
  #endFarewell: Cancel | null = null

  constructor(
    readonly id: string,
    private readonly socket: PageSocket,
    private readonly host: PageHost,
    private readonly timers: Timers,
  ) {
    this.#heardAt = timers.nowMs()
    this.#askedAt = this.#heardAt
    socket.on('message', (data: Buffer, isBinary) => this.#hear(data, isBinary))
    socket.on('ping', () => this.#count())
    socket.on('pong', () => this.#count())
    // What is wrong with a frame closes the connection with its own code; there is no more to do.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#isOver = true
      this.#endFarewell?.()
      host.gone(this)
    })
  }

  /** One text message; a page that is too far behind is let go instead. */
  send(text: Buffer): void {
    if (this.#isOver) return
    if (this.#isBehind(LIVE.bytesBehind)) {
      this.close(LIVE_CLOSE.tryAgainLater, 'too far behind: come back')
    } else this.socket.send(text, { binary: false })
  }

  /** Levels or lights: passed over where the page has more than enough to read. */
  sendFrame(bytes: Uint8Array): void {
    if (this.#isOver || this.#isBehind(STALE_BYTES)) return
    this.socket.send(bytes, { binary: true })
  }

  /** Asks from time to time whether it is there; cuts it where it is not. */
  look(): void {
    const now = this.timers.nowMs()
    if (now - this.#heardAt >= LIVE.deadMs) this.cut()
    else if (!this.#isOver && now - this.#askedAt >= LIVE.pingMs) {
      this.#askedAt = now
      this.socket.ping()
    }
  }

  /** One that was told to go before, and is still there, has no longer than this by now. */
  close(code: number, reason: string, farewellMs = FAREWELL_MS): void {
    if (!this.#isOver) this.socket.close(code, reason)
    this.#isOver = true
    this.#endFarewell?.()
    this.#endFarewell = this.timers.background.after(farewellMs, () => this.socket.terminate())
  }

  cut(): void {
    this.#isOver = true
    this.socket.terminate()
  }

  #isBehind(bytes: number): boolean {
    return this.socket.bufferedAmount > bytes
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (!this.#count()) return
    if (isBinary) {
      this.close(LIVE_CLOSE.unsupported, 'messages are text')
      return
    }
    const read = readPageMessage(data.toString('utf8'))
    if (read.kind === 'not_json') this.close(LIVE_CLOSE.notJson, 'a message is one JSON object')
    if (read.kind === 'unfit') this.close(LIVE_CLOSE.refused, read.why)
    if (read.kind === 'message') this.host.heard(this, read.message)
  }

  /** Whatever comes counts, pings too: their answers would pile up. False: it was too much. */
  #count(): boolean {
    if (this.#isOver) return false
    const now = this.timers.nowMs()
    this.#heardAt = now
    if (now - this.#secondAt >= SECOND_MS) {
      this.#secondAt = now
      this.#inSecond = 0
    }
    this.#inSecond += 1
    if (this.#inSecond <= LIVE.messagesPerSecond) return true
    this.close(LIVE_CLOSE.refused, `more than ${LIVE.messagesPerSecond} messages a second`)
    return false
  }
}
