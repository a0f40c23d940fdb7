// The flight recorder on a disk that is slow, hangs, fails or is full, whenever it likes. Whatever
// comes, what stands in a part is whole and in order, what is missing is counted where it is
// missing, a failure is told once; and in the end no file is left open and nobody waits.
import type * as fs from 'node:fs'
import { Writable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../sim/scenario/random.js'
import { Recorder } from '../../src/recording/recorder.js'
import type { RecordedInput, RecordingHeader } from '../../src/recording/recording.js'
import { eachSeed } from '../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 115
const PARTS = 3
/** A line may be as long as a show is. */
const LONG = 'x'.repeat(3_000_000)

/** A disk: what it is asked for waits for its turn. */
class Disk {
  readonly files = new Map<string, string>()
  readonly open = new Set<string>()
  failsNow = false
  #waiting: (() => void)[] = []

  constructor(readonly dice: Dice) {}

  later(act: () => void): void {
    this.#waiting.push(act)
  }

  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  goOn(count: number): void {
    for (let n = Math.min(count, this.#waiting.length); n > 0; n -= 1) this.#waiting.shift()!()
  }

  writer(name: string): Writable {
    const answered = (done: (error?: Error | null) => void, act: () => void): void =>
      this.later(() => {
        if (this.failsNow) {
          done(new Error('ENOSPC'))
          return
        }
        act()
        done()
      })
    return new Writable({
      decodeStrings: false,
      construct: (done) => answered(done, () => {
        this.files.set(name, '')
        this.open.add(name)
      }),
      write: (chunk, _encoding, done) => answered(done, () =>
        this.files.set(name, this.files.get(name)! + (chunk as string).replace(LONG, 'x'))),
      destroy: (error, done) => this.later(() => {
        this.open.delete(name)
        done(error)
      }),
    })
  }
}
let disk: Disk

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  createWriteStream: (name: string) => disk.writer(name),
}))
vi.mock('node:fs/promises', () => ({
  rm: (name: string) => new Promise<void>((resolve) => disk.later(() => {
    disk.files.delete(name)
    resolve()
  })),
}))
vi.mock('../../src/io/files/new-file.js', () => ({
  RECORDING_MODE: 0o640,
  openNewFile: (path: string) => new Promise((resolve, reject) => disk.later(() => {
    if (disk.failsNow) reject(new Error('ENOSPC'))
    else resolve({ path, file: { createWriteStream: () => disk.writer(path) } })
  })),
}))

class Play {
  readonly #dice: Dice
  readonly #recorder: Recorder
  readonly #failures: string[] = []
  #lines = 0
  /** How likely a long line is: many of them are more than may wait. */
  readonly #longs: number

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    this.#longs = seed % 4 === 0 ? 0.15 : 0
    disk = new Disk(this.#dice)
    this.#recorder = new Recorder({
      file: 'night', header: { at: 0 } as unknown as RecordingHeader,
      partBytes: this.#dice.pick([100, 1_000, 1e9]), parts: PARTS, wallMs: () => 0,
      failed: (message) => this.#failures.push(message),
    })
  }

  async go(steps: number): Promise<void> {
    const began = this.#dice.whole(0, steps)
    const failsAt = this.#dice.chance(0.5) ? this.#dice.whole(0, steps) : Infinity
    let begun: Promise<string | null> | null = null
    for (let n = 0; n < steps; n += 1) {
      if (n === began) begun = this.#recorder.begin()
      disk.failsNow = n >= failsAt && n < failsAt + 5
      for (let lines = this.#dice.whole(0, 4); lines > 0; lines -= 1) this.#write()
      if (this.#dice.chance(0.6)) await this.#pass(this.#dice.whole(0, 9))
    }
    disk.failsNow = false
    let isClosed = false
    const closed = this.#recorder.close(this.#lines + 1).then(() => { isClosed = true })
    for (let n = 0; n < 15 || disk.isBusy; n += 1) await this.#pass(100)
    expect(isClosed).toBe(true)
    await Promise.all([begun, closed])
    expect(this.#failures.length).toBeLessThanOrEqual(1)
    expect([this.#failures, ...disk.open]).toEqual([this.#failures])
    this.#read(begun !== null)
  }

  #write(): void {
    this.#lines += 1
    const input = { at: this.#lines, fact: this.#dice.chance(this.#longs) ? LONG : '' }
    this.#recorder.write([input as unknown as RecordedInput], [])
  }

  #read(hasBegun: boolean): void {
    const names = [...disk.files.keys()]
    if (!hasBegun) expect(names).toEqual([])
    if (!hasBegun || this.#failures.length > 0) return
    expect(names.length).toBeLessThanOrEqual(PARTS)
    const parts = names.map((name) => Number(name.slice(6))).sort((a, b) => a - b)
    let [next, isEnded] = [1, false]
    for (const [n, part] of parts.entries()) {
      const text = disk.files.get(part === 0 ? 'night' : `night.${part}`)!
      expect(text.endsWith('\n')).toBe(true)
      const isAfterGone = part !== n && part - 1 !== parts[n - 1]
      let isFirst = true
      for (const line of text.trimEnd().split('\n')) {
        const { at, gap, end } = JSON.parse(line) as { at: number; gap?: number; end?: true }
        if (isFirst && isAfterGone) next = gap === undefined ? at : next
        isFirst = false
        if (end === true) isEnded = true
        else if (gap !== undefined) next += gap
        else if (at > 0) {
          expect(at).toBe(next)
          next += 1
        }
      }
    }
    expect([isEnded, next]).toEqual([true, this.#lines + 1])
  }

  async #pass(count: number): Promise<void> {
    disk.goOn(count)
    for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

it('what is recorded is whole, what is missing is counted, and no file is left open', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(40)), 120_000)
