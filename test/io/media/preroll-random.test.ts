// The store of armed heads through anything that may happen: shows, presses, files that change, go
// and come back, a decoder that is slow, dies or fails, a disk that hangs. Whatever comes, a head
// is of the file as it is, memory stays within its bound, and in the end all that can be is armed.
import { expect, it } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type {
  DecodeListener, DecodeRequest, Decoding,
} from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { HeadStore } from '../../../src/io/media/preroll.js'
import { keyOf, type ArmedButton, type Head } from '../../../src/io/media/preroll-entry.js'
import { HEAD } from './preroll-rig.js'
import { eachSeed } from '../../each-seed.js'

const PATHS = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.wav`)
const GROWN = [4 * HEAD, 9 * HEAD]
const SEEDS = 800

interface MediaFile {
  version: number
  frames: number
  state: 'there' | 'missing' | 'damaged' | 'hung'
}

interface Job {
  readonly request: DecodeRequest
  readonly listener: DecodeListener
  /** As it was when the decoder opened it. */
  readonly file: Readonly<MediaFile>
  at: number
}

/** Files and a decoder: a frame tells its number on the left, its file's version on the right. */
class World implements Decoding {
  readonly files = new Map(PATHS.map((path): [string, MediaFile] =>
    [path, { version: 1, frames: 700, state: 'there' }]))
  readonly jobs = new Map<number, Job>()
  readonly #looks: (() => void)[] = []
  #count = 0

  constructor(private readonly dice: Dice) {}

  file(path: string): MediaFile {
    return this.files.get(path)!
  }

  decode(request: DecodeRequest, listener: DecodeListener): number {
    this.#count += 1
    this.jobs.set(this.#count, {
      request, listener, file: { ...this.file(request.path) }, at: request.from,
    })
    return this.#count
  }

  want(): void {
    // A head is asked for as a whole.
  }

  drop(job: number): void {
    this.jobs.delete(job)
  }

  look(path: string): Promise<Look> {
    return new Promise((resolve) => this.#looks.push(() => {
      const { state, version } = this.file(path)
      if (state === 'hung') resolve({ kind: 'unavailable', message: 'its disk does not answer' })
      else if (state === 'missing') resolve({ kind: 'missing', message: 'not found' })
      else {
        resolve({
          kind: 'file', stamp: `v${version}`, disk: 1, own: null, isMp4: false, seeking: 'exact',
          type: '',
        })
      }
    }))
  }

  get isBusy(): boolean {
    return this.jobs.size + this.#looks.length > 0
  }

  /** Some looks are answered, some decoders go on for a while. */
  goOn(): void {
    for (let n = this.dice.whole(0, 6); n > 0; n -= 1) this.#looks.shift()?.()
    for (const [job, one] of [...this.jobs]) if (this.dice.chance(0.5)) this.#decode(job, one)
  }

  /** All decodes end with their process. */
  die(): void {
    const all = [...this.jobs.values()]
    this.jobs.clear()
    for (const { listener } of all) listener.died('the decoding process ended')
  }

  #decode(job: number, one: Job): void {
    const { request: { to, until }, listener, file } = one
    if (file.state !== 'there') {
      this.jobs.delete(job)
      listener.failed(file.state)
      return
    }
    const end = Math.min(to ?? Infinity, file.frames)
    const next = Math.min(end, until, one.at + this.dice.whole(1, 900))
    const count = Math.max(0, next - one.at)
    if (count > 0) {
      const left = Float32Array.from({ length: count }, (_, n) => one.at + n)
      listener.pcm(left, new Float32Array(count).fill(file.version))
    }
    one.at = Math.max(one.at, next)
    if (one.at < end) return
    this.jobs.delete(job)
    listener.done(Math.max(one.at, end), end === file.frames ? file.frames : null)
  }
}

const listOf = (dice: Dice): readonly ArmedButton[] =>
  Array.from({ length: dice.whole(0, 14) }, (_, n) => {
    const from = dice.pick([0, 0, 100, 300])
    return {
      buttonId: `b${n}`, path: dice.pick(PATHS), from, to: dice.pick([null, null, from + 200]),
    }
  })

const keysOf = (list: readonly ArmedButton[]): readonly string[] =>
  list.map(({ path, from, to }) => keyOf(path, from, to))

/** What is wrong with a head; the whole of it is of one version, and frame after frame. */
const faultOf = ({ pieces, until }: Head, from: number, version: number): string | null => {
  let at = from
  for (const { sound, count } of pieces) {
    for (let n = 0; n < count; n += 1, at += 1) {
      if (sound?.left[n] !== at) return `frame ${at} is ${String(sound?.left[n])}`
      if (sound.right[n] !== version) return `frame ${at} is of version ${String(sound.right[n])}`
    }
  }
  return at === until ? null : `it ends at ${at}, and says ${until}`
}

class Play {
  readonly #dice: Dice
  readonly #world: World
  readonly #timers = new VirtualTimers(0)
  readonly #armed = new Set<string>()
  readonly #mostBytes: number
  readonly #store: HeadStore
  #list: readonly ArmedButton[] = []

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    this.#world = new World(this.#dice)
    this.#mostBytes = this.#dice.pick([3, 8, 200]) * HEAD * 8
    this.#store = new HeadStore({
      decoding: this.#world, looking: this.#world, timers: this.#timers,
      budgetBytes: Math.min(this.#mostBytes, 60 * HEAD * 8), mostBytes: this.#mostBytes,
      growFrames: GROWN, headFrames: HEAD, leastHeadFrames: HEAD, recheckMs: 2_000,
      armed: (key, isArmed) => {
        expect(this.#armed.has(key)).toBe(!isArmed)
        if (isArmed) this.#armed.add(key)
        else this.#armed.delete(key)
      },
    })
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#turn()
    }
    for (const file of this.#world.files.values()) file.state = 'there'
    // What failed is tried again within five minutes, what died twice with the next show.
    this.#show(this.#list)
    for (let n = 0; n < 200; n += 1) await this.#turn(5_000)
    for (let n = 0; this.#world.isBusy && n < 2_000; n += 1) await this.#turn()
    this.#atRest()
    this.#store.close()
  }

  #act(): void {
    const file = this.#world.file(this.#dice.pick(PATHS))
    const act = this.#dice.whole(0, 11)
    if (act === 0) this.#show(listOf(this.#dice))
    else if (act <= 3) this.#press()
    else if (act === 4) {
      file.version += 1
      file.frames = this.#dice.pick([50, 480, 700, 3_000, 9_000])
    } else if (act === 5) file.state = this.#dice.pick(['missing', 'damaged', 'hung', 'there'])
    else if (act === 6) file.state = 'there'
    else if (act === 7 && this.#dice.chance(0.2)) this.#world.die()
    else this.#timers.pass(this.#dice.pick([1, 100, 2_000, 10_000]))
  }

  #show(list: readonly ArmedButton[]): void {
    this.#list = list
    this.#store.setArmed(list)
  }

  #press(): void {
    const button = this.#list[this.#dice.whole(0, Math.max(0, this.#list.length - 1))]
    if (button === undefined) return
    const { path, from, to } = button
    const head = this.#store.take(path, from, to)
    const { version } = this.#world.file(path)
    const seen = this.#store.files.lastSeen(path)?.look
    const isNow = seen?.kind === 'file' && seen.stamp === `v${version}`
    if (head !== null && isNow) expect(faultOf(head, from, version)).toBeNull()
  }

  async #turn(ms = 0): Promise<void> {
    this.#world.goOn()
    if (ms > 0) this.#timers.pass(ms)
    await new Promise((resolve) => setImmediate(resolve))
    expect(this.#store.bytes).toBeLessThanOrEqual(this.#mostBytes)
  }

  #atRest(): void {
    expect([this.#world.isBusy, this.#world.jobs.size]).toEqual([false, 0])
    const keys = keysOf(this.#list)
    expect(this.#store.armedHeads).toBe(keys.filter((key) => this.#armed.has(key)).length)
    expect([...this.#armed].filter((key) => !keys.includes(key))).toEqual([])
    const bare = [...new Set(keys)].filter((key) => !this.#armed.has(key))
    if (new Set(keys).size * HEAD * 8 <= this.#mostBytes) expect(bare).toEqual([])
    for (const { path, from, to } of this.#list) {
      const head = this.#store.take(path, from, to)
      expect(head !== null).toBe(this.#armed.has(keyOf(path, from, to)))
      if (head !== null) expect(faultOf(head, from, this.#world.file(path).version)).toBeNull()
    }
  }
}

it('a head is of the file as it is, memory within its bound, all armed in the end', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(80)), 120_000)
