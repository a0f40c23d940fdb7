// Decodes that nobody waits for, through anything that may come of them: they are dropped, spoil
// each other, end early, wait for who is busy. Whatever comes, each is told its end once, after its
// sound, which is whole; two batches and one on its own are at work at most, and in the end none.
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { BackgroundDecodes } from '../../../src/io/media/decoder/background-decodes.js'
import type {
  BatchMember, BatchSurroundings,
} from '../../../src/io/media/decoder/decoder-batch.js'
import type { DecodeRequest, JobMessage } from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { eachSeed } from '../../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 200
/** A long one is told in two messages. */
const framesOf = (job: number): number => job % 16 === 0 ? 50_000 : 100

/** In place of an ffmpeg for several: settles each that is not dropped, then is over. */
class Batch {
  readonly #open: Set<BatchMember>

  constructor(members: readonly BatchMember[], readonly around: BatchSurroundings) {
    this.#open = new Set(members)
  }

  run(): void {
    batches.add(this)
  }

  drop(job: number): void {
    for (const member of this.#open) if (member.job === job) this.#open.delete(member)
    if (this.#open.size === 0) this.#end()
  }

  goOn(dice: Dice): void {
    let isSpoilt = false
    for (const member of [...this.#open]) {
      this.#open.delete(member)
      if (dice.chance(0.15)) {
        isSpoilt = true
        this.around.settled(member, { kind: 'alone', isCulprit: dice.chance(0.5) })
      } else if (isSpoilt) this.around.settled(member, { kind: 'again' })
      else {
        const end = framesOf(member.job)
        this.around.settled(member, {
          kind: 'decoded', sound: Buffer.alloc(end * 8), end, source: null,
        })
      }
    }
    this.#end()
  }

  #end(): void {
    if (batches.delete(this)) this.around.over()
  }
}
const batches = new Set<Batch>()
vi.mock('../../../src/io/media/decoder/decoder-batch.js', () => ({
  DecoderBatch: function made(...of: ConstructorParameters<typeof Batch>): Batch {
    return new Batch(...of)
  },
}))

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #background: BackgroundDecodes
  readonly #frames = new Map<number, number>()
  readonly #dropped = new Set<number>()
  readonly #ended = new Set<number>()
  readonly #alone = new Set<() => void>()
  #laters: (() => void)[] = []
  #isBusy = false
  #jobs = 0

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    batches.clear()
    this.#background = new BackgroundDecodes({
      timers: this.#timers, isBusy: () => this.#isBusy, factsOf: () => Promise.resolve(null),
      looks: { lookLately: (path) => new Promise((resolve) =>
        this.#laters.push(() => resolve(this.#lookAt(path)))) },
      send: (message, taken) => {
        this.#hear(message)
        this.#laters.push(taken)
      },
      decodeAlone: (job, _request, send, over) => this.#decodeAlone(job, send, over),
    })
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass()
    }
    this.#isBusy = false
    for (let n = 0; n < 400; n += 1) await this.#pass()
    const open = Array.from({ length: this.#jobs }, (_, n) => n + 1)
      .filter((job) => !this.#ended.has(job) && !this.#dropped.has(job))
    expect([open, batches.size, this.#alone.size, this.#timers.size]).toEqual([[], 0, 0, 0])
  }

  #act(): void {
    const act = this.#dice.whole(0, 5)
    if (act <= 1) for (let n = this.#dice.whole(1, 8); n > 0; n -= 1) this.#add()
    else if (act === 2) this.#isBusy = this.#dice.chance(0.4)
    else if (act === 3 && this.#jobs > 0) {
      const job = this.#dice.whole(Math.max(1, this.#jobs - 9), this.#jobs)
      this.#dropped.add(job)
      this.#background.drop(job)
    }
  }

  #add(): void {
    this.#jobs += 1
    const to = this.#dice.chance(0.8) ? framesOf(this.#jobs) : null
    const path = this.#dice.chance(0.1) ? '/gone' : `/${this.#dice.whole(0, 9)}`
    const request = { path, from: 0, to, until: 0, background: true } as DecodeRequest
    this.#background.add(this.#jobs, request)
  }

  #lookAt(path: string): Look {
    if (path === '/gone') return { kind: 'missing', message: 'gone' }
    return {
      kind: 'file', stamp: 's', disk: 1, own: null, isMp4: false, seeking: 'exact', type: '',
    }
  }

  #decodeAlone(job: number, send: (message: JobMessage) => void, over: () => void) {
    const end = (): void => { if (this.#alone.delete(goOn)) over() }
    const goOn = (): void => {
      const sound = new Float32Array(framesOf(job))
      send({ kind: 'pcm', job, left: sound, right: sound })
      send({ kind: 'done', job, end: sound.length, source: null })
      end()
    }
    this.#alone.add(goOn)
    return { drop: end }
  }

  #hear(message: JobMessage): void {
    const { job } = message
    // What was on its way when it was dropped may come; nobody hears it.
    if (!this.#dropped.has(job)) expect(this.#ended.has(job)).toBe(false)
    const frames = this.#frames.get(job) ?? 0
    if (message.kind === 'pcm') this.#frames.set(job, frames + message.left.length)
    else {
      this.#ended.add(job)
      expect([message.kind, frames]).toEqual(frames > 0 ? ['done', framesOf(job)] : ['failed', 0])
    }
  }

  async #pass(): Promise<void> {
    this.#timers.pass(this.#dice.pick([0, 2, 10, 20]))
    for (const one of [...batches]) if (this.#dice.chance(0.3)) one.goOn(this.#dice)
    for (const goOn of [...this.#alone]) if (this.#dice.chance(0.3)) goOn()
    const laters = this.#laters
    this.#laters = []
    for (const act of laters) act()
    await new Promise((resolve) => setImmediate(resolve))
    expect([batches.size <= 2, this.#alone.size <= 1]).toEqual([true, true])
  }
}

it('each that is wanted is told its end once, after its sound, and none is left', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(40)), 120_000)
