// Art-Net out: one sender of dmxnet's for each universe for life, all through one socket of ours.
//
// dmxnet makes the packets and counts the sequences. What it does besides would end a show: it
// throws from the callback of a failed send, binds the Art-Net port on every address and takes
// packets away from a receiver on this host, announces every sender whenever one is made, repeats
// frames by timers of its own, and logs to the console. By our patch it can be made with a socket,
// and then it only sends.
import dmxnetModule from 'dmxnet'
import type { Timers } from '../../clock/timers.js'
import { ArtnetSocket } from './artnet-socket.js'

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

export class ArtnetOutput {
  readonly #options: ArtnetOptions
  readonly #changed: (state: ArtnetState) => void
  readonly #socket: ArtnetSocket
  readonly #senders = new Map<number, Sender>()
  readonly #instance: DmxnetInstance
  #state = OK

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
    this.#instance = new dmxnetModule.dmxnet({
      socket: {
        // Whether it went out is heard from the socket: what dmxnet makes of an error ends a show.
        send: (packet, _offset, _length, port, host) => {
          this.#socket.send(packet, port, host)
        },
      },
    })
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
    const sender = this.#instance.newSender({
      ip: this.#options.host,
      port: this.#options.port,
      net: universe >> 8,
      subnet: (universe >> 4) & 15,
      universe: universe & 15,
    })
    this.#senders.set(universe, sender)
    return sender
  }

  #note(error: Error | null): void {
    const message = error === null ? null : `${this.#options.host}: ${inWords(error)}`
    if (message === this.#state.message) return
    this.#state = error === null ? OK : { state: 'failing', message }
    this.#changed(this.#state)
  }
}

const NO_NETWORK =
  'no network of this machine leads there: see to its Wi-Fi or cable, and to its own address'
const KEPT_BACK = 'a firewall or a route of this machine lets nothing there'
const WORDS: Readonly<Record<string, string>> = {
  ENETUNREACH: NO_NETWORK,
  ENETDOWN: NO_NETWORK,
  EHOSTUNREACH: 'nobody is found there: see to the node, and to dmx.host',
  EPERM: KEPT_BACK,
  EACCES: KEPT_BACK,
}

/** An operator reads it, on the wall too; of what has no words here what the system said. */
const inWords = (error: NodeJS.ErrnoException): string => {
  const { code = '', message } = error
  const words = WORDS[code]
  if (words !== undefined) return `${words} (${code})`
  // What follows the code is where it was sent to, which stands in front.
  return message.replace(/ [\d.]+:\d+$/, '')
}
