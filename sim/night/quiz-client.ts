// The quiz app: it plays beds, pauses them for questions and goes on, as 4.1 and 4.2 tell a client.
import { askAgain, askThroughNoise, fade, pollGap, seconds, start, type Client } from './client.js'
import { MS, NIGHT, SECOND } from './night-show.js'
import type { ModelButton } from '../oracle/model/shapes.js'
import type { Json } from '../oracle/readings.js'
import { diceOf, type Dice } from '../scenario/random.js'

/** What the app has started: a bed, music to think by, a film. */
interface Playing {
  readonly button: string
  readonly id: string
}

/** A film that is shown, and where the clock of the machine that shows it stood at a frame. */
interface Film extends Playing {
  lightsId: string | null
  sequence: number
  runs: boolean
  baseMs: number
  since: number
}

export class Quiz {
  /** Beds that the app heard end naturally. */
  ends = 0
  #bed: Playing | null = null
  #nextBed = 0
  #asking = false
  #film: Film | null = null

  constructor(
    private readonly buttons: readonly ModelButton[],
    private readonly seed: number,
    private readonly clock: () => number,
  ) {}

  clients(): readonly Client[] {
    const dice = (n: number): Dice => diceOf(this.seed * 64 + n)
    return [
      this.#lead(dice(1)), this.#pollBed(dice(2)), this.#pollFilm(dice(3)), this.#syncing(dice(4)),
    ]
  }

  #button(dice: Dice, among: readonly number[]): string {
    return this.buttons[dice.pick(among)]!.id
  }

  // The evening

  *#lead(dice: Dice): Client {
    for (;;) {
      yield* this.#startBed(dice)
      for (let n = dice.whole(3, 6); n > 0; n -= 1) {
        yield seconds(dice, 20, 60)
        this.#asking = true
        yield* dice.weigh<() => Client>([
          [5, () => this.#askWithFilm(dice)], [3, () => this.#letThemThink(dice)],
          [2, () => this.#sponsors(dice)],
        ])()
        this.#asking = false
        yield* this.#goOn(dice)
      }
      yield seconds(dice, 5, 20)
      this.#asking = true
      yield* this.#breakTime(dice)
      this.#asking = false
    }
  }

  // Beds

  *#startBed(dice: Dice): Client {
    const button = this.buttons[NIGHT.beds[this.#nextBed]!]!.id
    const body = {
      externalSequencing: true,
      ...dice.weigh<Json>([
        [6, {}], [1, { pauseWhenReplaced: false }], [2, { pauseWhenReplaced: true }],
        [1, { loop: true, loopCrossfadeMs: dice.whole(0, 9_000) }], [1, { loop: false }],
        [1, { loop: null, allowOverlap: null, pauseWhenReplaced: null }],
      ]),
    }
    const { id } = yield* start(dice, 'play', button, body, null)
    this.#bed = id === null ? null : { button, id }
  }

  /** Asks after what plays until it is over; answers how it ended. */
  *#pollUntilOver(dice: Dice, playing: () => Playing | null): Client<unknown> {
    for (;;) {
      yield pollGap(dice)
      const run = playing()
      if (run === null) continue
      const { state, endReason } = (yield { ask: 'execution', id: run.id })?.body ?? {}
      const isOver = ['completed', 'stopped', 'failed'].includes(String(state))
      if (isOver && playing() === run) return endReason
    }
  }

  /** 4.2: a list is moved on by a natural end and by nothing else. */
  *#pollBed(dice: Dice): Client {
    for (;;) {
      const endReason = yield* this.#pollUntilOver(dice, () => this.#bed)
      this.#bed = null
      if (endReason !== 'natural_end') continue
      this.ends += 1
      this.#nextBed = (this.#nextBed + 1) % NIGHT.beds.length
      if (!this.#asking) yield* this.#startBed(dice)
    }
  }

  *#goOn(dice: Dice): Client {
    const bed = this.#bed
    if (bed !== null) {
      const answer = yield* this.#resume(dice, bed)
      // 4.2: what cannot be resumed is not restarted; the list begins its next bed.
      if (answer?.status === 200 || this.#bed !== bed) return
    }
    this.#bed = null
    yield* this.#startBed(dice)
  }

  *#pause(dice: Dice, { button, id }: Playing): Client {
    const body = { executionId: id, ...fade(dice, 'fadeOutMs') }
    yield* askAgain(dice, { ask: 'pause', button, body })
    // A client that is nervous asks twice, or presses play as well: harmless.
    if (dice.chance(0.1)) yield { ask: 'pause', button, body }
    if (dice.chance(0.1)) yield { ask: 'play', button, body: { loop: true } }
  }

  #resume(dice: Dice, { button, id }: Playing): ReturnType<typeof askAgain> {
    const body = { executionId: id, ...fade(dice, 'fadeInMs') }
    return askAgain(dice, { ask: 'resume', button, body })
  }

  // Films with lights

  *#askWithFilm(dice: Dice): Client {
    if (this.#bed !== null && dice.chance(0.5)) yield* this.#pause(dice, this.#bed)
    const button = this.#button(dice, NIGHT.videos)
    yield* this.#startFilm(dice, button, 'play')
    yield seconds(dice, 2, 20)
    const film = this.#film
    if (film !== null) {
      yield* dice.weigh<() => Client>([
        [4, function* () {}], [2, () => this.#interrupt(dice, film)],
        [2, () => this.#seek(dice, film)], [2, () => this.#cutShort(dice, film)],
        [1, () => this.#startFilm(dice, button, 'restart')],
      ])()
    }
    while (this.#film !== null) yield 250 * MS
  }

  *#startFilm(dice: Dice, button: string, word: 'play' | 'restart'): Client {
    const before = this.#film
    const { id, lightsId } = yield* start(dice, word, button, null, before?.id ?? null)
    this.#film = id === null ? null
      : { button, id, lightsId, sequence: 0, runs: true, baseMs: 0, since: this.clock() }
    // The old run is older now: it can stop nothing.
    if (before !== null) yield { ask: 'stop', button, body: { executionId: before.id } }
  }

  *#interrupt(dice: Dice, film: Film): Client {
    for (const runs of [false, true]) {
      yield* runs ? this.#resume(dice, film) : this.#pause(dice, film)
      film.baseMs = this.#positionMs(film)
      film.since = this.clock()
      film.runs = runs
      yield* this.#sync(dice, film, false)
      yield seconds(dice, 1, 6)
    }
  }

  *#seek(dice: Dice, film: Film): Client {
    film.baseMs = dice.whole(0, 24_000)
    film.since = this.clock()
    yield* this.#sync(dice, film, true)
    yield seconds(dice, 1, 5)
  }

  *#cutShort(dice: Dice, { button, id }: Film): Client {
    const body = dice.weigh<Json | null>([
      [2, null], [2, { executionId: id, ...fade(dice, 'fadeOutMs') }], [1, fade(dice, 'fadeOutMs')],
    ])
    yield* askAgain(dice, { ask: 'stop', button, body })
    if (dice.chance(0.4)) yield { ask: 'stop', button, body }
    if (dice.chance(0.4)) yield { ask: 'play', button, body: null }
  }

  *#pollFilm(dice: Dice): Client {
    for (;;) {
      yield* this.#pollUntilOver(dice, () => this.#film)
      this.#film = null
    }
  }

  /** 4.1 dmx/sync 1: every 200 to 250 ms. */
  *#syncing(dice: Dice): Client {
    for (;;) {
      yield dice.whole(200 * MS, 250 * MS)
      if (this.#film !== null) yield* this.#sync(dice, this.#film, false)
      // A network that stutters: the timeline freewheels.
      if (dice.chance(0.004)) yield dice.whole(900, 2_500) * MS
    }
  }

  *#sync(dice: Dice, film: Film, forceSeek: boolean): Client {
    if (film.lightsId === null) return
    film.sequence += dice.chance(0.01) ? 0 : dice.whole(1, 3)
    const noise = dice.weigh<number>([[12, dice.whole(-40, 40)], [2, dice.whole(-106, 106)]])
    const body = {
      executionId: film.lightsId, sequence: film.sequence, isPlaying: film.runs, forceSeek,
      positionMs: Math.max(0, this.#positionMs(film) + noise),
    }
    const answer = yield* askThroughNoise(dice, { ask: 'dmx/sync', button: film.button, body })
    // 4.1 dmx/sync 3: once the timeline is not active any more, the client stops sending.
    if (answer?.body['error'] === 'dmx_not_active') film.lightsId = null
  }

  #positionMs({ runs, baseMs, since }: Film): number {
    return baseMs + (runs ? Math.floor((this.clock() - since) / MS) : 0)
  }

  // Music to think by, sponsors, breaks

  *#letThemThink(dice: Dice): Client {
    const button = this.#button(dice, NIGHT.thinking)
    const body = {
      ...dice.weigh<Json>([
        [2, { loop: true }], [2, { loop: true, loopCrossfadeMs: dice.whole(0, 60_000) }],
        [1, { loop: true, externalSequencing: true, loopCrossfadeMs: null }], [2, {}],
        [1, { loopCrossfadeMs: 0 }], [1, { loop: false }], [2, { externalSequencing: true }],
      ]),
      ...dice.weigh<Json>([[6, {}], [1, { allowOverlap: true }], [1, { allowOverlap: false }]]),
    }
    // Now and then something else is pressed by mistake, before this is heard.
    const mistaken = this.#button(dice, NIGHT.videos)
    if (dice.chance(0.3)) yield { ask: 'play', button: mistaken, body: null }
    const { id } = yield* start(dice, 'play', button, body, null)
    if (id === null) return
    yield seconds(dice, 5, 40)
    if (dice.chance(0.4)) {
      yield* this.#pause(dice, { button, id })
      yield dice.whole(1, 3_000) * MS
      yield* this.#resume(dice, { button, id })
      yield seconds(dice, 1, 20)
    }
    const own = dice.chance(0.5) ? { executionId: id, ...fade(dice, 'fadeOutMs') } : null
    yield* askAgain(dice, { ask: 'stop', button, body: own })
    yield dice.whole(0, 2_500) * MS
  }

  /** Four in a row without a gap; the app waits until nothing of them is left in the status. */
  *#sponsors(dice: Dice): Client {
    const ids = NIGHT.sponsors.map((n) => this.buttons[n]!.id)
    const body = dice.weigh<Json | null>([
      [2, {}], [2, null], [1, { externalSequencing: true }], [1, { loop: false }],
    ])
    yield* start(dice, 'play', ids[0]!, body, null)
    for (let isOn = true; isOn;) {
      yield pollGap(dice)
      const active = ((yield { ask: 'status' })?.body['active'] ?? []) as readonly Json[]
      isOn = active.some((item) => ids.includes(String(item['id'])))
    }
  }

  /** Music from a list, a picture and a lamp; in the end everything is stopped at once. */
  *#breakTime(dice: Dice): Client {
    const bed = this.#bed
    this.#bed = null
    if (bed !== null) {
      const body = dice.chance(0.5) ? null : { executionId: bed.id, fadeOutMs: 3_000 }
      yield* askAgain(dice, { ask: 'stop', button: bed.button, body })
    }
    const picture = this.#button(dice, NIGHT.pictures)
    const lamp = this.#button(dice, NIGHT.lamps)
    const options = dice.chance(0.2) ? { loop: true, loopCrossfadeMs: 1_000 } : null
    yield { ask: 'play', button: picture, body: null }
    yield { ask: dice.chance(0.5) ? 'play' : 'restart', button: lamp, body: null }
    yield* start(dice, 'play', this.#button(dice, NIGHT.music), options, null)
    yield seconds(dice, 3, 8)
    yield { ask: 'play', button: lamp, body: null }
    yield { ask: dice.chance(0.5) ? 'play' : 'restart', button: picture, body: null }
    yield seconds(dice, 60, 220)
    yield { ask: 'stop', button: lamp, body: null }
    yield { ask: 'panic', body: dice.weigh<Json | null>([[1, null], [1, { fadeOutMs: 2_000 }]]) }
    yield { ask: 'stop', button: picture, body: null }
    yield 2 * SECOND
  }
}
