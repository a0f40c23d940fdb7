// When a universe is sent: 40 times a second while something runs, on change, each 900 ms idle.
import { FRAMES_PER_MS, type Frame } from '../../clock/frame.js'
import type { Lighting } from '../../engine/lighting/lighting.js'

/** 40 Hz. DMX itself carries 44 frames a second at most. */
export const TICK_MS = 25
/** So there is room for four a second between the ticks; at once, too, e.g. where cues change. */
const BETWEEN_MS = 250
const BETWEEN_AT_ONCE = 4
/** Art-Net asks for 800 to 1000 ms on the wire, and a timer may be late, never early. */
const KEEP_ALIVE_MS = 900

interface Sent {
  readonly slots: Uint8Array
  atMs: number
  /** Until then the frames that it had between ticks take up their room. */
  betweenUntilMs: number
}

/** Time is an argument twice: the engine's frame says what is seen, milliseconds when it leaves. */
export class LightsLoop {
  readonly #lighting: Lighting
  readonly #send: (universe: number, slots: Uint8Array) => void
  readonly #t0: number
  readonly #sent = new Map<number, Sent>()
  #lastTick = -1
  /** A change between two ticks is sent at once only where something happened: a look that travels
   * all the time would leave at every chance otherwise. */
  #news = true
  #turn: Frame | null = null
  /** A change had no room between the ticks: it leaves with the next one. */
  #waits = false
  #ends = 0

  /** `t0` is the origin of the grid of ticks, in the milliseconds that `run` gets. */
  constructor(
    lighting: Lighting, send: (universe: number, slots: Uint8Array) => void, t0: number,
  ) {
    this.#lighting = lighting
    this.#send = send
    this.#t0 = t0
  }

  /**
   * Something happened: the next `run` sends what changed, whenever it comes; or the next tick,
   * where much happens, e.g. a client seeks 60 times a second while somebody drags its slider. A
   * stop does not wait.
   */
  changed(): void {
    this.#news = true
  }

  /** Sends what is to be sent at this moment. */
  run(now: Frame, ms: number): void {
    const tick = Math.floor((ms - this.#t0) / TICK_MS)
    const onTick = tick > this.#lastTick
    const moving = this.#lighting.moving(now)
    const turned = this.#turn !== null && now >= this.#turn
    const fresh = onTick || this.#news || turned
    this.#turn = this.#lighting.nextTurn(now)
    this.#news = false
    this.#waits = false
    this.#lighting.render(now)
    const mayLeave = onTick || this.#lighting.ends !== this.#ends
    this.#ends = this.#lighting.ends
    for (const [universe, slots] of this.#lighting.universes) {
      const sent = this.#sent.get(universe)
      const plays = moving && onTick && this.#lighting.driven.has(universe)
      const due = sent === undefined || ms - sent.atMs >= KEEP_ALIVE_MS - 1 || plays ||
        (fresh && !same(slots, sent.slots) && (mayLeave || this.#hasRoom(sent, ms)))
      if (due) this.#transmit(universe, slots, ms)
    }
    this.#lastTick = tick
  }

  /** Milliseconds until there is something to do: the next tick, turn of a run, or keep-alive. */
  waitMs(now: Frame, ms: number): number {
    if (this.#waits || this.#lighting.moving(now)) {
      const next = this.#t0 + (Math.floor((ms - this.#t0) / TICK_MS) + 1) * TICK_MS
      const turn = this.#lighting.nextTurn(now)
      const untilTurn = turn === null ? Infinity : (turn - now) / FRAMES_PER_MS
      return Math.max(0, Math.min(next - ms, untilTurn))
    }
    let wait = KEEP_ALIVE_MS
    for (const { atMs } of this.#sent.values()) wait = Math.min(wait, atMs + KEEP_ALIVE_MS - ms)
    return Math.max(0, wait)
  }

  /** What was sent so far may not have arrived: the next `run` sends every universe again. */
  forget(): void {
    this.#sent.clear()
  }

  /** The last look: nothing is active any more. Sends every known universe. */
  last(now: Frame, ms: number): void {
    this.#lighting.extinguish()
    this.#lighting.render(now)
    for (const [universe, slots] of this.#lighting.universes) this.#transmit(universe, slots, ms)
  }

  #hasRoom(sent: Sent, ms: number): boolean {
    if (sent.betweenUntilMs - ms > (BETWEEN_AT_ONCE - 1) * BETWEEN_MS) {
      this.#waits = true
      return false
    }
    sent.betweenUntilMs = Math.max(sent.betweenUntilMs, ms) + BETWEEN_MS
    return true
  }

  #transmit(universe: number, slots: Uint8Array, ms: number): void {
    this.#send(universe, slots)
    const sent = this.#sent.get(universe)
    if (sent === undefined) {
      this.#sent.set(universe, { slots: slots.slice(), atMs: ms, betweenUntilMs: ms })
      return
    }
    sent.slots.set(slots)
    sent.atMs = ms
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  Buffer.compare(a, b) === 0
