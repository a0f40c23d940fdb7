// A client of the night, written as one story, which waits, asks, and hears the answer.
import type { Answer, Request } from './requests.js'
import { MS, SECOND } from './night-show.js'
import type { Json } from '../oracle/readings.js'
import type { Dice } from '../scenario/random.js'

/** So many frames to wait; something to ask; or the same with a loss on the way. */
export type Step =
  | number
  | Request
  | { readonly lost: 'request' | 'answer'; readonly request: Request }

/** What comes back is null after a wait, and where something was lost. */
export type Client<Result = void> = Generator<Step, Result, Answer | null>

const LOST = 0.006

/** Asks; now and then the request or its answer is lost. */
export function* askThroughNoise(dice: Dice, request: Request): Client<Answer | null> {
  if (!dice.chance(LOST)) return yield request
  return yield { lost: dice.chance(0.5) ? 'request' : 'answer', request }
}

/** Harmless twice (4.1): sent again until an answer comes, five times at most. */
export function* askAgain(dice: Dice, request: Request): Client<Answer | null> {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = yield* askThroughNoise(dice, request)
    if (answer !== null) return answer
    yield dice.whole(200, 600) * MS
  }
  return null
}

/** What a start made; nothing where the service refused it. */
const startedBy = (body: Json) => ({
  id: (body['executionId'] ?? null) as string | null,
  lightsId: (body['dmxExecutionId'] ?? null) as string | null,
})

/**
 * 4.1 restart 2: when the answer to a start is lost, the client looks at the buttons before it does
 * anything: the start may have happened. `before` is the run that it knew of.
 */
export function* start(
  dice: Dice, word: 'play' | 'restart', button: string, body: Json | null, before: string | null,
): Client<ReturnType<typeof startedBy>> {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = yield* askThroughNoise(dice, { ask: word, button, body })
    if (answer !== null) return startedBy(answer.body)
    yield dice.whole(300, 900) * MS
    const seen = yield { ask: 'buttons' }
    const entries = (seen?.body['buttons'] ?? []) as readonly Json[]
    const found = startedBy(entries.find((one) => one['id'] === button) ?? {})
    if (found.id !== null && found.id !== before) return found
  }
  return startedBy({})
}

/** 4.2: every 500 to 1000 ms. */
export const pollGap = (dice: Dice): number => dice.whole(500 * MS, 1_000 * MS)

export const seconds = (dice: Dice, low: number, high: number): number =>
  dice.whole(low * SECOND, high * SECOND)

/** So many ms, or what is saved (nothing said), or a cut. */
export const fade = (dice: Dice, name: string): Json =>
  dice.weigh<Json>([[4, {}], [3, { [name]: dice.whole(1, 1_500) }], [1, { [name]: 0 }]])
