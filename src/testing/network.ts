// What lies between an app and the service of a test player: what is lost, held back or slow.
import type { Readable } from 'node:stream'
import { add, type Frame } from '../clock/frame.js'
import { Line } from './live-wire.js'
import { oneOf } from './argument-checks.js'

const NETWORKS = ['up', 'down', 'hanging', 'lossy', 'mute', 'slow'] as const
const LOSSES = ['request', 'answer', 'late'] as const

/**
 * `up`: all is well. `down`: nobody answers, as when the service is not running. `hanging`:
 * requests get lost, and their senders wait. `lossy`: requests are carried out and the connection
 * breaks before the answer. `mute`: requests are carried out, and their senders wait. `slow`: each
 * answer, and each message of a live connection, is on its way for 400 ms.
 */
export type Network = (typeof NETWORKS)[number]

/**
 * What becomes of one command: it never arrives, or its answer does not. `late`: it arrives after
 * a while, and also where its sender has given it up by then.
 */
export type Loss = (typeof LOSSES)[number]

/** 400 ms. */
const SLOW = 19_200

interface Late {
  readonly at: Frame
  readonly deliver: () => void
}

export class NetworkBetween {
  readonly streams = new Set<Readable>()
  readonly lines = new Set<Line>()
  /** Nobody listens: the service has ended. */
  isGone = false
  #network: Network = 'up'
  readonly #losses: { readonly loss: Loss; readonly after: Frame }[] = []
  #held: (() => void)[] = []
  /** In order of their frames. */
  readonly #late: Late[] = []
  /** Commands that arrive late, in any order. */
  #astray: Late[] = []

  constructor(private readonly now: () => Frame, private readonly touched: () => void) {}

  get network(): Network {
    return this.#network
  }

  set network(network: Network) {
    this.#network = oneOf(network, NETWORKS)
    if (network === 'down' || network === 'lossy') this.cut()
    if (network !== 'up' && network !== 'slow') return
    const held = this.#held
    this.#held = []
    // Behind what is still on its way.
    for (const deliver of held) {
      if (this.#late.length > 0) this.#later(deliver)
      else deliver()
    }
  }

  /** Of the next command, and where there are several, of one after the other. */
  lose(loss: Loss, after: Frame): void {
    this.#losses.push({ loss: oneOf(loss, LOSSES), after })
  }

  /** Breaks every connection that stands. */
  cut(): void {
    for (const line of this.lines) line.cut()
    for (const stream of this.streams) stream.destroy()
  }

  /** A request through it; rejects as fetch does. */
  async pass(
    isCommand: boolean, signal: AbortSignal | null, answer: () => Promise<Response>,
  ): Promise<Response> {
    signal?.throwIfAborted()
    const lost = isCommand ? this.#losses.shift() : undefined
    const network = this.#network
    if (network === 'down' || this.isGone) throw refused()
    if (network === 'hanging') return forever(signal)
    if (lost?.loss === 'request') throw new TypeError('fetch failed')
    if (lost?.loss === 'late') return this.#stray(lost.after, signal, answer)
    const response = await answer()
    if (network === 'lossy' || lost?.loss === 'answer') throw new TypeError('fetch failed')
    if (network === 'mute') return forever(signal)
    if (network === 'slow') await this.#delay(signal)
    signal?.throwIfAborted()
    return response
  }

  /** A new live connection; its other end is handed over once it stands. */
  connect(opened: (line: Line) => void): Line {
    const line = new Line({
      carry: (direction, deliver) => this.#carry(direction, deliver),
      touched: this.touched,
      gone: (gone) => this.lines.delete(gone),
    })
    this.lines.add(line)
    this.#carry('to app', () => {
      if (this.isGone || this.#network === 'down' || this.#network === 'lossy') line.cut()
      else if (this.lines.has(line)) opened(line)
    })
    return line
  }

  /** The frame at which something that is slow arrives; null: nothing is on its way. */
  next(): Frame | null {
    const times = [...this.#late.slice(0, 1), ...this.#astray].map(({ at }) => at)
    return times.sort((a, b) => a - b)[0] ?? null
  }

  /** Delivers what has arrived; answers whether there was anything. */
  arrive(): boolean {
    const isDue = ({ at }: Late): boolean => at <= this.now()
    const due = this.#late.filter(isDue)
    this.#late.splice(0, due.length)
    due.push(...this.#astray.filter(isDue))
    this.#astray = this.#astray.filter((it) => !isDue(it))
    for (const { deliver } of due) deliver()
    return due.length > 0
  }

  #carry(direction: 'to service' | 'to app', deliver: () => void): void {
    const network = this.#network
    if (network === 'hanging' || (network === 'mute' && direction === 'to app')) {
      this.#held.push(deliver)
    } else if (network === 'slow' || this.#late.length > 0) this.#later(deliver)
    else queueMicrotask(deliver)
  }

  #later(deliver: () => void): void {
    this.#late.push({ at: add(this.now(), SLOW), deliver })
  }

  #stray(
    after: Frame, signal: AbortSignal | null, answer: () => Promise<Response>,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const deliver = (): void => {
        if (this.isGone) reject(refused())
        else answer().then(resolve, reject)
      }
      this.#astray.push({ at: add(this.now(), after), deliver })
      whenAborted(signal, reject)
    })
  }

  #delay(signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#later(resolve)
      whenAborted(signal, reject)
    })
  }
}

/** As Node's fetch tells that nobody listens. */
const refused = (): TypeError =>
  new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })

const forever = (signal: AbortSignal | null): Promise<never> =>
  new Promise((_resolve, reject) => whenAborted(signal, reject))

/** Also where it was given up while it was carried out. */
const whenAborted = (signal: AbortSignal | null, reject: (reason: Error) => void): void => {
  const abort = (): void => reject(signal?.reason as Error)
  if (signal?.aborted === true) abort()
  else signal?.addEventListener('abort', abort, { once: true })
}
