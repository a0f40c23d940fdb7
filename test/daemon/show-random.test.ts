// A show and its timelines through anything that may happen to their files: saved whole or by
// halves, renamed, damaged, gone, on disks that hang and come back, with or without a word of it.
// In the end what plays is what is on the disk, or it is told why not; nobody is left busy.
import { EventEmitter } from 'node:events'
import type * as fs from 'node:fs'
import { dirname } from 'node:path'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../sim/scenario/random.js'
import { FRAMES_PER_MS } from '../../src/clock/frame.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { MissingTimelines } from '../../src/daemon/missing-timelines.js'
import { ShowReload } from '../../src/daemon/show-reload.js'
import { ShowDisk } from '../../src/io/show/show-disk.js'
import { loadShow, type LoadedShow } from '../../src/io/show/show-file.js'
import { showMark, watchShow } from '../../src/io/show/show-watch.js'
import { timelineCompiler } from '../../src/io/timeline/timeline-file.js'
import { eachSeed } from '../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 600
const SHOW = '/show/show.json'
const LIGHTS = ['/show/a.json', '/share/b.json', '/nas/c.json']

interface DiskFile {
  readonly text: string
  readonly version: number
}

/** Files on disks, a folder each, that may hang. */
class World {
  readonly files = new Map<string, DiskFile>()
  readonly hung = new Map<string, (() => void)[]>()
  readonly watchers = new Set<EventEmitter>()
  #versions = 0

  save(path: string, text: string): void {
    this.#versions += 1
    this.files.set(path, { text, version: this.#versions })
  }

  async at(path: string): Promise<DiskFile> {
    await Promise.resolve()
    for (;;) {
      const waiting = this.hung.get(dirname(path))
      if (waiting === undefined) break
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    const file = this.files.get(path)
    if (file === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
    return file
  }

  revive(folder: string): void {
    const waiting = this.hung.get(folder) ?? []
    this.hung.delete(folder)
    for (const goOn of waiting) goOn()
  }
}
let world: World

const factsOf = ({ text, version }: DiskFile) => ({
  isFile: () => true, size: text.length, mtimeMs: version, ino: 1, dev: 1, mtimeNs: version,
  ctimeNs: version,
})
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  watch: () => {
    const watcher = Object.assign(new EventEmitter(), {
      close: () => void world.watchers.delete(watcher),
    })
    world.watchers.add(watcher)
    return watcher
  },
}))
vi.mock('node:fs/promises', () => ({
  stat: async (path: string) => path === '/show' ? { dev: 1, ino: 1 }
    : factsOf(await world.at(path)),
  readFile: async (path: string) => Buffer.from((await world.at(path)).text),
  readdir: () => Promise.resolve([]),
  open: async (path: string) => {
    const file = await world.at(path)
    return { stat: () => Promise.resolve(factsOf(file)), close: () => Promise.resolve() }
  },
}))

const guid = (n: number): string => `00000000-0000-4000-8000-00000000000${String(n)}`
const showOf = (title: string, lights: readonly string[]): string => JSON.stringify({
  version: 1, title,
  playlists: [{
    id: guid(9), title: 'Lights',
    buttons: lights.map((timeline, n) =>
      ({ id: guid(n), title: timeline, kind: 'dmx', dmx: { timeline } })),
  }],
})
const timelineOf = (durationMs: number): string => JSON.stringify({
  format: 'dmx-timeline', version: 1, durationMs,
  tracks: [{ target: { universe: 0, channel: 1 }, keyframes: [[0, 1]] }],
})

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #compiler = timelineCompiler(this.#timers)
  readonly #reload: ShowReload<LoadedShow>
  readonly #missing: MissingTimelines
  readonly #lengths = new Map<string, number>()
  #isBusy = false
  #shows = 0
  #plays: LoadedShow | null = null
  #error: string | null = null
  /** The timelines' lengths on the disk when the last reading began; those of what plays. */
  #asked = new Map<string, number>()
  #read = new Map<string, number>()

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    world = new World()
    const { compile, isAnyMended } = this.#compiler
    const reload = (): void => void this.#reload.request()
    this.#missing = new MissingTimelines(this.#timers, isAnyMended, reload)
    const disk = new ShowDisk(SHOW, this.#timers, reload)
    this.#reload = new ShowReload<LoadedShow>({
      timers: this.#timers, file: SHOW,
      answers: () => disk.answers(),
      load: () => {
        this.#asked = new Map(this.#lengths)
        return loadShow(SHOW, compile)
      },
      busy: () => { this.#isBusy = true },
      kept: ({ message }) => this.#keep(message),
      gone: () => this.#keep('gone'),
      replaced: (show) => {
        this.#isBusy = false
        this.#error = null
        this.#plays = show
        this.#read = this.#asked
        this.#missing.begin()
      },
    })
  }

  async go(steps: number): Promise<void> {
    const reload = (): void => void this.#reload.request()
    for (const path of LIGHTS) this.#saveLights(path)
    world.save(SHOW, showOf('first', LIGHTS))
    const mark = await showMark(SHOW)
    await this.#reload.request()
    const watching = watchShow(SHOW, mark, this.#timers, {
      changed: reload, gone: () => this.#reload.gone(),
    })
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(this.#dice.pick([0, 0, 100, 1_000, 10_000]))
    }
    // One that hangs for good keeps its own timelines away, and no others.
    const away = this.#dice.pick(['', '/share', '/nas'])
    for (const folder of [...world.hung.keys()]) if (folder !== away) world.revive(folder)
    for (let n = 0; n < 60; n += 1) await this.#pass(1_000)
    this.#atRest()
    watching.close()
    this.#missing.close()
    this.#reload.close()
    expect(this.#timers.size).toBe(0)
  }

  #act(): void {
    const act = this.#dice.whole(0, 11)
    const folder = this.#dice.pick(['/show', '/share', '/nas'])
    if (act <= 2) this.#saveShow()
    else if (act === 3) this.#change(SHOW, () => world.files.delete(SHOW))
    else if (act <= 6) this.#saveLights(this.#dice.pick(LIGHTS))
    else if (act === 7) world.files.delete(this.#dice.pick(LIGHTS))
    else if (act === 8 && !world.hung.has(folder)) world.hung.set(folder, [])
    else if (act <= 10 && this.#dice.chance(0.3)) world.revive(folder)
    else if (act === 11) void this.#reload.request()
  }

  #saveShow(): void {
    this.#shows += 1
    const text = showOf(`show ${this.#shows}`, LIGHTS.filter(() => this.#dice.chance(0.7)))
    const isWhole = this.#dice.chance(0.8)
    this.#change(SHOW, () => world.save(SHOW, isWhole ? text : text.slice(0, 40)))
  }

  #saveLights(path: string): void {
    const durationMs = (this.#lengths.get(path) ?? 0) + 1
    this.#lengths.set(path, durationMs)
    world.save(path, this.#dice.chance(0.8) ? timelineOf(durationMs) : '{')
  }

  /** The system may tell nothing of it. */
  #change(path: string, act: () => void): void {
    act()
    if (this.#dice.chance(0.3)) return
    for (const watcher of world.watchers) watcher.emit('change', 'change', path.slice(6))
  }

  #keep(message: string): void {
    this.#isBusy = false
    this.#error = message
  }

  async #pass(ms: number): Promise<void> {
    this.#timers.pass(ms)
    for (let n = 0; n < 4; n += 1) await new Promise((resolve) => setImmediate(resolve))
  }

  #atRest(): void {
    expect(this.#isBusy).toBe(false)
    const text = world.files.get(SHOW)?.text
    if (text === undefined) expect(this.#error).toBe('gone')
    else if (!text.endsWith('}')) expect(this.#error).toContain('line 1')
    else expect([this.#error, this.#plays?.show.title]).toEqual([null, titleOf(text)])
    // Timelines are read with the show, once that can be.
    if (this.#error !== null) return
    for (const [path, answer] of this.#plays?.timelines ?? []) {
      if (world.hung.has(dirname(path))) continue
      const isGood = world.files.get(path)?.text.endsWith('}') === true
      const wanted = isGood ? this.#read.get(path)! : -1
      const length = answer.ok ? answer.timeline.durationFrames / FRAMES_PER_MS : -1
      expect(length < wanted ? `${path}: ${length}, wanted ${wanted}` : '').toBe('')
    }
  }
}

const titleOf = (text: string): unknown => (JSON.parse(text) as { title: unknown }).title

it('what plays in the end is what is on the disk, or it is told why not', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(5 + seed % 30)), 120_000)

/** Timelines on disks that hang: whoever waits for one waits out its patience. */
const compilerOf = () => {
  world = new World()
  const timers = new VirtualTimers(0)
  const { compile, isAnyMended } = timelineCompiler(timers)
  const waiting = async <T>(begin: () => Promise<T>): Promise<T> => {
    // What came back answers first.
    await new Promise((resolve) => setImmediate(resolve))
    const work = begin()
    for (let n = 0; n < 20; n += 1) {
      timers.pass(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return work
  }
  return {
    read: () => waiting(() => compile(LIGHTS)),
    isAnyMended: () => waiting(() => isAnyMended()),
  }
}

it('a share that hangs keeps no lights of another disk away', async () => {
  const { read, isAnyMended } = compilerOf()
  world.hung.set('/show', [])
  await read()
  expect(await isAnyMended()).toBe(false)
  world.save('/share/b.json', timelineOf(1))
  expect(await isAnyMended()).toBe(true)
})

it('lights that were saved while their share hung are read once it is back', async () => {
  const { read, isAnyMended } = compilerOf()
  for (const path of LIGHTS) world.save(path, timelineOf(1))
  await read()
  world.hung.set('/share', [])
  await read()
  expect(await isAnyMended()).toBe(false)
  world.save('/share/b.json', timelineOf(2))
  world.revive('/share')
  expect(await isAnyMended()).toBe(true)
  // From then on an edit waits for the show to be saved.
  await read()
  world.save('/share/b.json', timelineOf(3))
  expect(await isAnyMended()).toBe(false)
})
