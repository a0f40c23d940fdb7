// A thread or a process on the virtual clock: it has alarms of its own, comes late, and may stall.
import type { Clock } from '../../src/clock/clock.js'
import type { Frame } from '../../src/clock/frame.js'
import { Alarms, type Cancel } from '../../src/clock/timers.js'
import type { VirtualTimers } from '../../src/clock/virtual.js'

export class VirtualThread {
  readonly timers: Alarms
  readonly #waiting: (() => void)[] = []
  #stalledUntil = 0
  #armed: Cancel | null = null
  #isCatchingUp = false
  #ended = false

  /** @param latenessMs how late an alarm rings, drawn anew for each. */
  constructor(private readonly world: VirtualTimers, private readonly latenessMs: () => number) {
    const clock: Clock = { now: () => world.now(), arm: (at) => this.#arm(at) }
    this.timers = new Alarms(clock, { wallMs: () => world.wallMs(), hold: () => undefined })
  }

  /** Runs what comes from outside, in order; where the thread stalls, once it goes on. */
  run(act: () => void): void {
    if (this.#ended) return
    const isHeldUp = this.world.now() < this.#stalledUntil || this.#waiting.length > 0
    if (isHeldUp && !this.#isCatchingUp) this.#waiting.push(act)
    else act()
  }

  /** From now on it does nothing for so long. */
  stall(ms: number): void {
    const until = this.world.now() + Math.ceil(ms * 48)
    if (until <= this.#stalledUntil) return
    this.#stalledUntil = until
    this.world.after(ms, () => {
      if (this.world.now() < this.#stalledUntil) return
      this.#isCatchingUp = true
      while (this.#waiting.length > 0) this.#waiting.shift()!()
      this.#isCatchingUp = false
    })
  }

  /** Runs it behind what came while the thread was held up. */
  soon(act: () => void): void {
    if (this.#isCatchingUp) this.#waiting.push(act)
    else this.run(act)
  }

  end(): void {
    this.#ended = true
    this.#armed?.()
    this.#waiting.length = 0
  }

  #arm(at: Frame | null): void {
    this.#armed?.()
    this.#armed = at === null || this.#ended ? null
      : this.world.after((at - this.world.now()) / 48 + this.latenessMs(), () => {
          this.run(() => this.timers.ring())
        })
  }
}
