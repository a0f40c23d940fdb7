// Four hours of a quiz night as its clients make it, by plain calls or through the real server.
import { flagsOf } from '../commands/arguments.js'
import type { Client } from './client.js'
import { buzzers, dashboard, eventReader, faultyClient, lateReader } from './other-clients.js'
import { Quiz } from './quiz-client.js'
import type { Answer, Request } from './requests.js'
import { directConnection, httpConnection } from './connections.js'
import { nightShow, SECOND } from './night-show.js'
import { JudgedPlayer, Wrong } from './judged-player.js'
import { Violation } from '../oracle/judge.js'
import { differenceOf } from '../play/seeds.js'
import { diceOf } from '../scenario/random.js'
import { digestOf } from '../world/digest.js'

const RETENTION = 600 * SECOND
/** Longer than any fade of the night. */
const LAST_FADE = 10 * SECOND

type Ask = (request: Request) => Promise<Answer>

export const spendNight = async (hours: number, http: boolean, seed: number) => {
  const judged = new JudgedPlayer(nightShow())
  const { buttons, player, told, oracle: { model } } = judged
  const connection = http ? httpConnection(player, told) : directConnection(player, told)
  const ask: Ask = (request) => judged.ask(request, connection)
  const quiz = new Quiz(buttons, seed, () => player.now)
  const dice = (n: number) => diceOf(seed * 64 + 32 + n)
  let wrong: string | null = null
  try {
    await spendEvening(judged, hours * 3600 * SECOND, ask, [
      ...quiz.clients(), buzzers(buttons, dice(0)), dashboard(dice(1)),
      eventReader(dice(2)), lateReader(model, dice(3)), faultyClient(model, buttons, dice(4)),
    ])
    await close(judged, ask)
  } catch (error) {
    if (!(error instanceof Wrong) && !(error instanceof Violation)) throw error
    wrong = error.message
  } finally {
    await connection.close()
  }
  const { requests, records, judge } = judged
  return {
    requests, records, hash: digestOf(records),
    /** Natural ends that the quiz app heard of. */
    ends: quiz.ends,
    /** In plain words; null where all was as it should be. */
    wrong,
    runs: model.state.known.size,
    /** How many rules were put to the test. */
    rules: judge.tested.size,
  }
}

/** Whoever waits for the next moment is served first. */
const spendEvening = async (
  judged: JudgedPlayer, frames: number, ask: Ask, clients: readonly Client[],
): Promise<void> => {
  const all = clients.map((client) => ({ client, at: 0 }))
  for (;;) {
    const next = all.reduce((first, one) => one.at < first.at ? one : first)
    if (next.at >= frames) return
    judged.passTo(next.at)
    next.at += await serve(next.client, ask)
  }
}

/** One client, until it waits again: for so many frames. */
const serve = async (client: Client, ask: Ask): Promise<number> => {
  for (let answer: Answer | null = null; ;) {
    const { value: step } = client.next(answer)
    if (typeof step === 'number') return step
    if (step === undefined) throw new Error('bug: a client has no more to ask')
    answer = null
    if (!('lost' in step)) answer = await ask(step)
    else if (step.lost === 'answer') await ask(step.request)
  }
}

/**
 * Everything is stopped, and after the fades nothing is left. Each run of the night is there if
 * it ended within ten minutes, and each older one is gone; ten minutes later all are.
 */
const close = async (judged: JudgedPlayer, ask: Ask): Promise<void> => {
  const { state, lights } = judged.oracle.model
  await ask({ ask: 'panic', body: null })
  for (const wait of [LAST_FADE, RETENTION]) {
    judged.passTo(judged.now + wait)
    if (state.live.length + lights.live.size > 0) throw new Error('bug: a fade without end')
    judged.oracle.afterOp()
    await ask({ ask: 'status' })
    await ask({ ask: 'buttons' })
    for (const { id } of state.ended) await ask({ ask: 'execution', id })
  }
}

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
