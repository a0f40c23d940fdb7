// The link to the sound process through anything that may happen: its words come in any pieces,
// late and after its end was asked for; it closes, hangs, takes nothing, dies; its owner stands
// still. Whatever comes, one process lives at a time, the output hears of the one that does, what
// it is told last is so, it is told nothing once it was stopped; in the end the device is open.
import { expect, it } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { SpeakerLink } from '../../../src/io/speaker/speaker-link.js'
import { TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'
import {
  HEARTBEAT_MS, type SoundProcess, type SoundProcessListener,
} from '../../../src/io/speaker/speaker-wire.js'
import { eachSeed } from '../../each-seed.js'

const SEEDS = 600
const TURN_MS = 10
/** How it goes on from here, unless it is told otherwise. */
type Mood = 'well' | 'takes nothing' | 'hangs'

/** A sound process: what it wrote is read later, in pieces, also after its end. */
class Child implements SoundProcess {
  isKilled = false
  hasEnded = false
  isOpen = false
  /** Whether it lived well from its opening on. */
  mood: Mood = 'well'
  #pipe = ''
  #isGone = false
  #taken = 0
  #silentMs = 0
  #opensIn = 0
  readonly #cameAt: number

  constructor(
    private readonly n: number, private readonly listener: SoundProcessListener,
    private readonly dice: Dice, private readonly timers: VirtualTimers,
  ) {
    this.#cameAt = timers.nowMs() + dice.pick([0, 100, 2_000])
  }

  pid(): number {
    return this.n
  }

  send(): void {
    expect(this.hasEnded).toBe(false)
  }

  end(): void {
    if (this.mood !== 'hangs') this.#isGone = true
  }

  kill(): void {
    this.isKilled = true
    this.#isGone = true
  }

  die(): void {
    this.#isGone = true
  }

  write(line: object): void {
    if (!this.#isGone) this.#pipe += `${JSON.stringify(line)}\n`
  }

  /** It lives on for a turn. */
  live(): void {
    if (this.mood === 'hangs' || this.timers.nowMs() < this.#cameAt) return
    this.#silentMs += TURN_MS
    if (this.isOpen) {
      if (this.#silentMs >= HEARTBEAT_MS) this.#report()
    } else if (this.#silentMs >= this.#opensIn) this.#attempted()
  }

  /** What it wrote is read, or a part of it; its end comes after that. */
  read(): void {
    const length = this.dice.chance(0.3) ? this.#pipe.length : this.dice.whole(0, 60)
    const text = this.#pipe.slice(0, length)
    this.#pipe = this.#pipe.slice(length)
    if (text !== '') this.listener.heard(text)
    if (!this.#isGone || this.hasEnded || this.#pipe !== '' || this.dice.chance(0.5)) return
    this.hasEnded = true
    this.listener.ended(this.isKilled ? 'SIGKILL' : 'code 1')
  }

  /** Each attempt to open may hang for a while. */
  #attempted(): void {
    this.#silentMs = 0
    this.isOpen = this.#opensIn > 0 && this.dice.chance(0.6)
    if (this.#opensIn === 0) this.write({ kind: 'started' })
    else if (this.isOpen) {
      this.write({ kind: 'opened', mode: 'live', takesBack: true, target: this.n })
    } else this.write({ kind: 'closed', message: `not there ${this.n}` })
    this.#opensIn = this.dice.pick([50, 1_000, 2_900, 3_000, 3_100, 6_000])
  }

  #report(): void {
    this.#silentMs = 0
    if (this.mood === 'well') this.#taken += 480
    const fill = this.mood === 'well' ? 0 : 480
    this.write({ taken: this.#taken + fill, fill, kept: 0, delay: 0, target: this.n, underruns: 0,
      late: 0 })
  }
}

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #children: Child[] = []
  readonly #link: SpeakerLink
  #state: 'open' | 'lost' | null = null
  #isStopped = false

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    const wanted = {
      device: null, bufferFrames: 960, periodFrames: 64, urgentThreads: [],
      target: TARGET_LIMITS, learned: null,
    }
    this.#link = new SpeakerLink((isDoubted) => ({ ...wanted, isDoubted }), {
      opened: ({ target }) => this.#told('open', target),
      report: ({ target }) => {
        expect(this.#state).toBe('open')
        this.#told('open', target)
      },
      lost: () => this.#told('lost', null),
      killed: () => this.#told('lost', null),
      notice: () => expect(this.#isStopped).toBe(false),
    }, this.#timers, (_wanted, listener) => {
      expect(this.#children.filter(({ hasEnded }) => !hasEnded)).toEqual([])
      const child = new Child(this.#children.length + 1, listener, this.#dice, this.#timers)
      this.#children.push(child)
      return child
    })
  }

  async go(steps: number): Promise<void> {
    this.#link.start()
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      for (let turns = this.#dice.whole(1, 100); turns > 0; turns -= 1) this.#turn()
    }
    if (this.#dice.chance(0.5)) await this.#stop()
    else this.#recovers()
  }

  get #child(): Child {
    return this.#children.at(-1)!
  }

  #told(state: 'open' | 'lost', by: number | null): void {
    expect(this.#isStopped).toBe(false)
    this.#state = state
    if (by === null) return
    expect([by, this.#child.isKilled]).toEqual([this.#child.pid(), false])
  }

  #act(): void {
    const act = this.#dice.whole(0, 9)
    if (act <= 2) this.#child.mood = this.#dice.pick(['well', 'takes nothing', 'hangs'])
    else if (act === 3) this.#child.mood = 'well'
    else if (act === 4 && this.#dice.chance(0.5)) this.#child.die()
    else if (act <= 5) this.#stall(this.#dice.pick([200, 450, 450, 3_000, 30_000]))
    else if (act === 6) {
      this.#child.isOpen = false
      this.#child.write({ kind: 'ended', message: 'it is gone' })
      this.#child.die()
    }
    this.#link.send(new Uint8Array(8))
  }

  /** The owner stands still: its alarms ring, and then it reads what came meanwhile. */
  #stall(ms: number): void {
    for (let gone = 0; gone < ms; gone += TURN_MS) this.#child.live()
    this.#timers.stall(ms)
  }

  #turn(): void {
    this.#timers.pass(TURN_MS)
    for (const child of this.#children) child.live()
    // Timers come first, then what was written.
    for (const child of this.#children) child.read()
    if (this.#child.hasEnded && !this.#isStopped) expect(this.#state).not.toBe('open')
  }

  #recovers(): void {
    for (let turns = 0; turns < 5_000; turns += 1) {
      if (turns % 100 === 0) this.#child.mood = 'well'
      this.#turn()
    }
    expect([this.#state, this.#child.isOpen]).toEqual(['open', true])
  }

  async #stop(): Promise<void> {
    const stopped = this.#link.stop()
    this.#isStopped = true
    for (let turns = 0; turns < 300; turns += 1) {
      this.#turn()
      await Promise.resolve()
    }
    await stopped
    expect([this.#child.hasEnded, this.#timers.size]).toEqual([true, 0])
  }
}

it('what the output is told last is so, one process lives, in the end it is open', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(20)), 120_000)
