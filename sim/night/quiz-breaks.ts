// What the quiz app does beside its questions: breaks with music from a list, sponsors, and slips.
import { askAgain, fade, pollGap, seconds, start, type Client } from './client.js'
import { MS, NIGHT } from './night-show.js'
import type { ModelButton } from '../oracle/model/shapes.js'
import type { Json } from '../oracle/readings.js'
import type { Dice } from '../scenario/random.js'

/** Music from a list, a picture and a lamp; in the end everything is stopped at once. */
export function* breakTime(buttons: readonly ModelButton[], dice: Dice): Client {
  const picture = buttons[dice.pick(NIGHT.pictures)]!.id
  const lamp = buttons[dice.pick(NIGHT.lamps)]!.id
  yield { ask: 'play', button: picture, body: null }
  yield { ask: dice.chance(0.5) ? 'play' : 'restart', button: lamp, body: null }
  const first = buttons[dice.pick(NIGHT.music)]!
  const over = buttons[NIGHT.thinking[2]]!
  const before = dice.chance(0.4)
  if (before) yield { ask: 'play', button: over.id, body: { loop: true } }
  const options = before ? { allowOverlap: true }
    : dice.chance(0.2) ? { loop: true, loopCrossfadeMs: 1_000 } : null
  yield* start(dice, 'play', first.id, options, null)
  yield seconds(dice, 3, 8)
  yield { ask: 'play', button: lamp, body: null }
  yield { ask: dice.chance(0.5) ? 'play' : 'restart', button: picture, body: null }
  if (dice.chance(0.3)) yield { ask: 'play', button: over.id, body: { loop: true } }
  const pauses = dice.whole(0, 3)
  for (let n = 0; n < pauses; n += 1) yield* hush(buttons, dice)
  yield seconds(dice, 60, 160)
  if (dice.chance(0.3)) yield { ask: 'stop', button: picture, body: null }
  yield { ask: 'stop', button: lamp, body: null }
  yield { ask: 'panic', body: dice.weigh<Json | null>([[1, null], [1, { fadeOutMs: 2_000 }]]) }
  yield { ask: 'stop', button: picture, body: null }
  yield dice.whole(0, 2_500) * MS
}

/** Somebody wants to say something: the music of the break is paused by a long fade. */
function* hush(buttons: readonly ModelButton[], dice: Dice): Client {
  yield seconds(dice, 5, 60)
  const answer = yield { ask: 'status' }
  const items = (answer?.body['active'] ?? []) as readonly Json[]
  const music = NIGHT.music.map((n) => buttons[n]!.id)
  const [item, more] = items.filter(({ id }) => music.includes(String(id)))
  // While one blends into the next there are two, and which is meant only a person knows.
  if (item === undefined || more !== undefined) return
  const own = { executionId: item['executionId'] }
  const button = String(item['id'])
  const left = Number(item['durationMs']) - Number(item['positionMs'])
  const late = dice.chance(0.4)
  // A long fade close to the end: the end is reached inside it, and then nothing follows.
  if (late) yield Math.max(0, left - dice.whole(3_500, 9_000)) * MS
  const fadeOutMs = late ? dice.whole(10_000, 20_000) : dice.whole(0, 20_000)
  yield* askAgain(dice, { ask: 'pause', button, body: { ...own, fadeOutMs } })
  yield seconds(dice, 1, 25)
  yield* askAgain(dice, { ask: 'resume', button, body: { ...own, ...fade(dice, 'fadeInMs') } })
}

/** Pressed by mistake, and something else a moment later, before the first is heard. */
export function* fumble(buttons: readonly ModelButton[], dice: Dice): Client {
  const wrong = buttons[dice.pick([...NIGHT.videos, ...NIGHT.thinking])]!
  yield { ask: 'play', button: wrong.id, body: null }
  yield dice.whole(0, 480)
}

/** Four in a row without a gap; the app waits until nothing of them is left in the status. */
export function* sponsors(buttons: readonly ModelButton[], dice: Dice): Client {
  const ids = NIGHT.sponsors.map((n) => buttons[n]!.id)
  const held = ids[3]!
  if (dice.chance(0.4)) {
    // One of them is on hold: it has a run already, and the list passes it over.
    const alone = { externalSequencing: true }
    const { id } = yield* start(dice, 'play', held, alone, null)
    yield* askAgain(dice, { ask: 'pause', button: held, body: { executionId: id ?? held } })
  }
  const body = dice.weigh<Json | null>([
    [2, {}], [2, null], [1, { externalSequencing: true }], [1, { loop: false }],
  ])
  yield* start(dice, 'play', ids[0]!, body, null)
  for (;;) {
    yield pollGap(dice)
    const answer = yield { ask: 'status' }
    const active = (answer?.body['active'] ?? []) as readonly Json[]
    if (!active.some((item) => ids.includes(String(item['id'])))) break
  }
  yield { ask: 'stop', button: held, body: null }
}
