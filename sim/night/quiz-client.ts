// The quiz app: it plays beds, pauses them for questions and goes on, as 4.1 and 4.2 tell a client.
import { askAgain, fade, isOver, pollGap, seconds, start, type Client } from './client.js'
import { breakTime, fumble, sponsors } from './quiz-breaks.js'
import type { Answer } from './requests.js'
import { MS, NIGHT } from './night-show.js'
import type { ModelButton } from '../oracle/model/shapes.js'
import type { Json } from '../oracle/readings.js'
import { diceOf, type Dice } from '../scenario/random.js'

interface Bed {
  readonly button: ModelButton
  readonly id: string
}

/** A film that is shown, and the clock of the machine that shows it, in sixteenths of a ms. */
interface Film {
  readonly button: ModelButton
  readonly id: string
  lightsId: string | null
  sequence: number
  runs: boolean
  base: number
  since: number
}

const SIXTEENTH = 3
/** 100 ms in sixteenths. */
const EXACT = 1_600

export class Quiz {
  /** Beds that the app heard end naturally. */
  ends = 0
  #bed: Bed | null = null
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

  #button(n: number): ModelButton {
    return this.buttons[n]!
  }

  // The evening

  *#lead(dice: Dice): Client {
    yield* this.#startBed(dice)
    for (;;) {
      const questions = dice.whole(3, 6)
      for (let n = 0; n < questions; n += 1) {
        yield seconds(dice, 20, 60)
        this.#asking = true
        yield* dice.weigh<() => Client>([
          [5, () => this.#askWithFilm(dice)], [3, () => this.#letThemThink(dice)],
          [2, () => sponsors(this.buttons, dice)],
        ])()
        this.#asking = false
        yield* this.#goOn(dice)
      }
      yield seconds(dice, 5, 20)
      this.#asking = true
      yield* this.#breakTime(dice)
      this.#asking = false
      yield* this.#startBed(dice)
    }
  }

  // Beds

  *#startBed(dice: Dice): Client {
    const button = this.#button(NIGHT.beds[this.#nextBed]!)
    const body = {
      externalSequencing: true,
      ...dice.weigh<Json>([
        [6, {}], [1, { pauseWhenReplaced: false }], [2, { pauseWhenReplaced: true }],
        [1, { loop: true, loopCrossfadeMs: dice.whole(0, 9_000) }], [1, { loop: false }],
        [1, { loop: null, allowOverlap: null, pauseWhenReplaced: null }],
      ]),
    }
    const { id } = yield* start(dice, 'play', button.id, body, null)
    this.#bed = id === null ? null : { button, id }
  }

  /** 4.2: a list is moved on by a natural end and by nothing else. */
  *#pollBed(dice: Dice): Client {
    for (;;) {
      yield pollGap(dice)
      const bed = this.#bed
      if (bed === null) continue
      const answer = yield { ask: 'execution', id: bed.id }
      if (answer === null || !isOver(answer.body['state']) || this.#bed !== bed) continue
      this.#bed = null
      if (answer.body['endReason'] !== 'natural_end') continue
      this.ends += 1
      this.#nextBed = (this.#nextBed + 1) % NIGHT.beds.length
      if (!this.#asking) yield* this.#startBed(dice)
    }
  }

  *#pauseBed(dice: Dice): Client {
    const bed = this.#bed
    if (bed === null) return
    const body = { executionId: bed.id, ...fade(dice, 'fadeOutMs') }
    yield* askAgain(dice, { ask: 'pause', button: bed.button.id, body })
    // A client that is nervous asks twice, or presses play as well: harmless.
    if (dice.chance(0.1)) yield { ask: 'pause', button: bed.button.id, body }
    if (dice.chance(0.1)) yield { ask: 'play', button: bed.button.id, body: { loop: true } }
  }

  *#goOn(dice: Dice): Client {
    const bed = this.#bed
    if (bed === null) {
      yield* this.#startBed(dice)
      return
    }
    const answer = dice.chance(0.1)
      ? yield* askAgain(dice, { ask: 'play', button: bed.button.id, body: { loop: true } })
      : yield* askAgain(dice, {
          ask: 'resume', button: bed.button.id,
          body: { executionId: bed.id, ...fade(dice, 'fadeInMs') },
        })
    // 4.2: what cannot be resumed is not restarted; the list begins its next bed.
    if (answer?.status === 200 || this.#bed !== bed) return
    this.#bed = null
    yield* this.#startBed(dice)
  }

  // Films with lights

  *#askWithFilm(dice: Dice): Client {
    if (dice.chance(0.5)) yield* this.#pauseBed(dice)
    if (dice.chance(0.5)) yield dice.whole(1, 1_200) * MS
    const button = this.#button(dice.pick(NIGHT.videos))
    yield* this.#startFilm(dice, button, 'play')
    const film = this.#film
    if (film === null) return
    if (dice.chance(0.3)) yield* this.#sync(dice, film, false)
    yield seconds(dice, 2, 20)
    yield* dice.weigh<() => Client>([
      [4, () => this.#toTheEnd()], [2, () => this.#interrupt(dice)], [2, () => this.#seek(dice)],
      [2, () => this.#cutShort(dice)], [1, () => this.#again(dice)],
    ])()
    yield* this.#toTheEnd()
  }

  *#startFilm(dice: Dice, button: ModelButton, word: 'play' | 'restart'): Client {
    const before = this.#film?.id ?? null
    const { id, lightsId } = yield* start(dice, word, button.id, null, before)
    this.#film = id === null ? null : {
      button, id, lightsId, sequence: 0, runs: true, base: 0, since: this.clock() + 240,
    }
  }

  *#toTheEnd(): Client {
    while (this.#film !== null) yield 250 * MS
  }

  *#interrupt(dice: Dice): Client {
    const film = this.#film
    if (film === null) return
    const { button, id } = film
    const body = { executionId: id, ...fade(dice, 'fadeOutMs') }
    yield* askAgain(dice, { ask: 'pause', button: button.id, body })
    this.#turn(film, false)
    yield* this.#sync(dice, film, false)
    yield seconds(dice, 1, 6)
    yield* askAgain(dice, { ask: 'resume', button: button.id, body: { executionId: id } })
    this.#turn(film, true)
    yield* this.#sync(dice, film, false)
  }

  *#seek(dice: Dice): Client {
    const film = this.#film
    if (film === null) return
    film.base = dice.whole(0, 24_000) * 16
    film.since = this.clock()
    yield* this.#syncAt(dice, film, 0, true)
    // From here on both clocks agree to the frame: a drift of 100 ms is left alone, more is not.
    for (const apart of [EXACT, -EXACT, EXACT + 1, 0, -EXACT - 1, 0]) {
      yield SIXTEENTH * dice.whole(30, 300)
      yield* this.#syncAt(dice, film, apart, false)
    }
    // A seek by a hair is a seek.
    yield* this.#syncAt(dice, film, 5, true)
    yield seconds(dice, 1, 5)
  }

  *#cutShort(dice: Dice): Client {
    const film = this.#film
    if (film === null) return
    const body = dice.weigh<Json | null>([
      [2, null], [2, { executionId: film.id, ...fade(dice, 'fadeOutMs') }],
      [1, fade(dice, 'fadeOutMs')],
    ])
    yield* askAgain(dice, { ask: 'stop', button: film.button.id, body })
    if (dice.chance(0.4)) yield { ask: 'stop', button: film.button.id, body }
    if (dice.chance(0.4)) yield { ask: 'play', button: film.button.id, body: null }
  }

  *#again(dice: Dice): Client {
    const film = this.#film
    if (film === null) return
    yield* this.#startFilm(dice, film.button, 'restart')
    // The old run is older now: it can stop nothing.
    yield { ask: 'stop', button: film.button.id, body: { executionId: film.id } }
    yield { ask: 'resume', button: film.button.id, body: { executionId: film.id } }
  }

  *#pollFilm(dice: Dice): Client {
    for (;;) {
      yield pollGap(dice)
      const film = this.#film
      if (film === null) continue
      const answer = yield { ask: 'execution', id: film.id }
      if (answer !== null && isOver(answer.body['state']) && this.#film === film) this.#film = null
    }
  }

  // The external clock

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
    const noise = dice.weigh<number>([
      [12, dice.whole(-640, 640)], [2, dice.whole(-1_700, 1_700)],
    ])
    yield* this.#syncAt(dice, film, noise, forceSeek)
  }

  *#syncAt(dice: Dice, film: Film, noise: number, forceSeek: boolean): Client {
    if (film.lightsId === null) return
    film.sequence += dice.chance(0.01) ? 0 : dice.whole(1, 3)
    const positionMs = Math.max(0, this.#position(film) + noise) / 16
    const answer = yield* this.#message(dice, film, {
      executionId: film.lightsId, sequence: film.sequence, positionMs, isPlaying: film.runs,
      ...(forceSeek ? { forceSeek } : {}),
    })
    // 4.1 dmx/sync 3: once the timeline is not active any more, the client stops sending.
    if (answer?.body['error'] === 'dmx_not_active') film.lightsId = null
  }

  *#message(dice: Dice, film: Film, body: Json): Client<Answer | null> {
    const request = { ask: 'dmx/sync', button: film.button.id, body } as const
    if (!dice.chance(0.004)) return yield request
    return yield { lost: dice.chance(0.5) ? 'request' : 'answer', request }
  }

  #position(film: Film): number {
    return film.base + (film.runs ? Math.floor((this.clock() - film.since) / SIXTEENTH) : 0)
  }

  #turn(film: Film, runs: boolean): void {
    film.base = this.#position(film)
    film.since = this.clock()
    film.runs = runs
  }

  // Music to think by, and breaks

  *#letThemThink(dice: Dice): Client {
    const button = this.#button(dice.pick(NIGHT.thinking))
    if (button.allowOverlap) yield* this.#pauseBed(dice)
    const loop = dice.weigh<Json>([
      [2, { loop: true }], [2, { loop: true, loopCrossfadeMs: dice.whole(0, 60_000) }],
      [1, { loop: true, externalSequencing: true, loopCrossfadeMs: null }], [2, {}],
      [1, { loop: true, loopCrossfadeMs: 0 }], [1, { loopCrossfadeMs: 0 }],
      [1, { loop: false }], [2, { externalSequencing: true }],
    ])
    if (dice.chance(0.3)) yield* fumble(this.buttons, dice)
    const overlap = dice.weigh<Json>([
      [6, {}], [1, { allowOverlap: true }], [1, { allowOverlap: false }],
    ])
    const { id } = yield* start(dice, 'play', button.id, { ...loop, ...overlap }, null)
    if (id === null) return
    if (dice.chance(0.1)) yield* this.#goOn(dice)
    yield seconds(dice, 5, 40)
    if (dice.chance(0.4)) {
      const own = { executionId: id }
      yield* askAgain(dice, {
        ask: 'pause', button: button.id, body: { ...own, ...fade(dice, 'fadeOutMs') },
      })
      yield dice.whole(1, 3_000) * MS
      yield* askAgain(dice, {
        ask: 'resume', button: button.id, body: { ...own, ...fade(dice, 'fadeInMs') },
      })
      yield seconds(dice, 1, 20)
    }
    const body = dice.chance(0.5) ? { executionId: id, ...fade(dice, 'fadeOutMs') } : null
    yield* askAgain(dice, { ask: 'stop', button: button.id, body })
    yield dice.whole(0, 2_500) * MS
  }

  *#breakTime(dice: Dice): Client {
    const bed = this.#bed
    this.#bed = null
    if (bed !== null) {
      const body = dice.chance(0.5) ? null : { executionId: bed.id, fadeOutMs: 3_000 }
      if (dice.chance(0.3)) yield* this.#changeMind(dice, bed)
      yield* askAgain(dice, { ask: 'stop', button: bed.button.id, body })
    }
    yield* breakTime(this.buttons, dice)
  }

  /** A pause, and then rather a stop. */
  *#changeMind(dice: Dice, { button, id }: Bed): Client {
    yield { ask: 'pause', button: button.id, body: { executionId: id, fadeOutMs: 2_000 } }
    yield dice.whole(0, 1_900) * MS
  }
}
