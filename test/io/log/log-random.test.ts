// The log through anything that its reader, its disk and its process may do. Whatever comes, lines
// are written in order, each at most once; those that are not are counted, once; and in the end,
// where somebody reads again, the log is well and says so.
import { EventEmitter } from 'node:events'
import type * as childProcess from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { LogLink } from '../../../src/io/log/log-link.js'
import type { FromLogProcess, ToLogProcess } from '../../../src/io/log/log-messages.js'
import { eachSeed } from '../../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 250
const written: string[] = []
const hosts: Host[] = []
let canStart = true

/** A log process: what it was sent and has not written. */
class Host extends EventEmitter {
  readonly pid = canStart ? 1 : undefined
  readonly channel = { unref: () => undefined }
  readonly stdio = []
  readonly inbox: ToLogProcess[] = []
  isUp = false
  isAlive = true

  unref(): void {
    // It keeps nobody from ending.
  }

  send(message: ToLogProcess): void {
    if (this.isAlive) this.inbox.push(message)
  }

  kill(): void {
    this.end('SIGKILL')
  }

  end(signal: string): void {
    if (!this.isAlive) return
    this.isAlive = false
    setImmediate(() => this.emit('exit', null, signal))
  }

  tell(message: FromLogProcess): void {
    this.emit('message', message)
  }
}
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()),
  fork: () => {
    const host = new Host()
    hosts.push(host)
    if (!canStart) setImmediate(() => host.emit('error', new Error('no process can be had')))
    return host
  },
}))

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #log: LogLink
  #lines = 0
  #isRead = true
  #isFull = false

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    written.length = 0
    hosts.length = 0
    canStart = this.#dice.chance(0.9)
    this.#log = new LogLink(this.#timers, 'json')
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(this.#dice.pick([0, 1, 50, 500, 2_000]))
    }
    ;[canStart, this.#isRead, this.#isFull] = [true, true, false]
    for (let n = 0; n < 60; n += 1) await this.#pass(500)
    this.#say()
    for (let n = 0; n < 60; n += 1) await this.#pass(10)
    this.#atRest()
    const closed = this.#log.close()
    for (let n = 0; n < 500; n += 1) await this.#pass(n < 5 ? 10 : 0)
    await closed
  }

  #act(): void {
    const act = this.#dice.whole(0, 9)
    if (act <= 3) for (let n = this.#dice.whole(1, 20); n > 0; n -= 1) this.#say()
    else if (act === 4) this.#isRead = !this.#isRead
    else if (act === 5) this.#isFull = !this.#isFull
    else if (act === 6 && this.#dice.chance(0.5)) hosts.at(-1)?.end('SIGSEGV')
    else if (act === 7) canStart = this.#dice.chance(0.7)
  }

  #say(): void {
    this.#lines += 1
    this.#log.write(`${this.#lines} ${'x'.repeat(this.#dice.pick([0, 0, 300, 60_000]))}\n`)
  }

  #goOn(): void {
    const host = hosts.at(-1)
    if (host === undefined || !host.isAlive || host.pid === undefined) return
    if (!host.isUp && this.#dice.chance(0.5)) {
      host.isUp = true
      host.tell({ isUp: true })
    }
    if (!host.isUp || !this.#isRead) return
    const batch = host.inbox.shift()
    if (batch === undefined) return
    if (this.#isFull) {
      host.tell({ target: batch.target, failure: 'ENOSPC' })
      return
    }
    written.push(...batch.text.split('\n').filter((line) => line !== ''))
    host.tell({ target: batch.target, failure: null })
  }

  #atRest(): void {
    const numbers: number[] = []
    let told = 0
    for (const line of written) {
      if (line.startsWith('{')) told += (JSON.parse(line) as { lost: number }).lost
      else numbers.push(Number.parseInt(line))
    }
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    const { state, lost } = this.#log.status()
    expect([state, told, numbers.length + lost]).toEqual(['ok', lost, this.#lines])
  }

  async #pass(ms: number): Promise<void> {
    this.#goOn()
    this.#timers.pass(ms)
    await new Promise((resolve) => setImmediate(resolve))
    const { state, message } = this.#log.status()
    expect(state === 'ok').toBe(message === null)
  }
}

it('lines are written in order and once, what is lost is counted, and it heals', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(60)), 120_000)
