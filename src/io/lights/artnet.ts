// Art-Net out: dmxnet held at arm's length, one sender for each universe for life.
//
// dmxnet 0.9.0 makes the packets and counts the sequences. What it does besides would end a show:
// it throws from the callback of a failed send, binds the Art-Net port on every address and takes
// packets away from a receiver on this host, announces every sender whenever one is made, repeats
// frames by timers of its own, and logs to the console. So it gets sockets that are ours: they
// cannot throw, listen to nothing, and pass on lighting frames only; its timers are stopped.
import dgram from 'node:dgram'
import dmxnetModule from 'dmxnet'
import { withUnheldIntervals } from '../../clock/foreign.js'
import type { Timers } from '../../clock/timers.js'
import { ArtnetSocket, type SocketLike } from './artnet-socket.js'

type DmxnetInstance = InstanceType<typeof dmxnetModule.dmxnet>
type Sender = ReturnType<DmxnetInstance['newSender']>

export interface ArtnetOptions {
  /** A numeric IPv4 address: of a node, or of a network's broadcast. */
  readonly host: string
  readonly port: number
}

export interface ArtnetState {
  readonly state: 'ok' | 'failing'
  readonly message: string | null
}

const OK: ArtnetState = { state: 'ok', message: null }
const NO_LOG = { silly() {}, debug() {}, verbose() {}, info() {}, warn() {}, error() {} }

export class ArtnetOutput {
  readonly #options: ArtnetOptions
  readonly #changed: (state: ArtnetState) => void
  readonly #socket: ArtnetSocket
  readonly #senders = new Map<number, Sender>()
  readonly #instance: DmxnetInstance
  #state = OK
  /** dmxnet sends a dark frame from the constructor of a sender; nobody asked for that one. */
  #muted = false

  /**
   * `changed` hears when sending begins to fail, fails for another reason, or goes well again.
   * `opened` hears when packets can be sent; what was sent before was lost.
   */
  constructor(
    options: ArtnetOptions, timers: Timers, changed: (state: ArtnetState) => void,
    opened: () => void,
  ) {
    this.#options = options
    this.#changed = changed
    this.#socket = new ArtnetSocket(timers, (error) => {
      this.#note(error)
    }, opened)
    this.#instance = this.#guarded(() => new dmxnetModule.dmxnet({ log: { silent: true } }))
    Object.assign(this.#instance, { logger: NO_LOG, ip4: [] })
  }

  get state(): ArtnetState {
    return this.#state
  }

  /** Hands one whole universe of 512 slots to the system. Never throws, never waits. */
  send(universe: number, slots: Uint8Array): void {
    const sender = this.#senderOf(universe)
    for (let index = 0; index < slots.length; index += 1) {
      const value = slots[index] as number
      if (sender.values[index] !== value) sender.prepChannel(index, value)
    }
    sender.transmit()
  }

  /** Resolves when the system has taken what was sent: what makes a last frame the last. */
  flush(deadlineMs: number): Promise<void> {
    return this.#socket.flush(deadlineMs)
  }

  close(): void {
    this.#socket.close()
  }

  #senderOf(universe: number): Sender {
    const known = this.#senders.get(universe)
    if (known !== undefined) return known
    this.#muted = true
    const sender = this.#guarded(() => this.#instance.newSender({
      ip: this.#options.host,
      port: this.#options.port,
      net: universe >> 8,
      subnet: (universe >> 4) & 15,
      universe: universe & 15,
    }))
    this.#muted = false
    clearInterval(sender.interval)
    sender.ArtDmxSeq = 1
    this.#senders.set(universe, sender)
    return sender
  }

  /** What dmxnet makes in `make` gets a socket of ours, and no timer that keeps a process up. */
  #guarded<T>(make: () => T): T {
    const { createSocket } = dgram
    const socket = this.#facade()
    dgram.createSocket = (() => socket) as unknown as typeof createSocket
    try {
      return withUnheldIntervals(make)
    } finally {
      dgram.createSocket = createSocket
    }
  }

  #facade(): SocketLike {
    const facade: SocketLike = {
      on: () => facade,
      // Bound to nothing: with a callback it is a socket for sending, which is ready at once.
      bind: (...values) => {
        const done = values.find((value) => typeof value === 'function') as (() => void) | undefined
        if (done !== undefined) queueMicrotask(done)
        return facade
      },
      setBroadcast: () => undefined,
      send: (packet, _offset, _length, port, host) => {
        if (!this.#muted) this.#socket.send(packet, port, host)
      },
      close: () => undefined,
    }
    return facade
  }

  #note(error: Error | null): void {
    const message = error === null ? null : `${this.#options.host}: ${error.message}`
    if (message === this.#state.message) return
    this.#state = error === null ? OK : { state: 'failing', message }
    this.#changed(this.#state)
  }
}
