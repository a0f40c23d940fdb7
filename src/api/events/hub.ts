// GET /events: what happens goes into one bounded ring, and from there to every reader (6).
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Cancel, Timers } from '../../clock/timers.js'
import { LIMITS } from '../../contract/limits.js'
import type { EventBody } from '../../contract/schemas.js'
import type { Player } from '../../engine/player.js'
import { FairShare } from '../wire/fair-share.js'
import { EventReader, type Events } from './event-reader.js'
import { eventText, told, type Told } from './event-text.js'

/** How soon a browser comes back by itself. */
const RETRY_MS = 1_000

type ResetReason = EventBody['reset']['reason']

/** Ids name their service's life too, so that one from before a restart is never mistaken. */
export class EventHub implements Events {
  readonly #epoch = randomBytes(6).toString('hex')
  readonly #ring: (Told | Buffer)[] = []
  readonly #readers = new FairShare<EventReader>(LIMITS.eventReaders)
  readonly #unsubscribe: () => void
  #endBeat: Cancel | null = null
  #ended = false
  last = 0

  constructor(player: Player, private readonly timers: Timers) {
    this.#unsubscribe = player.subscribe((event) => this.#happened(told(event)))
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0
  }

  /**
   * A stream from after `lastEventId` on, or from now on; null where there are readers enough.
   * @param address whose reader it is.
   */
  open(lastEventId: string | null, address = ''): Readable | null {
    if (!this.#readers.makeRoomFor(address, (reader) => reader.cut())) return null
    const place = this.#placeOf(lastEventId)
    const from = typeof place === 'number' ? place : this.last + 1
    const reader = new EventReader(this, from, this.#greeting(place, from), (gone) => {
      this.#readers.delete(gone)
      if (this.isEmpty) this.#rest()
    })
    // A connection that breaks is no fault of ours, and one that was cut was meant to be.
    reader.on('error', () => undefined)
    this.#readers.add(reader, address)
    if (this.#ended) reader.end()
    else this.#endBeat ??= this.#beat()
    return reader
  }

  text(n: number): Buffer | null {
    if (n <= this.last - LIMITS.eventsKept) return null
    const at = n % LIMITS.eventsKept
    const kept = this.#ring[at]!
    // Written out when the first reader takes it: without readers events cost next to nothing.
    if (Buffer.isBuffer(kept)) return kept
    return (this.#ring[at] = eventText(this.#id(n), kept))
  }

  /** The end of the service: readers hear of it, and then are let go. */
  close(): void {
    this.#unsubscribe()
    this.#happened({ name: 'service', data: { state: 'shutting_down' } })
    this.#ended = true
    this.#rest()
    for (const reader of this.#readers) reader.end()
  }

  #happened(event: Told): void {
    this.last += 1
    this.#ring[this.last % LIMITS.eventsKept] = event
    for (const reader of this.#readers) reader.wake()
  }

  #id(n: number): string {
    return `${this.#epoch}-${n}`
  }

  /** The number of the first event to tell; a reason where some are gone for good. */
  #placeOf(lastEventId: string | null): number | ResetReason {
    if (lastEventId === null || lastEventId === '') return this.last + 1
    const [, epoch, digits] = /^([0-9a-f]{12})-([0-9]{1,16})$/.exec(lastEventId) ?? []
    if (epoch === undefined) return 'unknown_id'
    if (epoch !== this.#epoch) return 'restarted'
    const from = Number(digits) + 1
    if (from > this.last + 1) return 'unknown_id'
    return from > this.last - LIMITS.eventsKept ? from : 'gap'
  }

  /** An id without data is no event, but it is where a reader goes on that loses its connection. */
  #greeting(place: number | ResetReason, from: number): Buffer {
    const here = this.#id(from - 1)
    const start = `retry: ${RETRY_MS}\nid: ${here}\n\n`
    if (typeof place === 'number') return Buffer.from(start)
    const reset = eventText(here, { name: 'reset', data: { reason: place } })
    return Buffer.concat([Buffer.from(start), reset])
  }

  #beat(): Cancel {
    return this.timers.background.every(LIMITS.eventHeartbeatMs, () => {
      for (const reader of this.#readers) reader.beat()
    })
  }

  #rest(): void {
    this.#endBeat?.()
    this.#endBeat = null
  }
}

/** For HEAD: the same headers, and nobody who listens. */
export const noEvents = (): Readable => Readable.from([])
