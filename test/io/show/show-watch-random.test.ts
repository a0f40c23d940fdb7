// The watch over a show file through anything that editors and disks may do: saves in bursts, in
// place and by a rename, a moment without a file, a folder that goes and comes back as another;
// the system tells of it, tells nothing, or lets go of its watch, and its disk answers late. Who
// reads the file when it is told has in the end read what stands there, or was told that it is
// gone; after its end nothing is told or left.
import { EventEmitter } from 'node:events'
import type * as fs from 'node:fs'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { showMark, watchShow } from '../../../src/io/show/show-watch.js'
import { eachSeed } from '../../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 200
const FOLDER = '/show'
const SHOW = `${FOLDER}/show.json`
/** Less than it is waited for, and more. */
const PASSES = [0, 0, 1, 100, 400, 2_500, 6_000]

interface Watcher extends EventEmitter {
  readonly folder: number
  close(): void
}

/** A folder with a file in it; each is another one whenever it has another number. */
class World {
  folder = 1
  /** null: there is none; what stands in it is told by its version. */
  file: { ino: number; version: number } | null = { ino: 1, version: 1 }
  hasFolder = true
  canWatch = true
  readonly watchers = new Set<Watcher>()
  #numbers = 1
  #asked: (() => void)[] = []

  constructor(private readonly dice: Dice) {}

  get next(): number {
    this.#numbers += 1
    return this.#numbers
  }

  get isAsked(): boolean {
    return this.#asked.length > 0
  }

  stat(path: string): Promise<unknown> {
    return new Promise((resolve, reject) => this.#asked.push(() => {
      const { file, folder } = this
      if (!this.hasFolder || (path === SHOW && file === null)) reject(new Error('ENOENT'))
      else if (path === FOLDER) resolve({ dev: 1n, ino: folder })
      else {
        resolve({ dev: 1n, ino: file!.ino, size: 9n, mtimeNs: file!.version, ctimeNs: 0n })
      }
    }))
  }

  answer(): void {
    for (let n = this.dice.whole(0, this.#asked.length); n > 0; n -= 1) this.#asked.shift()!()
  }

  /** The system tells those who watch this very folder, unless it is on a share. */
  tell(name: string | null): void {
    if (this.dice.chance(0.3)) return
    for (const watcher of [...this.watchers]) {
      if (this.hasFolder && watcher.folder === this.folder) watcher.emit('change', 'rename', name)
    }
  }
}
let world: World
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  watch: () => {
    if (!world.canWatch || !world.hasFolder) throw new Error('ENOSPC')
    const watcher: Watcher = Object.assign(new EventEmitter(), {
      folder: world.folder, close: () => void world.watchers.delete(watcher),
    })
    world.watchers.add(watcher)
    return watcher
  },
}))
vi.mock('node:fs/promises', () => ({ stat: (path: string) => world.stat(path) }))

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  #changes = 0
  #told = 0
  /** What was read when that was told last; null: it is told as gone. */
  #read: number | null = 1
  #isToldGone = false
  #isClosed = false
  readonly #faults: string[] = []

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    world = new World(this.#dice)
  }

  async go(steps: number): Promise<void> {
    const marked = showMark(SHOW)
    for (let n = 0; n < 99; n += 1) world.answer()
    const mark = await marked
    // The first load comes after the mark, and anything before that.
    if (this.#dice.chance(0.3)) this.#act()
    this.#read = world.file?.version ?? null
    const watching = watchShow(SHOW, mark, this.#timers, {
      changed: () => this.#changed(), gone: () => this.#gone(),
    })
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(this.#dice.pick(PASSES))
    }
    for (let n = 0; n < 60; n += 1) await this.#pass(250)
    const there = world.hasFolder ? world.file?.version ?? null : null
    expect([this.#read, this.#isToldGone]).toEqual([there, there === null])
    expect(this.#told).toBeLessThanOrEqual(this.#changes)
    // At any moment of a look.
    this.#act()
    await this.#pass(this.#dice.pick(PASSES))
    // In the middle of a look, too.
    for (let n = this.#dice.pick([0, 40]); n > 0 && !world.isAsked; n -= 1) this.#timers.pass(100)
    watching.close()
    this.#isClosed = true
    for (let n = 0; n < 20; n += 1) {
      this.#act()
      await this.#pass(500)
    }
    expect([this.#timers.size, world.watchers.size, this.#faults]).toEqual([0, 0, []])
  }

  #changed(): void {
    if (this.#isClosed) this.#faults.push('told after its end')
    this.#told += 1
    this.#isToldGone = false
    // It may be gone again by the time that it is read, which is told as well.
    this.#read = world.hasFolder ? world.file?.version ?? this.#read : this.#read
  }

  #gone(): void {
    if (this.#isClosed) this.#faults.push('gone after its end')
    this.#isToldGone = true
    this.#read = null
  }

  #act(): void {
    const act = this.#dice.whole(0, 12)
    if (act <= 2) this.#save(() => ({ ino: world.file?.ino ?? world.next, version: world.next }))
    else if (act <= 4) this.#save(() => ({ ino: world.next, version: world.next }))
    else if (act === 5) this.#change(() => (world.file = null))
    else if (act === 6) this.#change(() => (world.hasFolder = false))
    else if (act <= 8 && !world.hasFolder) {
      this.#change(() => {
        world.hasFolder = true
        // The same one was moved away and back, or another one stands in its place.
        if (this.#dice.chance(0.5)) world.folder = world.next
      })
    } else if (act === 9) world.tell('.show.json.swp')
    else if (act === 10) world.canWatch = this.#dice.chance(0.6)
    else if (act === 11) {
      for (const watcher of [...world.watchers]) watcher.emit('error', new Error('EIO'))
    }
  }

  /** An editor writes several times. */
  #save(file: () => { ino: number; version: number }): void {
    if (!world.hasFolder) return
    for (let n = this.#dice.pick([1, 1, 5]); n > 0; n -= 1) {
      this.#change(() => (world.file = file()))
    }
  }

  #change(act: () => void): void {
    act()
    this.#changes += 1
    world.tell(this.#dice.pick(['show.json', null]))
  }

  async #pass(ms: number): Promise<void> {
    for (let left = ms; left >= 0; left -= 100) {
      world.answer()
      this.#timers.pass(Math.min(100, left))
      for (let n = 0; n < 5; n += 1) await Promise.resolve()
    }
  }
}

it('in the end what stands there was read, or it was told as gone', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(30)), 120_000)
