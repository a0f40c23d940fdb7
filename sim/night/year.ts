// A simulated year: music from morning to night, a quiz every evening, every change on its frame.
import { flagsOf } from '../commands/arguments.js'
import { DirectConnection } from './connections.js'
import { JudgedPlayer, Wrong } from './judged-player.js'
import { longShow, MS, QUICK_FILE, SECOND, type LongShow } from './night-show.js'
import { Violation } from '../oracle/judge.js'
import type { ModelRun } from '../oracle/model/shapes.js'
import { PLAIN_BUTTON, PLAIN_LIST, type FileSpec } from '../scenario/scenario.js'

const HOUR = 3600 * SECOND
const TRACKS = 24
const CROSSFADE_MS = 3_000
const QUESTIONS = 40
const BED = TRACKS
const STING = TRACKS + 1
const LATE = TRACKS + 2
const LATE_TRACKS = 7
/** The first of a list sounds so long after its start. */
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
const show = (): LongShow => {
  const files: FileSpec[] = []
  const track = (n: number, frames: number) => {
    files[n] = { ...QUICK_FILE, frames }
    return { ...PLAIN_BUTTON, file: n }
  }
  const tracks = Array.from({ length: TRACKS }, (_, n) => track(n, trackFrames(n)))
  const bed = { ...track(BED, 95 * SECOND), pauseWhenReplaced: true, fadeOutMs: 500 }
  const lights = { loop: false, durationMs: 11_000 }
  const sting = { ...track(STING, 12 * SECOND), lights }
  const late = Array.from({ length: LATE_TRACKS }, (_, n) => track(LATE + n, lateFrames(n)))
  const sequence = { ...PLAIN_LIST, mode: 'sequence', wrap: true } as const
  return longShow(files, [
    { ...sequence, mixOnTransition: true, crossfadeMs: CROSSFADE_MS, buttons: tracks },
    { ...PLAIN_LIST, buttons: [bed, sting] },
    { ...sequence, buttons: late },
  ], [...files.keys()])
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
  readonly #judged = new JudgedPlayer(show(), null, false)
  readonly #connection = new DirectConnection(this.#judged.player, [])
  readonly #model = this.#judged.oracle.model
  #asked = 0
  /** Worked out from lengths alone, beside the model. */
  #runsDue = 0

  async live(days: number): Promise<YearResult> {
    let day = 0
    let wrong: string | null = null
    try {
      for (; day < days; day += 1) await this.#day(day * DAY.close)
    } catch (error) {
      if (!(error instanceof Wrong) && !(error instanceof Violation)) throw error
      wrong = error.message
    }
    const { events, hash } = this.#judged
    return { days: day, runs: this.#model.state.known.size, events, hash, wrong }
  }

  async #day(morning: number): Promise<void> {
    const judged = this.#judged
    const mixed = (n: number): number => trackFrames(n % TRACKS) - CROSSFADE_MS * MS
    judged.passTo(morning + DAY.music)
    await this.#command('play', 0, null)
    const noonRuns = runsWithin(DAY.noon - DAY.music, 0, mixed)
    judged.passTo(morning + DAY.noon)
    const now = this.#newest('at noon')
    await this.#command('restart', now.button.n, null)
    judged.passTo(morning + DAY.quiz)
    this.#runsDue += noonRuns + runsWithin(DAY.quiz - DAY.noon, now.button.n, mixed)
    this.#count('at the quiz')
    await this.#quiz()
    judged.passTo(morning + DAY.late)
    await this.#nothingLeft('after the quiz')
    await this.#command('play', LATE, {})
    judged.passTo(morning + DAY.last)
    const late = (n: number): number => lateFrames(n % LATE_TRACKS)
    this.#runsDue += runsWithin(DAY.last - DAY.late, 0, late)
    await judged.ask({ ask: 'panic', body: { fadeOutMs: 5_000 } }, this.#connection)
    judged.passTo(morning + DAY.close)
    this.#count('at midnight')
    await this.#nothingLeft('at midnight')
    await this.#forgotten()
  }

  async #quiz(): Promise<void> {
    const judged = this.#judged
    const options = { loop: true, externalSequencing: true, loopCrossfadeMs: 2_000 }
    await this.#command('play', BED, options)
    judged.passTo(judged.now + READY)
    const bed = this.#newest('at the quiz')
    const own = { executionId: bed.id }
    for (let n = 0; n < QUESTIONS; n += 1) {
      judged.passTo(judged.now + 90 * SECOND + n * 7)
      await this.#command('pause', BED, { ...own, fadeOutMs: n % 4 === 3 ? 0 : 500 })
      judged.passTo(judged.now + SECOND)
      await this.#poll(bed)
      await this.#command('play', STING, null)
      const sting = this.#newest('at a question')
      judged.passTo(judged.now + 12 * SECOND + READY)
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
    const { id: button } = this.#judged.buttons[n]!
    await this.#judged.ask({ ask, button, body }, this.#connection)
  }

  async #poll({ id }: ModelRun): Promise<void> {
    await this.#judged.ask({ ask: 'execution', id }, this.#connection)
  }

  #newest(when: string): ModelRun {
    const run = this.#model.state.live.at(-1)
    if (run === undefined) throw new Error(`bug: nothing plays ${when}`)
    return run
  }

  /** The model is checked too: as many runs as the lengths of the tracks give. */
  #count(when: string): void {
    const runs = this.#model.state.known.size
    if (runs !== this.#runsDue) {
      throw new Error(`bug: ${runs} runs ${when}, by their lengths ${this.#runsDue}`)
    }
  }

  /** 3.2 Retention: each run of the day is forgotten by midnight, when ten minutes are over. */
  async #forgotten(): Promise<void> {
    const { ended } = this.#model.state
    for (; this.#asked < ended.length; this.#asked += 1) await this.#poll(ended[this.#asked]!)
  }

  async #nothingLeft(when: string): Promise<void> {
    const { body } = await this.#judged.ask({ ask: 'status' }, this.#connection)
    if (JSON.stringify([body['active'], body['paused']]) !== '[[],[]]') {
      throw new Error(`bug: something is live ${when}`)
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
