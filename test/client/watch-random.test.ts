// A watch over any network, by whatever way it has: what is told of a run ends with its end, told
// once; and in the end it has told of each run what the service says.
import { expect, test } from 'vitest'
import { diceOf, type Dice } from '../../sim/scenario/random.js'
import {
  createClient, watch, type Client, type ClientOptions, type WatchedRun,
  type Watching, type WatchMode,
} from '../../src/client/client.js'
import { BED, quiz, SONG } from './quiz-show.js'
import { eachSeed } from '../each-seed.js'

const SEEDS = 40
const NETWORKS = ['up', 'up', 'slow', 'down', 'hanging', 'lossy', 'mute'] as const
const BUTTONS = [BED.warm, BED.tense, BED.last, SONG.first, SONG.second]
const OVER = /stop|end|error|replaced|failed/

const noteIn = (all: Map<string, string[]>) =>
  ({ executionId, state, endReason }: WatchedRun): void => {
    all.set(executionId, [...all.get(executionId) ?? [], endReason ?? state])
  }

class Evening {
  readonly #dice: Dice
  readonly #player = quiz().player
  /** Of an operator beside the app, whose network is the same. */
  readonly #client: Client
  /** What was told of each run, in its order. */
  readonly #told = new Map<string, string[]>()
  /** The same by one that hears nothing of what polling finds. */
  readonly #heard = new Map<string, string[]>()
  #mode: WatchMode | null = null
  readonly #watching: Watching
  /** What is refused beside the network: the live connection, the events. */
  #hasLive = true
  #hasEvents = true

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    this.#client = createClient(this.#options())
    this.#watching = watch(this.#client, {
      onRun: noteIn(this.#told), onMode: (mode) => (this.#mode = mode),
    })
    watch(this.#client, { onRun: noteIn(this.#heard), poll: false })
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#player.advance(this.#dice.pick([0, 1, 30, 250, 800, 3_000]))
    }
    this.#player.setNetwork('up')
    this.#hasLive = true
    this.#hasEvents = true
    this.#player.page.hidden = false
    await this.#player.advance(90_000)
    await this.#atRest()
  }

  #options(): ClientOptions {
    const { fetch, webSocket: Socket, ...rest } = this.#player.clientOptions
    const hasLive = this.#dice.chance(0.5)
    const open = (url: string): unknown => {
      if (!this.#hasLive) throw new Error('no WebSocket here')
      return new Socket!(url, '')
    }
    return {
      ...rest,
      fetch: (url, init) =>
        fetch!(this.#hasEvents ? url : url.replace('/events', '/nothing'), init),
      webSocket: hasLive ? function (url: string) { return open(url) } as never : null,
    }
  }

  #act(): void {
    const act = this.#dice.whole(0, 9)
    const buttonId = this.#dice.pick(BUTTONS)
    if (act <= 2) this.#send(this.#client.play(buttonId, { allowOverlap: this.#dice.chance(0.5) }))
    else if (act === 3) {
      this.#send(this.#client.stop(buttonId, { fadeOutMs: this.#dice.pick([0, 300]) }))
    } else if (act === 4) this.#player.setNetwork('up')
    else if (act <= 6) this.#player.setNetwork(this.#dice.pick(NETWORKS))
    else if (act === 7) this.#hasLive = this.#dice.chance(0.5)
    else if (act === 8) this.#hasEvents = this.#dice.chance(0.7)
    else if (this.#dice.chance(0.3)) this.#player.page.hidden = !this.#player.page.hidden
  }

  #send(command: Promise<unknown>): void {
    command.catch(() => undefined)
  }

  async #atRest(): Promise<void> {
    expect(this.#mode).toMatch(/live|events/)
    for (const told of [...this.#told.values(), ...this.#heard.values()]) {
      const end = told.findIndex((text) => OVER.test(text))
      expect(told.slice(end + 1 || Infinity)).toEqual([])
    }
    for (const [executionId, told] of this.#told) {
      const run = await this.#client.execution(executionId)
      expect(told.at(-1)).toBe(run.endReason ?? run.state)
      const place = this.#watching.positionMs(executionId)
      if (run.endReason !== null) continue
      expect(Math.abs((place ?? NaN) - run.positionMs)).toBeLessThan(100)
    }
  }
}

test(`each run's end is told once, and last, in ${SEEDS} evenings, and its place is right`, () =>
  eachSeed(SEEDS, (seed) => new Evening(seed).go(60)), 120_000)
