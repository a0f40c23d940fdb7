// What the wall is told of a show's media through anything that may happen to them: they come and
// go, are replaced, damaged and mended, their disks hang, the show changes meanwhile. In the end
// each is told as it is, with its own length and its own waveform, and nothing is looked into.
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../sim/scenario/random.js'
import { msToFrames } from '../../src/clock/frame.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import type { ShowPage } from '../../src/contract/show-page.js'
import { readWaves, WAVE_COLUMNS } from '../../src/contract/waves.js'
import { createPages, type Pages } from '../../src/daemon/pages.js'
import { Probing, type ProbingParts } from '../../src/daemon/probing.js'
import type { Config } from '../../src/io/config.js'
import type { Look } from '../../src/io/media/look/file-look.js'
import { FileWatch } from '../../src/io/media/look/file-watch.js'
import type { MediaFacts, ProbeAnswer } from '../../src/io/media/probe/probe-file.js'
import { builtShow } from '../../src/io/show/show-file.js'
import { parseShape } from '../../src/io/show/show-shape.js'
import type { WaveAnswer, WaveAsked } from '../../src/io/waves/wave-messages.js'
import type { RemotePlayer } from '../../src/sound/remote-player.js'
import { eachSeed } from '../each-seed.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 600
const NAMES = ['a', 'b', 'c', 'd', 'e']
const PATHS = NAMES.map((name) => `/s/${name}`)

interface MediaFile {
  readonly version: number
  readonly state: 'missing' | 'damaged' | 'mute' | 'sound'
  readonly isHung: boolean
}

/** Files, and who is asked about them: each answers when its turn comes. */
class World {
  readonly files = new Map(PATHS.map((path): [string, MediaFile] =>
    [path, { version: 1, state: 'sound', isHung: false }]))
  #asked: (() => void)[] = []
  #kept = new Set<string>()

  constructor(private readonly dice: Dice) {}

  change(path: string, to: Partial<MediaFile>): void {
    this.files.set(path, { ...this.files.get(path)!, ...to })
  }

  look(path: string): Promise<Look> {
    return this.#later((): Look => {
      const { version, state, isHung } = this.files.get(path)!
      if (isHung) return { kind: 'unavailable', message: 'its disk does not answer' }
      if (state === 'missing') return { kind: 'missing', message: 'the file is missing' }
      return {
        kind: 'file', stamp: `v${version}`, disk: 1, own: null, isMp4: false, seeking: 'exact',
        type: '',
      }
    })
  }

  probe(path: string): Promise<ProbeAnswer> {
    return this.#later((): ProbeAnswer => {
      const { version, state, isHung } = this.files.get(path)!
      if (isHung || state === 'missing' || state === 'damaged') {
        return { ok: false, message: isHung ? 'no answer' : state }
      }
      const audio = state === 'sound' ? {} : null
      return { ok: true, facts: {
        duration: msToFrames(version), video: null, audio, picturesEnd: null,
      } as unknown as MediaFacts }
    })
  }

  async wave({ path, makes, ranges }: WaveAsked): Promise<WaveAnswer> {
    // It is of the file as it was when it was opened.
    const { version, state, isHung } = this.files.get(path)!
    // And takes as long as it is.
    for (let n = makes ? 12 : 1; n > 0; n -= 1) await this.#later(() => undefined)
    if (isHung) return { kind: 'away' }
    if (state !== 'sound') return { kind: 'none' }
    const key = `${path} ${version}`
    if (!makes && !this.#kept.has(key)) return { kind: 'unmade' }
    this.#kept.add(key)
    return { kind: 'wave', key, peaks: ranges.map(() =>
      new Uint8Array(WAVE_COLUMNS).fill(version)) }
  }

  goOn(): void {
    const all = this.#asked
    this.#asked = []
    for (const answer of all) {
      if (this.dice.chance(0.5)) answer()
      else this.#asked.push(answer)
    }
  }

  #later<T>(answer: () => T): Promise<T> {
    return new Promise((resolve) => this.#asked.push(() => resolve(answer())))
  }
}
let world: World

vi.mock('../../src/io/media/probe/probe-cache.js', async (original) => {
  const { ProbeCache } = await original<{ ProbeCache: { open(file: null): unknown } }>()
  return {
    defaultCacheFile: () => '/none/cache', ProbeCache: { open: () => ProbeCache.open(null) },
  }
})
const guid = (n: number): string => `00000000-0000-4000-8000-00000000000${String(n)}`
const showOf = (names: readonly string[]) => {
  const buttons = names.map((media) => ({
    id: guid(NAMES.indexOf(media)), title: media, media, kind: media < 'd' ? 'audio' : 'image',
  }))
  const playlists = [{ id: guid(9), title: 'All', buttons }]
  return builtShow(parseShape({ version: 1, title: 'Night', playlists }).shape!, '/s', new Map())
}

const player = {
  figures: { armedHeads: 0 }, readModel: { image: null, live: () => [], liveOf: () => null },
  catalogue: { playlists: [], button: () => null }, tell: () => undefined,
  armed: new Set(), subscribe: () => () => undefined,
} as unknown as RemotePlayer
const config = {
  pages: { enabled: true, panicFadeMs: 0, guardMs: 0 }, stage: { offsetMs: 0 },
} as unknown as Config

class Play {
  readonly #dice: Dice
  readonly #timers = new VirtualTimers(0)
  readonly #pages: Pages
  readonly #probing: Probing
  readonly #watch: FileWatch
  #names: readonly string[] = []

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    world = new World(this.#dice)
    this.#pages = createPages(this.#timers, config, showOf([]), player, {
      ask: (question) => world.wave(question), hold: () => undefined, rest: () => undefined,
    })
    const log = { warn: () => undefined, info: () => undefined, error: (error: unknown) => {
      throw new Error('a look failed', { cause: error })
    } } as unknown as ProbingParts['log']
    this.#probing = new Probing({
      timers: this.#timers, files: world, player, pages: this.#pages, log,
    })
    this.#watch = new FileWatch({
      timers: this.#timers, everyMs: 2_000, looking: world,
      firstSeen: (path, stamp) => this.#probing.compare([[path, stamp]]),
      replaced: (path) => this.#probing.again(path),
    })
  }

  async go(steps: number): Promise<void> {
    this.#load()
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(this.#dice.pick([0, 0, 1, 100, 2_000, 10_000]))
    }
    for (const path of PATHS) world.change(path, { isHung: false })
    // What is missing is looked for each minute.
    for (let n = 0; n < 400; n += 1) await this.#pass(500)
    this.#atRest()
    this.#watch.close()
    this.#pages.close()
    await this.#probing.close()
    expect(this.#timers.size).toBe(0)
  }

  #act(): void {
    const path = this.#dice.pick(PATHS)
    const act = this.#dice.whole(0, 9)
    const { version, isHung } = world.files.get(path)!
    if (act === 0) this.#load()
    else if (act <= 4) {
      const state = this.#dice.pick(['missing', 'damaged', 'mute', 'sound', 'sound'] as const)
      world.change(path, { state, version: version + 1 })
    } else if (act === 5) world.change(path, { isHung: !isHung })
  }

  #load(): void {
    for (const name of this.#names) this.#watch.leave(`/s/${name}`)
    this.#names = NAMES.filter(() => this.#dice.chance(0.7))
    for (const name of this.#names) this.#watch.add(`/s/${name}`)
    const show = showOf(this.#names)
    this.#pages.setShow(show)
    this.#probing.begin(show.media)
  }

  async #pass(ms: number): Promise<void> {
    this.#timers.pass(ms)
    for (let n = this.#dice.whole(1, 4); n > 0; n -= 1) {
      world.goOn()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #atRest(): void {
    const source = this.#pages.source!
    const page = JSON.parse(source.show().bytes.toString()) as ShowPage
    const waves = readWaves(new Uint8Array(source.waves().bytes).buffer)
    for (const { id, title, kind, media, durationMs } of page.playlists[0]?.buttons ?? []) {
      const { version, state } = world.files.get(`/s/${title}`)!
      const isImage = kind === 'image'
      const plays = state === 'sound' || state === 'mute' || (isImage && state === 'damaged')
      const missing = plays ? null : state === 'damaged' ? 'damaged' : 'the file is missing'
      expect([title, media?.missing, media?.version])
        .toEqual([title, missing, plays ? `v${version}` : null])
      expect([title, durationMs]).toEqual([title, plays && !isImage ? version : 0])
      const wave = state === 'sound' && !isImage ? version : undefined
      expect([title, state, 'wave', waves.get(id)?.[0]]).toEqual([title, state, 'wave', wave])
    }
  }
}

it('each medium is told as it is in the end, with its own length and waveform', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(30)), 120_000)
