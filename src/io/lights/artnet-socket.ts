// The one UDP socket that all lamps are sent through: its errors are news, and never fatal.
import dgram from 'node:dgram'
import type { Cancel, Timers } from '../../clock/timers.js'
import { settledWithin } from '../../clock/waiting.js'

/** A closed or broken socket is opened again after so long. */
const REOPEN_MS = 1_000
/** Packets that the system has not taken yet; above it they are dropped: a newer look follows. */
const PENDING_MAX = 4_096

/** Opens itself, reopens itself, and tells of each packet whether it went out. */
export class ArtnetSocket {
  readonly #told: (error: Error | null) => void
  readonly #opened: () => void
  #socket: dgram.Socket | null = null
  #ready = false
  #closed = false
  #pending = 0
  #reopening: Cancel | null = null
  #drained: (() => void)[] = []

  /**
   * `told` hears the fate of every packet: null where the system took it. `opened` hears when
   * packets can be sent; those of before are lost.
   */
  constructor(
    private readonly timers: Timers, told: (error: Error | null) => void, opened: () => void,
  ) {
    this.#told = told
    this.#opened = opened
    this.#open()
  }

  send(packet: Buffer, port: number, host: string): void {
    if (this.#socket === null || !this.#ready) return
    if (this.#pending >= PENDING_MAX) {
      this.#told(new Error('the network takes no more packets'))
      return
    }
    this.#pending += 1
    try {
      this.#socket.send(packet, 0, packet.length, port, host, (error) => {
        this.#settle(error)
      })
    } catch (error) {
      this.#settle(error as Error)
    }
  }

  /** Resolves when the system has taken (or refused) every packet, or after `deadlineMs`. */
  async flush(deadlineMs: number): Promise<void> {
    if (this.#pending === 0 && (this.#ready || this.#closed)) return
    const drained = new Promise<void>((resolve) => {
      this.#drained.push(resolve)
    })
    await settledWithin(this.timers, drained, deadlineMs)
  }

  close(): void {
    this.#closed = true
    this.#reopening?.()
    this.#socket?.close()
    this.#socket = null
    this.#drain()
  }

  #open(): void {
    const socket = dgram.createSocket('udp4')
    socket.on('error', (error) => {
      this.#told(error)
      this.#reopen(socket)
    })
    socket.bind(0, () => {
      // Never refuse an address because it happens to be a network's broadcast address.
      socket.setBroadcast(true)
      this.#ready = true
      this.#opened()
      if (this.#pending === 0) this.#drain()
    })
    this.#socket = socket
  }

  /** Also what a closed one says is an old one's. */
  #reopen(broken: dgram.Socket): void {
    if (broken !== this.#socket) return
    this.#socket = null
    this.#ready = false
    try {
      broken.close()
    } catch {
      // It had closed itself.
    }
    this.#reopening = this.timers.after(REOPEN_MS, () => {
      this.#open()
    })
  }

  #settle(error: Error | null): void {
    this.#pending -= 1
    this.#told(error)
    if (this.#pending === 0) this.#drain()
  }

  #drain(): void {
    const waiting = this.#drained
    this.#drained = []
    for (const resolve of waiting) resolve()
  }
}
