// A simulated year: music from morning to night, a quiz every evening, every change on its frame.
import { flagsOf } from '../commands/arguments.js'
import type { Request } from './night-answers.js'
import { DirectDoor } from './night-doors.js'
import type { Played } from './night-run.js'
import { MS, SECOND, type ShowSpec } from './night-show.js'
import { Watch, Wrong } from './night-watch.js'
import { PLAIN_BUTTON, PLAIN_LIST } from '../scenario/scenario.js'
import { pathOf } from '../scenario/show.js'

const HOUR = 3600 * SECOND
const TRACKS = 24
const CROSSFADE_MS = 3_000
const QUESTIONS = 40
const BED = TRACKS
const STING = TRACKS + 1
const LATE = TRACKS + 2
const LATE_TRACKS = 7
/** In a hall the first of a list sounds so long after its start. */
const READY = 240
/** Opens at ten, one restart at noon, the quiz at eight, music until it closes at midnight. */
const DAY = {
  music: 10 * HOUR, noon: 12 * HOUR, quiz: 20 * HOUR, late: 22 * HOUR, last: 23.5 * HOUR,
  close: 24 * HOUR,
} as const

const trackFrames = (n: number): number => (180 + ((n * 37) % 90)) * SECOND
const lateFrames = (n: number): number => (150 + ((n * 53) % 100)) * SECOND + n * 1_001

/**
 * Twenty-four tracks that follow one another with a crossfade; a bed that loops; a sting with
 * lights; and seven late tracks that follow one another on the frame.
 */
const show = (): ShowSpec => {
  const lengths = new Map<string, number>()
  const track = (n: number, frames: number) => {
    lengths.set(pathOf(n), frames)
    return { ...PLAIN_BUTTON, file: n }
  }
  const tracks = Array.from({ length: TRACKS }, (_, n) => track(n, trackFrames(n)))
  const bed = { ...track(BED, 95 * SECOND), pauseWhenReplaced: true, fadeOutMs: 500 }
  const lights = { loop: false, durationMs: 11_000 }
  const sting = { ...track(STING, 12 * SECOND), lights }
  const late = Array.from({ length: LATE_TRACKS }, (_, n) => track(LATE + n, lateFrames(n)))
  return {
    lengths, probed: [...lengths.keys()],
    lists: [
      {
        ...PLAIN_LIST, mode: 'sequence', wrap: true, mixOnTransition: true,
        crossfadeMs: CROSSFADE_MS, buttons: tracks,
      },
      { ...PLAIN_LIST, buttons: [bed, sting] },
      { ...PLAIN_LIST, mode: 'sequence', wrap: true, buttons: late },
    ],
  }
}

export interface YearResult {
  readonly days: number
  readonly runs: number
  readonly events: number
  readonly hash: string
  /** In plain words; null where all went as it can be worked out beforehand. */
  readonly wrong: string | null
}

/** So many runs a list makes from its first on: each lasts its length, less what it is mixed. */
const runsWithin = (frames: number, first: number, lengths: (n: number) => number): number => {
  let runs = 1
  for (let end = READY + lengths(first); end <= frames; end += lengths(first + runs - 1)) {
    runs += 1
  }
  return runs
}

class Year {
  readonly #watch = new Watch(show(), null, false)
  readonly #door = new DirectDoor(this.#watch.hall, [])
  /** Worked out from lengths alone, beside the book. */
  #runsDue = 0

  async live(days: number): Promise<YearResult> {
    let day = 0
    let wrong: string | null = null
    try {
      for (; day < days; day += 1) await this.#day(day * DAY.close)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      wrong = error.message
    }
    const { book, events, hash } = this.#watch
    return { days: day, runs: book.ended.length + book.live.length, events, hash, wrong }
  }

  async #day(morning: number): Promise<void> {
    const watch = this.#watch
    const mixed = (n: number): number => trackFrames(n % TRACKS) - CROSSFADE_MS * MS
    watch.passTo(morning + DAY.music)
    await this.#command('play', 0, null)
    const noonRuns = runsWithin(DAY.noon - DAY.music, 0, mixed)
    watch.passTo(morning + DAY.noon)
    const now = this.#newest('at noon')
    await this.#command('restart', now.piece.n, null)
    watch.passTo(morning + DAY.quiz)
    this.#runsDue += noonRuns + runsWithin(DAY.quiz - DAY.noon, now.piece.n, mixed)
    this.#count('at the quiz')
    await this.#quiz()
    watch.passTo(morning + DAY.late)
    await this.#nothingLeft('after the quiz')
    await this.#command('play', LATE, {})
    watch.passTo(morning + DAY.last)
    const late = (n: number): number => lateFrames(n % LATE_TRACKS)
    this.#runsDue += runsWithin(DAY.last - DAY.late, 0, late)
    await watch.ask({ ask: 'panic', body: { fadeOutMs: 5_000 } }, this.#door)
    watch.passTo(morning + DAY.close)
    this.#count('at midnight')
    await this.#nothingLeft('at midnight')
  }

  async #quiz(): Promise<void> {
    const watch = this.#watch
    const options = { loop: true, externalSequencing: true, loopCrossfadeMs: 2_000 }
    await this.#command('play', BED, options)
    watch.passTo(watch.now + READY)
    const bed = this.#newest('at the quiz')
    const own = { executionId: bed.id }
    for (let n = 0; n < QUESTIONS; n += 1) {
      watch.passTo(watch.now + 90 * SECOND + n * 7)
      await this.#command('pause', BED, { ...own, fadeOutMs: n % 4 === 3 ? 0 : 500 })
      watch.passTo(watch.now + SECOND)
      await this.#poll(bed)
      await this.#command('play', STING, null)
      const sting = this.#newest('at a question')
      watch.passTo(watch.now + 12 * SECOND + READY)
      await this.#poll(sting)
      await this.#poll(bed)
      await this.#command('resume', BED, { ...own, fadeInMs: 300 })
    }
    await this.#command('stop', BED, { ...own, fadeOutMs: 2_000 })
    this.#runsDue += 1 + QUESTIONS
  }

  async #command(
    ask: 'play' | 'restart' | 'pause' | 'resume' | 'stop', n: number,
    body: Readonly<Record<string, unknown>> | null,
  ): Promise<void> {
    const { id: button } = this.#watch.book.pieces[n]!
    await this.#watch.ask({ ask, button, body }, this.#door)
  }

  async #poll(run: Played): Promise<void> {
    const request: Request = { ask: 'execution', id: run.id ?? '' }
    await this.#watch.ask(request, this.#door)
  }

  #newest(when: string): Played {
    const run = this.#watch.book.live.at(-1)
    if (run === undefined) throw new Error(`bug: nothing plays ${when}`)
    return run
  }

  /** The book is checked too: as many runs as the lengths of the tracks give. */
  #count(when: string): void {
    const { ended, live } = this.#watch.book
    const runs = ended.length + live.length
    if (runs !== this.#runsDue) {
      throw new Error(`bug: ${runs} runs in the book ${when}, by their lengths ${this.#runsDue}`)
    }
  }

  async #nothingLeft(when: string): Promise<void> {
    const { body } = await this.#watch.ask({ ask: 'status' }, this.#door)
    if (JSON.stringify([body['active'], body['paused']]) !== '[[],[]]') {
      throw new Error(`bug: the book has something live ${when}`)
    }
  }
}

export const liveYear = (days: number): Promise<YearResult> => new Year().live(days)

export const year = async (argv: readonly string[]): Promise<number> => {
  const flags = flagsOf(argv, ['days'], ['json'])
  const begin = process.hrtime.bigint()
  const result = await liveYear(flags.number('days', 365))
  const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
  if (result.wrong !== null) process.stderr.write(`${result.wrong}\n`)
  if (flags.has('json')) process.stdout.write(`${JSON.stringify({ ...result, wallSeconds })}\n`)
  else {
    process.stdout.write(
      `${result.days} days, ${result.runs} runs, ${result.events} events in ` +
      `${wallSeconds.toFixed(2)} s, hash ${result.hash}: ${result.wrong ?? 'as worked out'}\n`,
    )
  }
  return result.wrong === null ? 0 : 1
}
