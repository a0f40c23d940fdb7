// Looks at files through anything that disks and processes may do: disks hang and come back,
// processes end, hang, or are slow. Whatever comes, who asks is answered once and soon, what is
// answered was so since it was asked, and in the end every file that is there is seen.
import { expect, it } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import {
  FileLooks, type LookAnswer, type LookQuestion,
} from '../../../src/io/media/look/file-looks.js'
import { eachSeed } from '../../each-seed.js'

const SEEDS = 250
/** Of a look, and of the yardstick behind it. */
const PATIENCE_MS = 4_000
/** One that is asked, and those that wait for their disks. */
const PROCESSES = 5
const THREADS = 64
/** Folders with disks of their own, and one with links into another. */
const FOLDERS = ['/own', '/share', '/nas', '/links']
const PATHS = FOLDERS.flatMap((folder) =>
  Array.from({ length: 14 }, (_, n) => `${folder}/${n}.wav`))
/** Every third file of that folder is a link. */
const diskOf = (path: string): string =>
  path.startsWith('/links') && Number.parseInt(path.slice(7)) % 3 === 0 ? '/share'
    : path.slice(0, path.lastIndexOf('/'))

/** A looking process: questions that it has not answered. */
class Process {
  readonly open: LookQuestion[] = []
  isAlive = true
  isHung = false

  constructor(
    readonly answered: (answer: LookAnswer) => void, readonly lost: () => void,
  ) {}
}

class World {
  readonly versions = new Map(PATHS.map((path) => [path, 1]))
  readonly missing = new Set<string>()
  readonly hung = new Set<string>()
  readonly processes: Process[] = []

  constructor(private readonly dice: Dice) {}

  get alive(): readonly Process[] {
    return this.processes.filter(({ isAlive }) => isAlive)
  }

  start(answered: (answer: LookAnswer) => void, lost: () => void) {
    const one = new Process(answered, lost)
    this.processes.push(one)
    return {
      ask: (question: LookQuestion) => {
        if (one.isAlive) one.open.push(question)
        const waiting = one.open.filter(({ path }) => this.hung.has(diskOf(path)))
        // Each thread of a process that waits for a disk waits for nothing else.
        expect(waiting.length).toBeLessThan(THREADS)
      },
      kill: () => {
        one.isAlive = false
        one.open.length = 0
      },
    }
  }

  goOn(): void {
    for (const one of this.alive) {
      for (const question of [...one.open]) {
        if (one.isHung || this.hung.has(diskOf(question.path)) || this.dice.chance(0.2)) continue
        one.open.splice(one.open.indexOf(question), 1)
        one.answered({ id: question.id, look: this.#lookAt(question.path) })
        if (!one.isAlive) break
      }
    }
  }

  /** A process ends by itself; who waits for it hears of it. */
  strike(): void {
    const one = this.alive.at(-1)
    if (one === undefined) return
    one.isAlive = false
    one.open.length = 0
    one.lost()
  }

  #lookAt(path: string): Look {
    const version = this.versions.get(path)!
    if (this.missing.has(path)) return { kind: 'missing', message: `v${version}` }
    return {
      kind: 'file', stamp: `v${version}`, disk: FOLDERS.indexOf(diskOf(path)), own: null,
      isMp4: false, seeking: 'exact', type: '',
    }
  }
}

class Play {
  readonly #dice: Dice
  readonly #world: World
  readonly #timers = new VirtualTimers(0)
  readonly #looks: FileLooks
  #open = 0
  /** How long somebody waited at most. */
  #late = 0
  #error: Error | null = null

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    this.#world = new World(this.#dice)
    this.#looks = new FileLooks(this.#timers, (answered, lost) =>
      this.#world.start(answered, () => lost('killed')))
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(this.#dice.pick([0, 0, 1, 100, 600, 2_500]))
    }
    const away = this.#dice.pick(['', '/share', '/nas'])
    for (const disk of FOLDERS) if (disk !== away) this.#world.hung.delete(disk)
    for (const one of this.#world.processes) one.isHung = false
    for (let n = 0; n < 40; n += 1) await this.#pass(500)
    expect(this.#open).toBe(0)
    for (const path of PATHS) this.#ask(path, undefined, !this.#mayHang(path))
    for (let n = 0; n < 40; n += 1) await this.#pass(10)
    if (!this.#world.hung.has(away)) expect([this.#open, this.#world.alive.length]).toEqual([0, 1])
    for (const path of PATHS) this.#ask(path)
    this.#looks.close()
    await this.#pass(0)
    // That they were killed is told, as the end of any process is.
    for (const one of [...this.#world.processes]) one.lost()
    await this.#pass(5_000)
    expect([this.#open, this.#world.alive.length, this.#timers.size]).toEqual([0, 0, 0])
  }

  /** In a folder with links into a share that is away, others may be away with it. */
  #mayHang(path: string): boolean {
    const { hung } = this.#world
    return hung.has(diskOf(path)) || (path.startsWith('/links') && hung.has('/share'))
  }

  #act(): void {
    const act = this.#dice.whole(0, 11)
    const disk = this.#dice.pick(FOLDERS)
    const path = this.#dice.pick(PATHS)
    if (act <= 3) {
      for (let n = this.#dice.whole(1, 12); n > 0; n -= 1) this.#ask(this.#dice.pick(PATHS))
    } else if (act <= 5) this.#ask(path, 500)
    else if (act === 6) PATHS.forEach((each) => each.startsWith(disk) && this.#ask(each))
    else if (act === 7) this.#world.hung.add(disk)
    else if (act === 8) this.#world.hung.delete(disk)
    else if (act === 9 && this.#dice.chance(0.3)) this.#world.strike()
    else if (act === 10) {
      this.#world.versions.set(path, this.#world.versions.get(path)! + 1)
      if (this.#dice.chance(0.3)) this.#world.missing.add(path)
      else this.#world.missing.delete(path)
    }
  }

  #ask(path: string, patienceMs?: number, isThere = false): void {
    const askedAt = this.#timers.nowMs()
    const before = this.#world.versions.get(path)!
    let answers = 0
    this.#open += 1
    void this.#looks.look(path, patienceMs).then((look) => {
      this.#open -= 1
      answers += 1
      expect(answers).toBe(1)
      this.#late = Math.max(this.#late, this.#timers.nowMs() - askedAt)
      const isMissing = this.#world.missing.has(path)
      if (isThere) expect([path, look.kind]).toEqual([path, isMissing ? 'missing' : 'file'])
      if (look.kind === 'unavailable') return
      const seen = look.kind === 'file' ? look.stamp : look.message
      if (Number(seen.slice(1)) < before) throw new Error(`${path}: ${seen}, was ${before}`)
    }).catch((error: unknown) => { this.#error = error as Error })
  }

  async #pass(ms: number): Promise<void> {
    this.#world.goOn()
    this.#timers.pass(ms)
    for (let n = 0; n < 2; n += 1) await new Promise((resolve) => setImmediate(resolve))
    if (this.#error !== null) throw this.#error
    expect(this.#world.alive.length).toBeLessThanOrEqual(PROCESSES)
    expect(this.#late).toBeLessThan(PATIENCE_MS + 2_600)
  }
}

it('who asks is answered soon and once, and in the end all that is there is seen', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(60)), 120_000)
