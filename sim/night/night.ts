// Four hours of a quiz night as its clients make it, through the real server or by plain calls:
// every answer and every event is held against the reference model.
import { flagsOf } from '../commands/arguments.js'
import type { Client } from './client.js'
import { buzzers, dashboard, eventReader, faultyClient, lateReader } from './other-clients.js'
import { Quiz } from './quiz-client.js'
import type { Answer } from './requests.js'
import { DirectConnection, HttpConnection } from './connections.js'
import { nightShow, SECOND } from './night-show.js'
import { JudgedPlayer, Wrong, type Connection } from './judged-player.js'
import { Violation } from '../oracle/judge.js'
import { diceOf } from '../scenario/random.js'

const HOURS = 4
const RETENTION = 600 * SECOND
/** Longer than any fade of the night. */
const LAST_FADE = 10 * SECOND

export interface NightResult {
  readonly requests: number
  /** Natural ends that the quiz app heard of. */
  readonly ends: number
  readonly hash: string
  /** In plain words; null where all was as it should be. */
  readonly wrong: string | null
  readonly events: number
  readonly runs: number
  /** How many rules were put to the test. */
  readonly rules: number
}

/** Where a night is held against another: each record as it comes. */
export type Recorder = ((line: string) => void) | null

interface Waiting {
  readonly client: Client
  at: number
}

class Night {
  readonly #judged: JudgedPlayer
  readonly #connection: Connection
  readonly #quiz: Quiz
  readonly #clients: readonly Waiting[]

  constructor(seed: number, http: boolean, record: Recorder) {
    this.#judged = new JudgedPlayer(nightShow(), record, true)
    const { buttons, player, told, oracle: { model } } = this.#judged
    this.#connection = http ? new HttpConnection(player, told) : new DirectConnection(player, told)
    this.#quiz = new Quiz(buttons, seed, () => player.now)
    const dice = (n: number) => diceOf(seed * 64 + 32 + n)
    this.#clients = [
      ...this.#quiz.clients(), buzzers(buttons, dice(0)), dashboard(dice(1)),
      eventReader(dice(2)), lateReader(model, dice(3)), faultyClient(model, buttons, dice(4)),
    ].map((client) => ({ client, at: 0 }))
  }

  async spend(frames: number): Promise<NightResult> {
    let wrong: string | null = null
    try {
      await this.#evening(frames)
      await this.#closing()
    } catch (error) {
      if (!(error instanceof Wrong) && !(error instanceof Violation)) throw error
      wrong = error.message
    } finally {
      await this.#connection.close()
    }
    const { requests, events, hash, oracle, judge } = this.#judged
    const runs = oracle.model.state.known.size
    return { requests, ends: this.#quiz.ends, hash, wrong, events, runs, rules: judge.tested.size }
  }

  async #evening(frames: number): Promise<void> {
    for (;;) {
      let next = this.#clients[0]!
      for (const waiting of this.#clients) if (waiting.at < next.at) next = waiting
      if (next.at >= frames) return
      this.#judged.passTo(next.at)
      await this.#serve(next)
    }
  }

  /** One client, until it waits again. */
  async #serve(waiting: Waiting): Promise<void> {
    let answer: Answer | null = null
    for (;;) {
      const { value: step, done = false } = waiting.client.next(answer)
      if (done) throw new Error('bug: a client has no more to ask')
      if (typeof step === 'number') {
        waiting.at = this.#judged.now + step
        return
      }
      answer = null
      if (step === undefined) throw new Error('bug: a client asked for nothing')
      if (!('lost' in step)) answer = await this.#judged.ask(step, this.#connection)
      else if (step.lost === 'answer') await this.#judged.ask(step.request, this.#connection)
    }
  }

  /**
   * Everything is stopped, and after the fades nothing is left. Each run of the night is there if
   * it ended within ten minutes, and each older one is gone; ten minutes later all are.
   */
  async #closing(): Promise<void> {
    const judged = this.#judged
    const { state, lights } = judged.oracle.model
    await judged.ask({ ask: 'panic', body: null }, this.#connection)
    judged.passTo(judged.now + LAST_FADE)
    if (state.live.length + lights.live.size > 0) throw new Error('bug: a fade without end')
    judged.oracle.afterOp()
    await this.#askForAll()
    judged.passTo(judged.now + RETENTION)
    await this.#askForAll()
  }

  async #askForAll(): Promise<void> {
    const connection = this.#connection
    await this.#judged.ask({ ask: 'status' }, connection)
    await this.#judged.ask({ ask: 'buttons' }, connection)
    for (const { id } of this.#judged.oracle.model.state.ended) {
      await this.#judged.ask({ ask: 'execution', id }, connection)
    }
  }
}

export const spendNight = (
  hours: number, http: boolean, seed: number, record: Recorder,
): Promise<NightResult> => new Night(seed, http, record).spend(hours * 3600 * SECOND)

/** The first record at which two nights differ, in plain words; null where they are the same. */
export class Comparison {
  readonly direct: string[] = []
  first: string | null = null
  #met = 0

  meet(line: string): void {
    const should = this.direct[this.#met]
    this.#met += 1
    if (line !== should) this.#differ(line, should)
  }

  /** Both nights are over. */
  close(): void {
    const missed = this.direct[this.#met]
    if (missed !== undefined) this.#differ(undefined, missed)
  }

  #differ(http: string | undefined, direct: string | undefined): void {
    this.first ??= `record ${this.#met}: through HTTP: ${http ?? 'nothing more'}; ` +
      `by direct calls: ${direct ?? 'nothing more'}`
  }
}

interface Timed extends NightResult {
  readonly wallSeconds: number
  /** What it took of a processor, whatever else the machine was doing. */
  readonly cpuSeconds: number
}

const timed = async (
  hours: number, http: boolean, seed: number, record: Recorder,
): Promise<Timed> => {
  const begin = process.hrtime.bigint()
  const before = process.cpuUsage()
  const result = await spendNight(hours, http, seed, record)
  const { user, system } = process.cpuUsage(before)
  const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
  return { ...result, wallSeconds, cpuSeconds: (user + system) / 1e6 }
}

interface Both extends Timed {
  /** The first record at which they are not the same. */
  readonly difference: string | null
  readonly directHash: string
  readonly directWallSeconds: number
}

/** The night by direct calls, then through HTTP; the result is the second, with what came first. */
const bothNights = async (hours: number, seed: number): Promise<Both> => {
  const comparison = new Comparison()
  const direct = await timed(hours, false, seed, (line) => comparison.direct.push(line))
  const http = await timed(hours, true, seed, (line) => {
    comparison.meet(line)
  })
  comparison.close()
  const same = comparison.first === null && direct.hash === http.hash
  const difference = same ? null : (comparison.first ?? 'the hashes differ')
  const wrong = direct.wrong !== null ? `by direct calls: ${direct.wrong}`
    : http.wrong !== null ? `through HTTP: ${http.wrong}` : difference
  return {
    ...http, wrong, difference, directHash: direct.hash, directWallSeconds: direct.wallSeconds,
  }
}

export const night = async (argv: readonly string[]): Promise<number> => {
  const flags = flagsOf(argv, ['hours', 'seed'], ['http', 'json'])
  const hours = flags.number('hours', HOURS)
  const seed = flags.number('seed', 1)
  const result: Timed & Partial<Both> = flags.has('http')
    ? await bothNights(hours, seed) : await timed(hours, false, seed, null)
  const { requests, ends, events, runs, rules, hash, wrong, wallSeconds } = result
  if (wrong !== null) {
    process.stderr.write(`night of seed ${seed}: ${wrong}\n`)
    const { difference = null } = result
    if (difference !== null) process.stderr.write(`the nights differ first at ${difference}\n`)
    const http = flags.has('http') ? ' --http' : ''
    process.stderr.write(`again: npm run sim -- night${http} --hours ${hours} --seed ${seed}\n`)
  }
  if (flags.has('json')) process.stdout.write(`${JSON.stringify(result)}\n`)
  else {
    process.stdout.write(
      `${hours} hours, ${requests} requests, ${runs} runs, ${events} events, ${ends} natural ` +
      `ends of beds, ${rules} rules, in ${wallSeconds.toFixed(2)} s, hash ${hash}: ` +
      `${wrong ?? 'as it should be'}\n`,
    )
  }
  return wrong === null ? 0 : 1
}
