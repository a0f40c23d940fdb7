// A page's connection under test, on its own time, with all that it told the page.
import type { LiveMessage, LiveState } from '../../../src/contract/live.js'
import type { TimeSample } from '../../../src/pages/shared/clock.js'
import {
  LiveSocket, type LivePorts, type SocketEvents,
} from '../../../src/pages/shared/live-socket.js'
import type { Known } from '../../../src/pages/shared/live-state.js'
import { PageTime } from './page-time.js'
import { SILENT } from './show-parts.js'

const STATE: LiveState = { ...SILENT, kind: 'state', n: 4, at: 0, missed: null }

/** A daemon and the network to it, as the test wants them. */
export class LivePage {
  readonly time = new PageTime()
  readonly opened: string[] = []
  readonly sent: { readonly at: number; readonly text: string }[] = []
  readonly told: [string, number][] = []
  readonly samples: TimeSample[] = []
  readonly boots: boolean[] = []
  readonly bytes: number[] = []
  known: Known | null = null
  isThere = true
  /** What it takes to learn that, and then to open a connection. */
  lookMs = 0
  openMs = 1
  /** How often it was asked. */
  looks = 0
  answersTime = true
  /** What a time message takes, there and back. */
  tripMs = 2
  /** Connections that were opened and not closed by the page. */
  held = 0
  tells = true
  /** A new connection is told all; else it stands, and brings no word. */
  greets = true
  boot = 'one'
  socket: SocketEvents | null = null
  isHidden = false

  readonly ports: LivePorts = {
    now: this.time.now,
    after: this.time.after,
    open: (path, events) => {
      this.opened.push(path)
      if (this.tells) this.time.after(this.openMs, () => this.#welcome(events))
      this.held += 1
      const close = (): void => {
        this.held -= 1
        this.socket = null
      }
      return { send: (text) => this.#hear(text), close }
    },
    isThere: () => {
      this.looks += 1
      if (this.lookMs === 0) return Promise.resolve(this.isThere)
      return new Promise((tell) => this.time.after(this.lookMs, () => tell(this.isThere)))
    },
    isHidden: () => this.isHidden,
  }

  readonly live = new LiveSocket(this.ports, {
    hello: (_hello, isNewBoot) => this.boots.push(isNewBoot),
    state: (known) => (this.known = known),
    change: (known) => (this.known = known),
    time: (sample) => this.samples.push(sample),
    binary: (bytes) => this.bytes.push(bytes.byteLength),
    connection: (connection) => this.told.push([connection, this.time.now()]),
  })

  say(message: LiveMessage): void {
    this.socket?.text(JSON.stringify(message))
  }

  #welcome(events: SocketEvents): void {
    this.socket = events
    events.opened()
    if (!this.greets) return
    this.say({
      kind: 'hello', protocol: 'cartwall.live.1', version: '1', boot: this.boot, show: null,
    })
    this.say(STATE)
  }

  #hear(text: string): void {
    this.sent.push({ at: this.time.now(), text })
    const message = JSON.parse(text) as { kind: string; id: number }
    if (message.kind !== 'time' || !this.answersTime) return
    const frame = this.time.now() * 48
    const answer = { kind: 'time', id: message.id, frame, latency: 480 } as const
    this.time.after(this.tripMs, () => this.say(answer))
  }
}
