// A simulated year: background music from morning to night, and a quiz every evening.
import type { EngineEvent } from '../src/engine/events.js'
import { NO_OPTIONS, type Reply, type RunOptions } from '../src/engine/commands.js'
import { flagsOf } from './arguments.js'
import { Digest } from './digest.js'
import { Hall } from './hall.js'
import { PLAIN_BUTTON, PLAIN_LIST, type ListSpec } from './scenario.js'
import { buttonId, pathOf, PLAIN_NAMING } from './show.js'

const SECOND = 48_000
const HOUR = 3600 * SECOND
const TRACKS = 24
const CROSSFADE_MS = 3_000
const QUESTIONS = 40
const BED = TRACKS
const STING = TRACKS + 1
/** Opens at ten, the quiz at twenty, closes at midnight. */
const DAY = { music: 10 * HOUR, quiz: 20 * HOUR, close: 24 * HOUR } as const

const trackFrames = (n: number): number => (180 + ((n * 37) % 90)) * SECOND

/** Twenty-four tracks that follow one another with a crossfade; a bed that loops; a sting. */
const show = (): { lists: readonly ListSpec[]; lengths: Map<string, number> } => {
  const lengths = new Map<string, number>()
  const tracks = Array.from({ length: TRACKS }, (_, n) => {
    lengths.set(pathOf(n), trackFrames(n))
    return { ...PLAIN_BUTTON, file: n }
  })
  lengths.set(pathOf(BED), 95 * SECOND)
  lengths.set(pathOf(STING), 12 * SECOND)
  const bed = { ...PLAIN_BUTTON, file: BED, pauseWhenReplaced: true, fadeOutMs: 500 }
  const sting = { ...PLAIN_BUTTON, file: STING, lights: { loop: false, durationMs: 11_000 } }
  return {
    lengths,
    lists: [
      {
        ...PLAIN_LIST, mode: 'sequence', wrap: true, mixOnTransition: true,
        crossfadeMs: CROSSFADE_MS, buttons: tracks,
      },
      { ...PLAIN_LIST, buttons: [bed, sting] },
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

const button = (n: number): string => buttonId(n, PLAIN_NAMING)

class Year {
  readonly #digest = new Digest()
  readonly #hall: Hall
  #events = 0
  #runs = 0
  #failed = 0
  /** Frames at which tracks must begin today, worked out without the engine. */
  #due: number[] = []
  #met = 0
  #wrong: string | null = null

  constructor() {
    const { lists, lengths } = show()
    this.#hall = new Hall(lists, lengths, (event) => this.#hear(event))
  }

  live(days: number): YearResult {
    let day = 0
    for (; day < days && this.#wrong === null; day += 1) this.#day(day * DAY.close)
    return {
      days: day, runs: this.#runs, events: this.#events, hash: this.#digest.hex,
      wrong: this.#failed > 0 ? `${this.#failed} runs failed` : this.#wrong,
    }
  }

  #hear(event: EngineEvent): void {
    this.#events += 1
    if (event.kind !== 'run') return
    this.#digest.add(`${event.at} ${event.state} ${event.positionMs} ${event.buttonId}`)
    if (event.state === 'failed') this.#failed += 1
    if (event.state !== 'starting') return
    this.#runs += 1
    if (event.cause !== 'sequence') return
    const due = this.#due[this.#met]
    this.#met += 1
    if (event.at !== due) this.#wrong ??= `a track began at ${event.at}, due at ${String(due)}`
  }

  #day(morning: number): void {
    this.#hall.passTo(morning + DAY.music)
    this.#planTracks(morning + DAY.music, morning + DAY.quiz)
    this.#play(0, NO_OPTIONS)
    this.#hall.passTo(morning + DAY.quiz)
    this.#expect('tracks begun', this.#met, this.#due.length)
    this.#quiz()
    this.#hall.passTo(morning + DAY.close)
    this.#expect('runs at midnight', this.#hall.ledger.live().length, 0)
  }

  /** The first is ready 5 ms after its start; each next one begins a crossfade before the end. */
  #planTracks(from: number, to: number): void {
    this.#due = []
    this.#met = 0
    let begin = from + 240
    for (let n = 0; ; n = (n + 1) % TRACKS) {
      begin += trackFrames(n) - CROSSFADE_MS * 48
      if (begin > to) return
      this.#due.push(begin)
    }
  }

  #quiz(): void {
    const hall = this.#hall
    const bed = this.#play(BED, { ...NO_OPTIONS, loop: true, externalSequencing: true })
    for (let n = 0; n < QUESTIONS; n += 1) {
      hall.passTo(hall.now + 90 * SECOND + n * 7)
      this.#reply(hall.ask({
        kind: 'pause', buttonId: button(BED), executionId: bed, fadeOutMs: 500,
      }))
      hall.passTo(hall.now + SECOND)
      const held = hall.execution(bed)
      const sting = this.#play(STING, NO_OPTIONS)
      hall.passTo(hall.now + 12 * SECOND + 240)
      this.#expect('sting', hall.execution(sting)?.state, 'completed')
      this.#expect('held position', hall.execution(bed)?.positionMs, held?.positionMs)
      this.#reply(hall.ask({
        kind: 'resume', buttonId: button(BED), executionId: bed, fadeInMs: 300,
      }))
      this.#expect('bed', hall.execution(bed)?.state, 'playing')
    }
    this.#reply(hall.ask({
      kind: 'stop', buttonId: button(BED), executionId: bed, fadeOutMs: 2_000,
    }))
  }

  #play(n: number, options: RunOptions): string {
    const body = this.#reply(this.#hall.ask({ kind: 'play', buttonId: button(n), options }))
    return String(body['executionId'])
  }

  #reply(reply: Reply): Readonly<Record<string, unknown>> {
    if (!reply.ok) {
      this.#wrong ??= `refused: ${reply.refusal.code}`
      return {}
    }
    return reply.body
  }

  #expect(what: string, is: unknown, should: unknown): void {
    if (is !== should) {
      this.#wrong ??= `${what}: ${String(is)}, should be ${String(should)} at ${this.#hall.now}`
    }
  }
}

export const liveYear = (days: number): YearResult => new Year().live(days)

export const year = (argv: readonly string[]): number => {
  const flags = flagsOf(argv, ['days'], ['json'])
  const begin = process.hrtime.bigint()
  const result = liveYear(flags.number('days', 365))
  const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
  if (flags.has('json')) process.stdout.write(`${JSON.stringify({ ...result, wallSeconds })}\n`)
  else {
    process.stdout.write(
      `${result.days} days, ${result.runs} runs, ${result.events} events in ` +
      `${wallSeconds.toFixed(2)} s, hash ${result.hash}: ${result.wrong ?? 'as worked out'}\n`,
    )
  }
  return result.wrong === null ? 0 : 1
}
