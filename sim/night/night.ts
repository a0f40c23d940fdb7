// Four hours of a quiz night as its clients make it, by plain calls or through the real server.
import { flagsOf } from '../commands/arguments.js'
import type { Client } from './client.js'
import { buzzers, dashboard, eventReader, faultyClient, lateReader } from './other-clients.js'
import { Quiz } from './quiz-client.js'
import type { Answer } from './requests.js'
import { directConnection, HttpConnection } from './connections.js'
import { nightShow, SECOND } from './night-show.js'
import { JudgedPlayer, Wrong, type Connection } from './judged-player.js'
import { Violation } from '../oracle/judge.js'
import { differenceOf } from '../play/seeds.js'
import { diceOf } from '../scenario/random.js'
import { digestOf } from '../world/digest.js'

const RETENTION = 600 * SECOND
/** Longer than any fade of the night. */
const LAST_FADE = 10 * SECOND

interface Waiting {
  readonly client: Client
  at: number
}

class Night {
  readonly #judged = new JudgedPlayer(nightShow())
  readonly #connection: Connection
  readonly #quiz: Quiz
  readonly #clients: readonly Waiting[]

  constructor(seed: number, http: boolean) {
    const { buttons, player, told, oracle: { model } } = this.#judged
    this.#connection = http ? new HttpConnection(player, told) : directConnection(player, told)
    this.#quiz = new Quiz(buttons, seed, () => player.now)
    const dice = (n: number) => diceOf(seed * 64 + 32 + n)
    this.#clients = [
      ...this.#quiz.clients(), buzzers(buttons, dice(0)), dashboard(dice(1)),
      eventReader(dice(2)), lateReader(model, dice(3)), faultyClient(model, buttons, dice(4)),
    ].map((client) => ({ client, at: 0 }))
  }

  async spend(frames: number) {
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
    const { requests, records, oracle, judge } = this.#judged
    return {
      requests, records, hash: digestOf(records),
      /** Natural ends that the quiz app heard of. */
      ends: this.#quiz.ends,
      /** In plain words; null where all was as it should be. */
      wrong,
      runs: oracle.model.state.known.size,
      /** How many rules were put to the test. */
      rules: judge.tested.size,
    }
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
      const { value: step } = waiting.client.next(answer)
      if (typeof step === 'number') {
        waiting.at = this.#judged.now + step
        return
      }
      answer = null
      if (step === undefined) throw new Error('bug: a client has no more to ask')
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
    for (const wait of [LAST_FADE, RETENTION]) {
      judged.passTo(judged.now + wait)
      if (state.live.length + lights.live.size > 0) throw new Error('bug: a fade without end')
      judged.oracle.afterOp()
      await judged.ask({ ask: 'status' }, this.#connection)
      await judged.ask({ ask: 'buttons' }, this.#connection)
      for (const { id } of state.ended) await judged.ask({ ask: 'execution', id }, this.#connection)
    }
  }
}

export const spendNight = (hours: number, http: boolean, seed: number) =>
  new Night(seed, http).spend(hours * 3600 * SECOND)

export const night = async (argv: readonly string[]): Promise<number> => {
  const flags = flagsOf(argv, { hours: 4, seed: 1, http: false })
  const { hours, seed } = flags
  const direct = await spendNight(hours, false, seed)
  const http = flags.http ? await spendNight(hours, true, seed) : null
  const wrong = direct.wrong ?? http?.wrong ??
    (http === null ? null : differenceOf(direct, http, 'through HTTP, and not by plain calls'))
  if (wrong !== null) {
    process.stderr.write(`night of seed ${seed}: ${wrong}\n`)
    const through = http === null ? '' : ' --http'
    process.stderr.write(`again: npm run sim -- night${through} --hours ${hours} --seed ${seed}\n`)
  }
  const { records: { length: records }, ...result } = http ?? direct
  const { requests, ends, runs, rules, hash } = result
  return flags.report(wrong === null, { ...result, records, wrong },
    `${hours} hours, ${requests} requests, ${runs} runs, ${records} records, ${ends} natural ` +
    `ends of beds, ${rules} rules, hash ${hash}: ${wrong ?? 'as it should be'}`)
}
