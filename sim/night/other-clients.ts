// Who else asks during a quiz night: buzzers, a dashboard, readers, and one that must be refused.
import { pollGap, seconds, start, type Client } from './client.js'
import { AUTHORITY, PREFIX, type Request, type WireRequest } from './requests.js'
import type { Model } from '../oracle/model/model.js'
import { MS, NIGHT, SECOND } from './night-show.js'
import type { ModelButton } from '../oracle/model/shapes.js'
import type { Dice } from '../scenario/random.js'
import { UNKNOWN_ID as NOBODY } from '../scenario/show.js'

/** Teams press what they like, over everything else. */
export function* buzzers(buttons: readonly ModelButton[], dice: Dice): Client {
  for (;;) {
    yield seconds(dice, 6, 30)
    const { id: button } = buttons[dice.pick(NIGHT.buzzers)]!
    // Now and then one silences everything else.
    const body = dice.chance(0.04) ? { allowOverlap: false } : null
    const { id } = yield* start(dice, 'play', button, body, null)
    const own = { executionId: id ?? NOBODY }
    if (dice.chance(0.15)) yield { ask: 'pause', button, body: own }
    yield dice.whole(0, 1_800) * MS
    yield dice.weigh<Request>([
      [2, { ask: 'play', button, body: { loop: true } }],
      [2, { ask: 'restart', button, body: { loopCrossfadeMs: 0 } }],
      [2, { ask: 'stop', button, body: { ...own, fadeOutMs: dice.whole(0, 900) } }],
      [1, { ask: 'resume', button, body: own }],
    ])
  }
}

/** Shows everything on a screen: the status and the catalogue, and polls each run that it met. */
export function* dashboard(dice: Dice): Client {
  for (let turn = 1; ; turn += 1) {
    const body = (yield { ask: 'status' })?.body ?? {}
    if (turn % 6 === 0) yield { ask: 'buttons' }
    const items = ['active', 'paused'].flatMap((name) =>
      (body[name] ?? []) as readonly { readonly executionId: string | null }[])
    for (let look = 0; look < 6; look += 1) {
      yield pollGap(dice)
      for (const { executionId: id } of items) if (id !== null) yield { ask: 'execution', id }
    }
  }
}

export function* eventReader(dice: Dice): Client {
  for (let after = 0; ;) {
    yield seconds(dice, 15, 45)
    const answer = yield { ask: 'events', after }
    after += ((answer?.body['events'] ?? []) as readonly unknown[]).length
  }
}

/**
 * Reads what is long over: ten minutes after its end to the frame a run is still there, and one
 * frame later it is gone. It knows the ends from the model, as no client could.
 */
export function* lateReader({ state }: Model, dice: Dice): Client {
  for (let n = 0; ; n += dice.whole(1, 4)) {
    while (state.ended[n] === undefined) yield 5 * SECOND
    const { id, endedAt, button } = state.ended[n]!
    const left = endedAt + 600 * SECOND - state.now
    if (left < 0) continue
    yield left
    yield { ask: 'execution', id }
    yield 1
    yield { ask: 'execution', id }
    const ask = dice.pick(['pause', 'resume', 'stop'] as const)
    yield { ask, button: button.id, body: { executionId: id } }
  }
}

/** Requests that must be refused, each with its own status and error, and change nothing. */
export function* faultyClient(model: Model, buttons: readonly ModelButton[], dice: Dice): Client {
  const faults = wireFaults(buttons[0]!.id)
  for (;;) {
    yield seconds(dice, 5, 20)
    yield dice.chance(0.5) ? dice.pick(faults) : stale(model, buttons, dice)
  }
}

/** Requests that are well made and come too late, to the wrong one, or to nobody. */
const stale = ({ state, lights }: Model, buttons: readonly ModelButton[], dice: Dice): Request => {
  const button = dice.pick(buttons).id
  const navigation = buttons[NIGHT.navigation]!.id
  const run = state.ended.length === 0 ? null : dice.pick(state.ended.slice(-20))
  const executionId = dice.chance(0.2) ? NOBODY : (run?.id ?? NOBODY)
  const target = dice.chance(0.3) ? button : (run?.button.id ?? button)
  // A live timeline refuses a sequence that it has had.
  const used = [...lights.live.values()].filter(({ sequence }) => sequence >= 1)
  const lit = [NOBODY, ...used.map(({ id }) => id), ...[...lights.ended.keys()].slice(-3)]
  const sync = { executionId: dice.pick(lit), sequence: 1, positionMs: 0, isPlaying: true }
  return dice.weigh<Request>([
    [1, { ask: 'play', button: NOBODY, body: null }],
    [1, { ask: 'restart', button: buttons[NIGHT.missing]!.id, body: null }],
    [1, { ask: dice.pick(['play', 'stop']), button: navigation, body: {} }],
    [1, { ask: 'execution', id: executionId }],
    [2, { ask: 'pause', button: target, body: { executionId, fadeOutMs: 0 } }],
    [2, { ask: 'resume', button: target, body: { executionId } }],
    [2, { ask: 'stop', button: target, body: { executionId, fadeOutMs: 0 } }],
    [3, { ask: 'dmx/sync', button, body: sync }],
  ])
}

/** D1: what never gets past the wire, one of each kind; a null error is an answer without one. */
const wireFaults = (button: string): readonly Request[] => {
  const of = (word: string): string => `${PREFIX}/buttons/${button}/${word}`
  const own = `"executionId":"${NOBODY}"`
  const json = { 'content-type': 'application/json' }
  const asked = (
    method: WireRequest['method'], path: string, status: number, error: string | null,
    headers = {},
  ): WireRequest => ({ ask: 'wire', method, path, headers, payload: null, status, error })
  const sent = (
    path: string, payload: string, status: number, error: string, headers: object = json,
  ): Request => ({ ...asked('POST', path, status, error, headers), payload })
  const bad = (path: string, payload: string): Request =>
    sent(path, payload, 400, 'invalid_playback_request')
  return [
    asked('GET', `${PREFIX}/status`, 403, 'host_rejected', { host: 'localhost:47831' }),
    asked('GET', `${PREFIX}/status/`, 404, 'not_found'),
    asked('GET', of('play'), 405, 'method_not_allowed'),
    asked('HEAD', `${PREFIX}/status`, 200, null),
    asked('OPTIONS', of('stop'), 204, null, { origin: `http://${AUTHORITY}` }),
    asked('GET', `${PREFIX}/openapi.json`, 200, null),
    asked('GET', `${PREFIX}/executions/last`, 400, 'invalid_execution_id'),
    asked('POST', of('pause'), 400, 'execution_id_required'),
    sent(of('play'), '{}', 415, 'json_required', { 'content-type': 'text/plain' }),
    sent(of('play'), `{"x":"${'a'.repeat(1_017)}"}`, 413, 'body_too_large'),
    sent(`${PREFIX}/buttons/bed-1/play`, '{}', 400, 'invalid_button_id'),
    sent(of('stop'), '{"executionId":"last"}', 400, 'invalid_execution_id'),
    ...['{', '[]', '{"__proto__":{}}', '{"loop":"yes"}', '{"loopCrossfadeMs":60001}']
      .map((body) => bad(of('restart'), body)),
    ...['"400"', '1.5', '60001', '-1', 'null'].map((ms) =>
      bad(of('pause'), `{${own},"fadeOutMs":${ms}}`)),
    ...['"sequence":-1', '"positionMs":-0.1', '"isPlaying":1', '"forceSeek":1'].map((fault) =>
      bad(of('dmx/sync'), `{${own},"sequence":1,"positionMs":0,"isPlaying":true,${fault}}`)),
  ]
}
