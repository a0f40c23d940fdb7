// A page's connection to /api/v1/live: opens it, asks the time, sees silence, and comes back.
//
// The connection is `lost` the moment its socket closes, `late` when a time message has no answer
// for a second, and given up (and so `lost`) after three seconds without a word. It comes back by
// itself. A browser holds back WebSockets that failed a dozen times, by seconds; so the daemon is
// first asked by a plain request whether it is there, and only then is a socket opened.
//
// Apps have another one, client/link.ts and client/live-reader.ts: it stays small, runs outside of
// browsers too, and goes on by events and polling. This one comes with the daemon that it talks to;
// it reads all that there is, binary frames too, and feeds a clock (clock.ts) that keeps pictures
// in step.
import {
  LIVE, type LiveChange, type LiveHello, type LiveMessage, type LiveState, type LiveTime,
  type PageMessage,
} from '../../contract/live.js'
import { TIMING, type TimeSample } from './clock.js'
import { applyChange, knownFrom, type Known } from './live-state.js'

export type Connection = 'connecting' | 'live' | 'late' | 'lost'

/** What a page hears from its connection. */
export interface LiveListener {
  hello(hello: LiveHello, isNewBoot: boolean): void
  /** All anew: the first state, or the one after a loss. */
  state(known: Known, state: LiveState): void
  change(known: Known, change: LiveChange): void
  time(sample: TimeSample): void
  binary(bytes: ArrayBuffer): void
  connection(connection: Connection): void
}

/** The part of a browser's WebSocket that is used. */
export interface Socket {
  send(text: string): void
  close(): void
}

export interface SocketEvents {
  opened(): void
  text(text: string): void
  binary(bytes: ArrayBuffer): void
  closed(): void
}

/** The browser, as this file needs it; tests bring their own. */
export interface LivePorts {
  /** Milliseconds that only rise. */
  now(): number
  /** Calls once, so many ms later; the answer takes it back. */
  readonly after: (ms: number, call: () => void) => () => void
  open(path: string, events: SocketEvents): Socket
  /** Whether the daemon answers at all. */
  isThere(): Promise<boolean>
  /** A hidden page is not judged by its timers: browsers let them sleep. */
  isHidden(): boolean
}

const LATE_MS = 1_000
/** Before the three seconds within which a loss is told. */
const SILENT_MS = 2_800
const WATCH_EVERY_MS = 200
/** Time messages that may be unanswered at once; older ones are forgotten. */
const WAITING_MOST = 32
const TRY_FIRST_MS = 250
const TRY_MOST_MS = 700
const TRY_HIDDEN_MS = 4_000

type Phase =
  | { readonly kind: 'away' }
  | { readonly kind: 'opening'; readonly socket: Socket; readonly since: number }
  | { readonly kind: 'open'; readonly socket: Socket }

export class LiveSocket {
  readonly #ports: LivePorts
  readonly #listener: LiveListener
  readonly #timeEveryMs: number
  #phase: Phase = { kind: 'away' }
  #connection: Connection = 'connecting'
  #known: Known | null = null
  #boot: string | null = null
  #heard = 0
  #tries = 0
  #timeId = 0
  #timesSent = 0
  #turn = 0
  readonly #waiting = new Map<number, number>()
  #wanted: { levels: boolean; lights: boolean } = { levels: false, lights: false }
  #cancels: (() => void)[] = []
  #endTimes: (() => void) | null = null

  /** @param timeEveryMs how often the time is asked, once it is known well. */
  constructor(ports: LivePorts, listener: LiveListener, timeEveryMs: number = TIMING.everyMs) {
    this.#ports = ports
    this.#listener = listener
    this.#timeEveryMs = timeEveryMs
  }

  start(): void {
    this.#open()
  }

  /** Levels and lights are told to pages that asked, and asked for anew after each loss. */
  want(levels: boolean, lights: boolean): void {
    if (this.#wanted.levels === levels && this.#wanted.lights === lights) return
    this.#wanted = { levels, lights }
    this.send({ kind: 'want', ...this.#wanted })
  }

  /** Said at once or not at all: nothing waits for a connection. */
  send(message: PageMessage): void {
    if (this.#phase.kind === 'open') this.#phase.socket.send(JSON.stringify(message))
  }

  /** What the clock knew holds no longer: as many time messages as at the beginning. */
  askAnew(): void {
    if (this.#phase.kind !== 'open' || this.#timesSent <= TIMING.openingMessages) return
    this.#timesSent = 0
    this.#endTimes?.()
    this.#timesOn()
  }

  /** The page is seen again, or the machine woke: find out now how things stand. */
  wake(): void {
    if (this.#phase.kind !== 'open') {
      this.#tries = 0
      if (this.#phase.kind === 'away') this.#tryAfter(0)
      return
    }
    this.#waiting.clear()
    this.#heard = this.#ports.now()
    this.#askTime()
  }

  #open(): void {
    this.#clearTimers()
    const turn = (this.#turn += 1)
    const mine = (call: () => void) => () => {
      if (turn === this.#turn) call()
    }
    const socket = this.#ports.open(this.#path(), {
      opened: mine(() => this.#opened()),
      closed: mine(() => this.#lost()),
      text: (text) => {
        if (turn === this.#turn) this.#read(text)
      },
      binary: (bytes) => {
        if (turn === this.#turn) this.#listener.binary(bytes)
      },
    })
    this.#phase = { kind: 'opening', socket, since: this.#ports.now() }
    this.#watchOn()
  }

  /** Names the last number that was seen, so that the daemon can say whether it was missed. */
  #path(): string {
    if (this.#known === null || this.#boot === null) return LIVE.path
    return `${LIVE.path}?boot=${encodeURIComponent(this.#boot)}&n=${this.#known.n}`
  }

  #opened(): void {
    if (this.#phase.kind !== 'opening') return
    this.#phase = { kind: 'open', socket: this.#phase.socket }
    this.#heard = this.#ports.now()
    this.#tries = 0
    this.#timesSent = 0
    this.#waiting.clear()
    if (this.#wanted.levels || this.#wanted.lights) this.send({ kind: 'want', ...this.#wanted })
    this.#timesOn()
  }

  #read(text: string): void {
    this.#heard = this.#ports.now()
    const message = JSON.parse(text) as LiveMessage
    switch (message.kind) {
      case 'hello': {
        const isNewBoot = this.#boot !== null && this.#boot !== message.boot
        this.#boot = message.boot
        return this.#listener.hello(message, isNewBoot)
      }
      case 'state':
        this.#known = knownFrom(message)
        this.#tell('live')
        return this.#listener.state(this.#known, message)
      case 'change':
        return this.#change(message)
      case 'time':
        return this.#timed(message)
      default:
        // Kinds of a later protocol are passed over (contract/live.ts).
        message satisfies never
    }
  }

  #change(change: LiveChange): void {
    if (this.#known === null) return
    const known = applyChange(this.#known, change)
    if (known === null) return this.#lost()
    this.#known = known
    this.#listener.change(known, change)
  }

  #timed({ id, frame, latency }: LiveTime): void {
    if (typeof id !== 'number') return
    const sent = this.#waiting.get(id)
    if (sent === undefined) return
    // What was asked before this one is answered by it: only silence from now on counts.
    for (const older of this.#waiting.keys()) if (older <= id) this.#waiting.delete(older)
    if (this.#connection === 'late') this.#tell('live')
    const receivedAt = this.#ports.now()
    this.#listener.time({ sentAt: sent, receivedAt, frame, latencyFrames: latency })
  }

  #timesOn(): void {
    this.#askTime()
    const isOpening = this.#timesSent < TIMING.openingMessages
    const ms = isOpening ? TIMING.openingEveryMs : this.#timeEveryMs
    this.#endTimes = this.#later(ms, () => this.#timesOn())
  }

  #askTime(): void {
    this.#timeId += 1
    this.#timesSent += 1
    this.#waiting.set(this.#timeId, this.#ports.now())
    this.send({ kind: 'time', id: this.#timeId })
    if (this.#waiting.size <= WAITING_MOST) return
    for (const id of this.#waiting.keys()) {
      this.#waiting.delete(id)
      break
    }
  }

  #watchOn(): void {
    this.#later(WATCH_EVERY_MS, () => {
      if (!this.#ports.isHidden()) this.#judge()
      if (this.#phase.kind !== 'away') this.#watchOn()
    })
  }

  #judge(): void {
    const now = this.#ports.now()
    if (this.#phase.kind === 'opening') {
      if (now - this.#phase.since >= SILENT_MS) this.#lost()
      return
    }
    if (now - this.#heard >= SILENT_MS) return this.#lost()
    const oldest = this.#waiting.values().next().value
    const isLate = oldest !== undefined && now - oldest >= LATE_MS
    if (isLate && this.#connection === 'live') this.#tell('late')
  }

  #lost(): void {
    this.#clearTimers()
    this.#turn += 1
    if (this.#phase.kind !== 'away') this.#phase.socket.close()
    this.#phase = { kind: 'away' }
    this.#waiting.clear()
    this.#tell('lost')
    this.#tryAfter(this.#pause())
  }

  /** Short, so that all is right within a second of the daemon's coming back. */
  #pause(): number {
    if (this.#ports.isHidden()) return TRY_HIDDEN_MS
    return Math.min(TRY_MOST_MS, TRY_FIRST_MS * 1.25 ** this.#tries)
  }

  #tryAfter(ms: number): void {
    this.#clearTimers()
    const turn = (this.#turn += 1)
    this.#later(ms, () => {
      this.#tries += 1
      void this.#ports.isThere().then((isThere) => {
        if (turn !== this.#turn) return
        if (isThere) this.#open()
        else this.#tryAfter(this.#pause())
      })
    })
  }

  #tell(connection: Connection): void {
    if (this.#connection === connection) return
    this.#connection = connection
    this.#listener.connection(connection)
  }

  #later(ms: number, call: () => void): () => void {
    const end = this.#ports.after(ms, () => {
      forget()
      call()
    })
    const forget = (): void => {
      this.#cancels = this.#cancels.filter((each) => each !== cancel)
    }
    const cancel = (): void => {
      end()
      forget()
    }
    this.#cancels.push(cancel)
    return cancel
  }

  #clearTimers(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }
}
