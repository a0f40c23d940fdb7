// The media port through anything that the decoding process may do: it is late, ends, hangs, sends
// what nobody waits for any more; and through anything that is done with streams. Whatever comes,
// a stream supplies frame after frame of one file, says once how it ended, and is silent once it is
// closed; in the end none is left waiting.
import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Fact, MediaStream } from '../../../src/engine/ports.js'
import { stereo } from '../../../src/engine/sound/mixer.js'
import type {
  DecodeRequest, FromHost, ToHost,
} from '../../../src/io/media/decoder/decoder-messages.js'
import { FfmpegMedia } from '../../../src/io/media/media-port.js'
import { eachSeed } from '../../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 30
const LENGTHS: Readonly<Record<string, number>> = {
  '/a.wav': 400_000, '/b.wav': 30_000, '/c.wav': 2_000, '/d.wav': 200_000,
}
const PATHS = Object.keys(LENGTHS)

interface Job {
  readonly request: DecodeRequest
  at: number
  until: number
}

/** A decoding process: a frame tells its number on the left, its path's on the right. */
class Host extends EventEmitter {
  connected = true
  exitCode: number | null = null
  signalCode: string | null = null
  isHung = false
  readonly #jobs = new Map<number, Job>()
  readonly #inbox: ToHost[] = []

  send(message: ToHost): void {
    this.#inbox.push(structuredClone(message))
  }

  kill(): void {
    if (this.exitCode !== null) return
    this.exitCode = 1
    this.connected = false
    this.emit('exit', 1, null)
  }

  disconnect(): void {
    this.kill()
  }

  goOn(dice: Dice): void {
    // What was under way when it ended may be heard after its end.
    if (this.exitCode !== null && this.#jobs.size > 0 && dice.chance(0.5)) this.#jobs.clear()
    else if (this.isHung && this.exitCode === null) return
    for (let n = dice.whole(0, 5); n > 0; n -= 1) {
      const message = this.#inbox.shift()
      if (message !== undefined) this.#hear(message)
    }
    for (const [id, job] of [...this.#jobs]) if (dice.chance(0.5)) this.#decode(id, job, dice)
  }

  #hear(message: ToHost): void {
    switch (message.kind) {
      case 'ping':
        return this.#say({ kind: 'pong' })
      case 'decode': {
        const { request, job } = message
        this.#jobs.set(job, { request, at: request.from, until: request.until })
        return
      }
      case 'want': {
        const job = this.#jobs.get(message.job)
        if (job !== undefined) job.until = message.until
        return
      }
      case 'drop':
        this.#jobs.delete(message.job)
        return
      case 'wave':
      case 'hold_waves':
      case 'rest_waves':
        throw new Error('nobody asks for waveforms here')
      case 'look':
        return this.#say({ kind: 'looked', job: message.job, look: {
          kind: 'file', stamp: 's', disk: 1, own: null, isMp4: false, seeking: 'exact', type: '',
        } })
      case 'probe':
    }
  }

  #decode(id: number, job: Job, dice: Dice): void {
    const { path, to } = job.request
    const frames = LENGTHS[path]!
    const end = Math.min(to ?? Infinity, frames)
    if (job.at >= job.until && job.at < end) return
    const count = Math.min(end - job.at, dice.whole(1, 60_000))
    if (count > 0) {
      const left = Float32Array.from({ length: count }, (_, n) => job.at + n)
      const right = new Float32Array(count).fill(PATHS.indexOf(path))
      this.#say({ kind: 'pcm', job: id, left, right })
      job.at += count
    }
    if (job.at < end) return
    this.#jobs.delete(id)
    this.#say({ kind: 'done', job: id, end: Math.max(end, job.at),
      source: end === frames ? frames : null })
  }

  #say(message: FromHost): void {
    this.emit('message', message)
  }
}

const hosts: Host[] = []
vi.mock('../../../src/io/programs.js', () => ({
  forkProgram: () => {
    const host = new Host()
    hosts.push(host)
    return host
  },
  wantsProcessor: () => false,
}))

interface Opened {
  readonly path: string
  readonly from: number
  readonly to: number | null
  stream: MediaStream | null
  until: number
  /** Read up to here; what lies before is not read again, unless all is held. */
  at: number
  over: 'ended' | 'broken' | null
  isClosed: boolean
}

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #opened = new Map<number, Opened>()
  readonly #media: FfmpegMedia
  #streams = 0
  #deaths = 0

  constructor(seed: number) {
    hosts.length = 0
    this.#dice = diceOf(seed)
    this.#media = new FfmpegMedia({
      timers: this.#timers, env: {}, holdBytes: 100_000 * 8,
      budgetBytes: 8e6, mostBytes: 8e6, headFrames: 4_800, leastHeadFrames: 4_800,
      growFrames: [20_000], recheckMs: 2_000,
      post: (fact) => this.#hear(fact),
    })
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#turn(this.#dice.pick([0, 1, 20, 400]))
    }
    for (let n = 0; n < 400; n += 1) {
      for (const one of this.#opened.values()) this.#read(one)
      await this.#turn(50)
    }
    for (const one of this.#opened.values()) {
      if (one.isClosed) continue
      expect(one.over === null ? `${one.path} of ${one.from} waits at ${one.until}` : '').toBe('')
      if (one.over === 'ended') expect(one.until).toBe(this.#endOf(one))
    }
    await this.#media.closeAll()
  }

  #act(): void {
    const act = this.#dice.whole(0, 12)
    const all = [...this.#opened.values()]
    const one = all[this.#dice.whole(0, Math.max(0, all.length - 1))]
    if (act <= 2) this.#open()
    else if (act <= 6) all.forEach((each) => this.#read(each))
    else if (act === 7 && one !== undefined) this.#close(one)
    else if (act === 8) {
      this.#media.setArmed(PATHS.map((path, n) =>
        ({ buttonId: `b${n}`, path, from: this.#dice.pick([0, 100]), to: null })))
    } else if (act === 9 && this.#dice.chance(0.3)) this.#strike()
  }

  /** The process ends, or hangs until it is ended. */
  #strike(): void {
    const host = hosts.at(-1)
    if (host === undefined || host.exitCode !== null) return
    this.#deaths += 1
    if (this.#dice.chance(0.5)) host.kill()
    else host.isHung = true
  }

  #open(): void {
    this.#streams += 1
    const path = this.#dice.pick(PATHS)
    const from = this.#dice.pick([0, 100, 1_000])
    const to = this.#dice.pick([null, null, from + 900])
    const one: Opened = {
      path, from, to, stream: null, until: from, at: from, over: null, isClosed: false,
    }
    this.#opened.set(this.#streams, one)
    one.stream = this.#media.open({
      stream: this.#streams, buttonId: 'b', purpose: 'start', path, from: frame(from),
      to: to === null ? null : frame(to), ahead: frame(this.#dice.pick([0, 48_000])),
      hold: this.#dice.chance(0.3),
    })
  }

  #close(one: Opened): void {
    one.isClosed = true
    one.stream?.close()
  }

  #read(one: Opened): void {
    if (one.isClosed || one.stream === null) return
    const count = Math.min(one.until - one.at, 8_192, this.#dice.whole(0, 9_000))
    if (count <= 0) return
    const block = stereo(8_192)
    one.stream.read(frame(one.at), block, 0, count)
    const number = PATHS.indexOf(one.path)
    const wrong = block.left.subarray(0, count).findIndex((left, n) =>
      left !== one.at + n || block.right[n] !== number)
    expect(wrong).toBe(-1)
    one.at += count
    one.stream.passed(frame(one.at))
  }

  #hear(fact: Fact): void {
    if (!('stream' in fact)) return
    const one = this.#opened.get(fact.stream)!
    expect(one.isClosed).toBe(false)
    expect(one.over).toBeNull()
    if (fact.kind === 'supplied') {
      expect(fact.until).toBeGreaterThan(one.until)
      one.until = fact.until
    } else {
      one.over = fact.kind
      if (fact.kind === 'broken') expect(this.#deaths).toBeGreaterThan(1)
    }
  }

  #endOf({ path, from, to }: Opened): number {
    return Math.max(from, Math.min(to ?? Infinity, LENGTHS[path]!))
  }

  async #turn(ms: number): Promise<void> {
    for (const host of hosts) host.goOn(this.#dice)
    if (ms > 0) this.#timers.pass(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it('streams are whole, of one file, and end once', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(80)), 120_000)
