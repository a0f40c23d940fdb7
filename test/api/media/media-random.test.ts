// Files for pages through anything that disks, editors and browsers may do: files are swapped, cut,
// grow, go and come back, disks are slow, hang and fail; browsers pipeline, read nothing for long
// and hang up. Whatever comes, each answer is of one file as it was since it was asked for, whole
// or cut off for a reason; a folder is asked one thing at a time, and nothing for nobody; and in
// the end no file is open.
import type * as fs from 'node:fs/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { buildServer } from '../../../src/api/server.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { eachSeed } from '../../each-seed.js'
import { FakePlayer } from '../fake-player.js'
import { Browser, type Answer, type Asked, type Known } from './model-browser.js'
import { bytesOf, Disks, folderOf, type State } from './model-disks.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 40
const AUTHORITY = '127.0.0.1:47831'
const PATHS = ['/own/a', '/own/b', '/share/c', '/share/d', '/nas/e']
const FOLDERS = [...new Set(PATHS.map(folderOf))]
/** The last one is read in three pieces. */
const SIZES = [0, 1, 300, 65_536, 150_000]

let disks: Disks
let browsers: Browser[]
/** A disk is not kept busy for browsers that have left. */
const isWanted = (path: string): boolean => browsers.some((browser) =>
  browser.isWaiting && browser.asked.some((one) => one.path === path))
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof fs>()),
  open: (path: string) => disks.opened(path, isWanted),
}))

const app = buildServer({
  timers: new VirtualTimers(0), player: new FakePlayer(), authority: AUTHORITY,
  entitled: () => true, shuttingDown: () => false, origins: 'any', live: null, logger: null,
  checksAnswers: false,
  pages: { media: (id: string) => PATHS.find((path) => path.endsWith(id)) ?? null } as never,
})
afterAll(() => app.close())

const isAnswerTo = (
  { method, range, ifRange, ifNoneMatch }: Asked, state: State,
  { status, headers, body }: Answer,
): boolean => {
  const { version, size, modified, isThere } = state
  if (!isThere) return status === 404
  if (ifNoneMatch?.modified === modified) return status === 304
  const isPart = range !== null && method === 'GET'
    && (ifRange === null || ifRange.modified === modified)
  if (!isPart) {
    if (status !== 200 || headers.get('content-length') !== String(size)) return false
    return method === 'HEAD' || body.equals(bytesOf(version, 0, size))
  }
  const [from, to] = range
  if (from >= size) return status === 416 && headers.get('content-range') === `bytes */${size}`
  const last = Math.min(to, size - 1)
  return status === 206 && headers.get('content-range') === `bytes ${from}-${last}/${size}`
    && body.equals(bytesOf(version, from, last + 1))
}

class Play {
  readonly #dice: Dice
  /** What was told of each file last. */
  readonly #known = new Map<string, Known>()

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    disks = new Disks(PATHS, this.#dice)
    browsers = []
    for (const path of PATHS) disks.put(path, this.#dice.pick(SIZES))
  }

  async go(steps: number): Promise<void> {
    await app.ready()
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass()
    }
    disks.hung.clear()
    disks.failing.clear()
    const isBusy = (): boolean => disks.isBusy || browsers.some(({ isWaiting }) => isWaiting)
    for (let n = 0; n < 4_000 && isBusy(); n += 1) {
      for (const browser of browsers) browser.receive(9)
      await this.#pass()
    }
    for (const browser of browsers) this.#over(browser)
    for (let n = 0; n < 20; n += 1) await this.#pass()
    expect([disks.open, disks.isBusy]).toEqual([0, false])
  }

  /** All it asked was answered, or for a good reason the connection was cut. */
  #over(browser: Browser): void {
    const [one = null] = browser.asked
    const isExcused = one === null || browser.isLeft
      || (browser.destroyed && disks.isBrokenSince(one.path, one.at))
    expect(isExcused ? null : one).toBeNull()
    browser.destroy()
  }

  #act(): void {
    const act = this.#dice.whole(0, 15)
    const path = this.#dice.pick(PATHS)
    const folder = this.#dice.pick(FOLDERS)
    if (act <= 4) this.#ask(path)
    else if (act === 5) disks.put(path, this.#dice.chance(0.5) ? SIZES.at(2) : undefined)
    else if (act === 6) disks.resize(path, this.#dice.pick(SIZES))
    else if (act === 7) disks.remove(path)
    else if (act <= 9) this.#some()?.leave()
    else if (act === 10) disks.hung.add(folder)
    else if (act === 11) disks.hung.delete(folder)
    else if (act === 12 && this.#dice.chance(0.3)) disks.failing.add(folder)
    else if (act === 13) disks.failing.delete(folder)
    else for (const browser of browsers) browser.receive(this.#dice.whole(0, 4))
  }

  #some(): Browser | undefined {
    const open = browsers.filter(({ destroyed }) => !destroyed)
    return open[this.#dice.whole(0, open.length - 1)]
  }

  /** On a connection that is there, behind what was asked on it, or on one of its own. */
  #ask(path: string): void {
    const dice = this.#dice
    let browser = this.#some()
    if (browser === undefined || dice.chance(0.5)) {
      browser = new Browser(AUTHORITY, (asked, answer) => this.#judge(asked, answer))
      browsers.push(browser)
      app.server.emit('connection', browser)
    }
    const known = this.#known.get(path) ?? null
    for (let n = dice.pick([1, 1, 2, 5]); n > 0; n -= 1) {
      const from = dice.pick([0, 0, 1, 200, 65_536, 140_000])
      const range = dice.chance(0.6) ? [from, from + dice.pick([0, 99, 1e6])] as const : null
      browser.ask({
        path, range, method: dice.chance(0.85) ? 'GET' : 'HEAD', at: disks.now,
        ifRange: range !== null && dice.chance(0.5) ? known : null,
        ifNoneMatch: dice.chance(0.2) ? known : null,
      })
    }
  }

  /** It is of one of the files that stood there since it was asked for. */
  #judge(asked: Asked, answer: Answer): void {
    const { status, headers, body } = answer
    const { path, at } = asked
    if (disks.isBrokenSince(path, at) && (status === 404 || status === 500)) return
    const states = disks.statesSince(path, at)
    const state = states.find((each) => isAnswerTo(asked, each, answer))
    const told = { asked, status, headers: [...headers], length: body.length, states }
    expect(state === undefined ? told : null).toBeNull()
    const etag = headers.get('etag')
    if (state === undefined || etag === undefined) return
    this.#known.set(path, { etag, modified: state.modified })
  }

  async #pass(): Promise<void> {
    disks.now += 1
    // That somebody left is heard of first.
    await new Promise((resolve) => setImmediate(resolve))
    for (let n = this.#dice.whole(0, 2); n > 0; n -= 1) disks.goOn()
    await new Promise((resolve) => setImmediate(resolve))
    expect(disks.faults).toEqual([])
  }
}

it('each answer is of one file, whole, and none stays open', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(60)), 120_000)
