// The lights' thread through anything that may become of it: it is slow to load, says what the
// network does, hangs, dies with a word or without, is heard of after its end. Whatever comes, one
// thread sends at a time, the status says what it said last or what became of it, each change is
// told once; in the end the lamps are as the show has them, or dark, and nothing is left.
import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { createTimeMemory } from '../../../src/clock/shared-time.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { Lights, type LightsStatus } from '../../../src/io/lights/lights.js'
import type { FromLights, ToLights } from '../../../src/io/lights/lights-messages.js'
import { eachSeed } from '../../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 150
const ROUTES = [null, null, 'no route to host', 'no more packets']
const OF_THREAD = /lights thread/

/** A thread, with what it was told and has not read, and what it said and nobody has heard. */
class Thread extends EventEmitter {
  readonly inbox: ToLights[] = []
  readonly said: (() => void)[] = []
  readonly knows = new Map<string, ToLights>()
  isUp = false
  isHung = false
  isAlive = true
  /** Its owner has heard that it ended, or has ended it. */
  isOver = false
  isGone = false
  /** What was heard of it last; undefined: nothing yet. */
  heard: string | null | undefined

  readonly #dice: Dice

  constructor(dice: Dice) {
    super()
    this.#dice = dice
    threads.push(this)
  }

  postMessage(message: ToLights): void {
    if (this.isAlive) this.inbox.push(message)
  }

  terminate(): Promise<number> {
    this.isOver = true
    this.end()
    return new Promise((resolve) => {
      if (this.isAlive) this.once('exit', resolve)
      else resolve(1)
    })
  }

  say(message: FromLights): void {
    this.said.push(() => {
      if (message.kind === 'state' && !this.isOver) this.heard = message.message
      this.emit('message', message)
    })
  }

  /** @param error null: without a word. */
  end(error: Error | null = null): void {
    if (!this.isAlive) return
    this.isAlive = false
    const tell = (): void => {
      this.isOver = true
      this.emit('error', error)
    }
    // It comes by another way than what it said before.
    if (error !== null) this.said.splice(this.#dice.whole(0, this.said.length), 0, tell)
    this.said.push(() => {
      this.isOver = this.isGone = true
      this.emit('exit', 1)
    })
  }

  goOn(): void {
    const dice = this.#dice
    for (let n = dice.whole(0, 3); n > 0; n -= 1) this.said.shift()?.()
    if (!this.isAlive || this.isHung) return
    if (!this.isUp) {
      this.isUp = dice.chance(0.5)
      if (this.isUp) this.say({ kind: 'state', state: 'ok', message: null })
      return
    }
    for (let n = dice.whole(0, 4); n > 0; n -= 1) this.#read(this.inbox.shift())
  }

  #read(message: ToLights | undefined): void {
    if (message === undefined) return
    this.knows.set(message.kind, message)
    if (message.kind === 'ping') this.say({ kind: 'pong' })
    else if (message.kind === 'close') this.say({ kind: 'closed' })
    else this.tellRoute()
  }

  tellRoute(): void {
    const message = route
    this.say({ kind: 'state', state: message === null ? 'ok' : 'failing', message })
  }
}
const threads: Thread[] = []
let dice: Dice
/** What keeps packets from leaving. */
let route: string | null = null
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: function open() { return new Thread(dice) },
}))

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #lights: Lights
  readonly #told: LightsStatus[] = []
  readonly #faults: LightsStatus[] = []
  /** What the show has by now. */
  readonly #shown = new Map<string, ToLights>()

  constructor(seed: number) {
    this.#dice = dice = diceOf(seed)
    threads.length = 0
    route = null
    this.#lights = new Lights({
      timers: this.#timers, output: 'artnet', host: '127.0.0.1', port: 6454, onStop: 'blackout',
      offsetMs: 0, time: createTimeMemory(), changed: (status) => this.#hear(status),
    })
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(this.#dice.pick([0, 1, 100, 1_000, 4_000]))
      this.#judge()
    }
    if (this.#dice.chance(0.5)) await this.#atRest()
    await this.#close()
  }

  #act(): void {
    const act = this.#dice.whole(0, 9)
    const thread = threads.at(-1)!
    if (act <= 1) {
      const latencyFrames = this.#dice.whole(1, 1e6)
      this.#shown.set('update', { kind: 'update', views: [], latencyFrames })
      this.#lights.update([], latencyFrames)
    } else if (act === 2) {
      const timelines = new Map()
      this.#shown.set('timelines', { kind: 'timelines', timelines })
      this.#lights.setTimelines(timelines)
    } else if (act <= 4) {
      route = this.#dice.pick(ROUTES)
      if (thread.isAlive && thread.isUp && !thread.isHung) thread.tellRoute()
    } else if (act === 5 && this.#dice.chance(0.5)) {
      thread.end(this.#dice.chance(0.5) ? new Error('out of memory') : null)
    } else if (act === 6 && this.#dice.chance(0.3) && thread.isUp) thread.isHung = true
  }

  /** What is told is what was heard last of the thread that sends, or what became of it. */
  #judge(): void {
    expect(threads.filter(({ isOver }) => !isOver).length).toBeLessThanOrEqual(1)
    const { state, message } = this.#lights.status()
    expect(state === 'ok').toBe(message === null)
    const thread = threads.at(-1)!
    if (thread.isOver) expect(message).toMatch(OF_THREAD)
    else if (thread.heard !== undefined) expect(message).toBe(thread.heard)
    expect([message, this.#faults]).toEqual([this.#told.at(-1)?.message ?? null, []])
  }

  #hear(status: LightsStatus): void {
    if (status.message === (this.#told.at(-1)?.message ?? null)) this.#faults.push(status)
    this.#told.push(status)
  }

  async #atRest(): Promise<void> {
    for (let n = 0; n < 60; n += 1) await this.#pass(500)
    this.#judge()
    const thread = threads.at(-1)!
    thread.tellRoute()
    for (let n = 0; n < 60; n += 1) await this.#pass(0)
    expect(this.#lights.status().message).toBe(route)
    for (const [kind, message] of this.#shown) expect(thread.knows.get(kind)).toEqual(message)
  }

  async #close(): Promise<void> {
    const told = this.#told.length
    const before = threads.at(-1)!
    const hadNone = before.isOver
    const close = { isOver: false }
    const from = this.#timers.nowMs()
    const closed = this.#lights.close().then(() => { close.isOver = true })
    const isDying = this.#dice.chance(0.2)
    for (let n = 0, gone = 0; n < 200 && !close.isOver; n += 1) {
      if (n === 2 && isDying) threads.at(-1)!.end()
      // One that is gone is not waited for.
      gone += threads.at(-1)!.isGone ? 1 : 0
      expect(gone).toBeLessThan(3)
      await this.#pass(20)
    }
    await closed
    // However long its end is heard of.
    expect(this.#timers.nowMs() - from).toBeLessThan(4_000)
    const last = threads.at(-1)!
    // Where one died a moment ago another one makes it dark.
    expect(threads.indexOf(last) - threads.indexOf(before)).toBe(hadNone ? 1 : 0)
    if (hadNone) expect(last.knows.has('update')).toBe(false)
    for (let n = 0; n < 60; n += 1) await this.#pass(500)
    expect(threads.filter(({ isAlive, isOver }) => isAlive || !isOver)).toEqual([])
    expect(this.#timers.size).toBe(0)
    // Of its own end nothing is told.
    expect(this.#told.slice(told).filter(({ message }) => message === 'the lights thread died'))
      .toEqual([])
  }

  async #pass(ms: number): Promise<void> {
    for (const thread of threads) thread.goOn()
    this.#timers.pass(ms)
    for (let n = 0; n < 3; n += 1) await Promise.resolve()
  }
}

it('the status says what is so, one thread sends, and in the end it is as the show has it', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(40)), 120_000)
