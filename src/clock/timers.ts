// Time as adapters see it: milliseconds, a date, and as many alarms as they like over one Clock.
//
// The port. `nowMs` is monotonic, with its fraction (a frame is the finest step), and counts
// from the moment the timers were made: compare it with itself only. `wallMs` is the date, which
// may leap; it is for file names and log lines, never for waiting. An alarm is never early. It
// is late when the thread was busy; then `every` rings once and goes on from there, it does not
// catch up. Alarms that are due together ring in the order in which they were set. Cancelling
// twice, or after the ring, is harmless. What an alarm throws is a bug and goes up to whoever
// runs the clock; the others still ring.
//
// In production each thread and process makes one (`realTimers`) where it is put together and
// hands it down. On the virtual clock (`VirtualTimers`) the same files are moved by hand.
import type { Clock } from './clock.js'
import { add, frame, FRAMES_PER_MS, type Frame } from './frame.js'

/** Ends an alarm, whether it rang or not. */
export type Cancel = () => void

export interface Timers {
  nowMs(): number
  /** Milliseconds since 1970. */
  wallMs(): number
  after(ms: number, act: () => void): Cancel
  /** Rings first after one period. */
  every(ms: number, act: () => void): Cancel
  /** The same time; its alarms do not keep a process from ending. */
  readonly background: Timers
}

/** What the platform adds to a Clock. */
export interface Platform {
  wallMs(): number
  /** Whether the alarm that is armed keeps the process from ending. */
  hold(holds: boolean): void
}

interface Entry {
  at: Frame
  order: number
  readonly holds: boolean
  readonly act: () => void
}

/** All alarms of one Clock; its owner calls `ring` when the clock wakes it. */
export class Alarms implements Timers {
  readonly background: Timers
  /** By frame, then by the order in which they were set. */
  readonly #entries: Entry[] = []
  #orders = 0
  #holding = 0
  #armed: Frame | null = null

  constructor(private readonly clock: Clock, private readonly platform: Platform) {
    this.background = {
      nowMs: () => this.nowMs(),
      wallMs: () => this.wallMs(),
      after: (ms, act) => this.#set(ms, null, false, act),
      every: (ms, act) => this.#set(ms, ms, false, act),
      get background() {
        return this
      },
    }
  }

  /** How many are set: none where everything is at rest. */
  get size(): number {
    return this.#entries.length
  }

  nowMs(): number {
    return this.clock.now() / FRAMES_PER_MS
  }

  wallMs(): number {
    return this.platform.wallMs()
  }

  after(ms: number, act: () => void): Cancel {
    return this.#set(ms, null, true, act)
  }

  every(ms: number, act: () => void): Cancel {
    return this.#set(ms, ms, true, act)
  }

  /** The clock came to the armed frame: what is due rings. */
  ring(): void {
    this.#armed = null
    const now = this.clock.now()
    // Bounded: what is set meanwhile has a later order and waits for the next wake.
    const until = this.#orders
    try {
      for (let next = this.#entries[0]; next !== undefined; next = this.#entries[0]) {
        if (next.at > now || next.order >= until) break
        this.#remove(next)
        next.act()
      }
    } finally {
      this.#arm()
    }
  }

  #set(ms: number, period: number | null, holds: boolean, act: () => void): Cancel {
    const wait = framesOf(ms)
    if (period !== null && wait === 0) throw new RangeError('an alarm without a period')
    let live = true
    const entry: Entry = {
      at: add(this.clock.now(), wait), order: this.#orders, holds,
      act: () => {
        live = period !== null
        if (period !== null) {
          const [next, now] = [add(entry.at, wait), this.clock.now()]
          entry.at = next > now ? next : add(now, wait)
          entry.order = this.#orders
          this.#insert(entry)
        }
        act()
      },
    }
    this.#insert(entry)
    this.#arm()
    return () => {
      if (live) this.#remove(entry)
      live = false
    }
  }

  #insert(entry: Entry): void {
    this.#orders += 1
    this.#entries.splice(this.#place(entry), 0, entry)
    if (entry.holds) this.#hold(1)
  }

  #remove(entry: Entry): void {
    const [gone] = this.#entries.splice(this.#place(entry), 1)
    if (gone !== entry) throw new Error('bug: an alarm that is not set')
    if (entry.holds) this.#hold(-1)
  }

  #hold(more: number): void {
    const before = this.#holding
    this.#holding += more
    if ((before === 0) !== (this.#holding === 0)) this.platform.hold(this.#holding > 0)
  }

  /** The first place whose entry does not come before this one. */
  #place(entry: Entry): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#entries[middle]!, entry)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** One that was taken away may still wake the clock: then nothing is due, and it is armed. */
  #arm(): void {
    const first = this.#entries[0]
    if (first === undefined || (this.#armed !== null && this.#armed <= first.at)) return
    this.#armed = first.at
    this.clock.arm(first.at)
  }
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order)

/** Rounded up, because an alarm is never early. */
const framesOf = (ms: number): Frame => frame(Math.ceil(Math.max(0, ms) * FRAMES_PER_MS))
