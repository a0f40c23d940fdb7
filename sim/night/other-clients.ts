// Who else asks during a quiz night: buzzers, a dashboard, readers, and one that must be refused.
import { pollGap, seconds, start, type Client } from './client.js'
import type { Request } from './requests.js'
import type { Model } from '../oracle/model/model.js'
import { AUTHORITY, PREFIX } from './connections.js'
import { MS, NIGHT, SECOND } from './night-show.js'
import type { ModelButton, ModelRun } from '../oracle/model/shapes.js'
import type { Dice } from '../scenario/random.js'

const NOBODY = 'ffffffff-0000-4000-8000-ffffffffffff'

/** Teams press what they like, over everything else. */
export function* buzzers(buttons: readonly ModelButton[], dice: Dice): Client {
  for (;;) {
    yield seconds(dice, 6, 30)
    const { id: button } = buttons[dice.pick(NIGHT.buzzers)]!
    // Now and then one silences everything else.
    const body = dice.chance(0.04) ? { allowOverlap: false } : null
    const { id } = yield* start(dice, 'play', button, body, null)
    if (id === null) continue
    const own = { executionId: id }
    if (dice.chance(0.15)) yield { ask: 'pause', button, body: own }
    if (dice.chance(0.1)) yield { ask: 'stop', button, body: own }
    yield dice.whole(0, 1_800) * MS
    yield* dice.weigh<() => Client>([
      [3, function* () {}],
      [2, function* () {
        yield { ask: 'play', button, body: { loop: true } }
      }],
      [2, function* () {
        yield* start(dice, 'restart', button, { loopCrossfadeMs: 0 }, id)
      }],
      [2, function* () {
        yield { ask: 'stop', button, body: { ...own, fadeOutMs: dice.whole(0, 900) } }
        yield { ask: 'pause', button, body: own }
        yield { ask: 'resume', button, body: own }
      }],
    ])()
  }
}

/** Shows everything on a screen: the status and the catalogue, and polls each run that it met. */
export function* dashboard(dice: Dice): Client {
  for (let turn = 1; ; turn += 1) {
    const body = (yield { ask: 'status' })?.body ?? {}
    if (turn % 6 === 0) yield { ask: 'buttons' }
    const items = ['active', 'paused'].flatMap((name) => (body[name] ?? []) as readonly Item[])
    const ids = items.flatMap(({ executionId }) => (executionId === null ? [] : [executionId]))
    for (let look = 0; look < 6; look += 1) {
      yield pollGap(dice)
      for (const id of ids) yield { ask: 'execution', id }
    }
  }
}

interface Item {
  readonly executionId: string | null
}

export function* eventReader(dice: Dice): Client {
  let cursor = 0
  for (;;) {
    yield seconds(dice, 15, 45)
    const answer = yield { ask: 'events', after: cursor }
    cursor += ((answer?.body['events'] ?? []) as readonly unknown[]).length
  }
}

/**
 * Reads what is long over: ten minutes after its end to the frame a run is still there, and one
 * frame later it is gone. It knows the ends from the model, as no client could.
 */
export function* lateReader({ state }: Model, dice: Dice): Client {
  for (let n = 0; ; n += dice.whole(1, 4)) {
    while (state.ended[n] === undefined) yield 5 * SECOND
    const run = state.ended[n]!
    const left = run.endedAt + 600 * SECOND - state.now
    if (left < 0) continue
    if (dice.chance(0.3)) yield { ask: 'execution', id: run.id }
    yield left
    yield { ask: 'execution', id: run.id }
    yield 1
    yield { ask: 'execution', id: run.id }
    if (dice.chance(0.2)) {
      const body = { executionId: run.id }
      yield { ask: dice.pick(['pause', 'resume', 'stop'] as const), button: run.button.id, body }
    }
  }
}

/** Requests that must be refused, each with its own status and error, and change nothing. */
export function* faultyClient(
  model: Model, buttons: readonly ModelButton[], dice: Dice,
): Client {
  const faults = wireFaults(buttons)
  for (;;) {
    yield seconds(dice, 5, 20)
    if (dice.chance(0.5)) yield dice.pick(faults)
    else yield stale(model, buttons, dice)
  }
}

/** Requests that are well made and come too late, to the wrong one, or to nobody. */
const stale = (model: Model, buttons: readonly ModelButton[], dice: Dice): Request => {
  const button = buttons[dice.whole(0, buttons.length - 1)]!.id
  const runs: readonly ModelRun[] = [...model.state.live, ...model.state.ended.slice(-20)]
  const run = runs.length === 0 ? null : dice.pick(runs)
  const executionId = dice.chance(0.2) ? NOBODY : (run?.id ?? NOBODY)
  const own = run?.button.id ?? button
  // A live run may only be named by somebody else's button: its own would obey.
  const isLive = run !== null && run.reason === null
  const target = isLive && own === button ? NOBODY : isLive || dice.chance(0.3) ? button : own
  const sync = { executionId, sequence: 1, positionMs: 0, isPlaying: true }
  return dice.weigh<Request>([
    [1, { ask: 'play', button: NOBODY, body: null }],
    [1, { ask: 'restart', button: buttons[NIGHT.missing]!.id, body: null }],
    [1, { ask: 'play', button: buttons[NIGHT.navigation]!.id, body: {} }],
    [1, { ask: 'stop', button: buttons[NIGHT.navigation]!.id, body: null }],
    [1, { ask: 'execution', id: executionId }],
    [2, { ask: 'pause', button: target, body: { executionId, fadeOutMs: 0 } }],
    [2, { ask: 'resume', button: target, body: { executionId } }],
    [2, { ask: 'stop', button: target, body: { executionId, fadeOutMs: 0 } }],
    [3, { ask: 'dmx/sync', button, body: { ...sync, executionId: lightsOf(model, dice) } }],
    [1, { ask: 'dmx/sync', button, body: sync }],
  ])
}

/** The id of a timeline that has ended, or of a live one that has used up the first sequence. */
const lightsOf = ({ lights }: Model, dice: Dice): string => {
  const used = [...lights.live.values()].filter(({ sequence }) => sequence >= 1)
  const refusing = [...used.map(({ id }) => id), ...lights.endedIds.slice(-3)]
  return refusing.length === 0 ? NOBODY : dice.pick(refusing)
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** D1: what never gets past the wire; a null error is an answer without one. */
const wireFaults = (buttons: readonly ModelButton[]): readonly Request[] => {
  const of = (word: string, id = buttons[0]!.id): string => `${PREFIX}/buttons/${id}/${word}`
  const asked = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS', path: string, status: number,
    error: string | null, headers: Readonly<Record<string, string>> = {},
  ): Request => ({ ask: 'wire', method, path, headers, payload: null, status, error })
  const sent = (
    path: string, payload: string, status: number, error: string, headers = JSON_TYPE,
  ): Request => ({ ask: 'wire', method: 'POST', path, headers, payload, status, error })
  const bad = (path: string, payload: string, error = 'invalid_playback_request'): Request =>
    sent(path, payload, 400, error)
  const own = `"executionId":"${NOBODY}"`
  return [
    asked('GET', `${PREFIX}/status`, 403, 'host_rejected', { host: 'localhost:47831' }),
    asked('POST', of('play'), 403, 'host_rejected', { host: '127.0.0.1' }),
    asked('GET', '/', 404, 'not_found'),
    asked('GET', `${PREFIX}/status/`, 404, 'not_found'),
    asked('POST', of('explode'), 404, 'not_found'),
    asked('GET', of('play'), 405, 'method_not_allowed'),
    asked('DELETE', `${PREFIX}/status`, 405, 'method_not_allowed'),
    asked('PUT', of('restart'), 405, 'method_not_allowed'),
    asked('HEAD', `${PREFIX}/status`, 200, null),
    asked('OPTIONS', of('stop'), 204, null, { origin: `http://${AUTHORITY}` }),
    asked('GET', `${PREFIX}/openapi.json`, 200, null),
    asked('GET', `${PREFIX}/executions/last`, 400, 'invalid_execution_id'),
    sent(of('play'), '{}', 415, 'json_required', { 'content-type': 'text/plain' }),
    sent(of('play'), `{"x":"${'a'.repeat(1_017)}"}`, 413, 'body_too_large'),
    ...['{', '[]', 'null', '3', '{"__proto__":{}}', '{"loop":"yes"}', '{"externalSequencing":null}',
      '{"loopCrossfadeMs":"5"}', '{"loopCrossfadeMs":5.5}', '{"loopCrossfadeMs":60001}',
      '{"loopCrossfadeMs":-1}', '{"allowOverlap":0}'].map((body) => bad(of('restart'), body)),
    ...['"400"', '1.5', '60001', '-1', 'null', 'true'].flatMap((ms) => [
      bad(of('pause'), `{${own},"fadeOutMs":${ms}}`),
      bad(of('resume'), `{${own},"fadeInMs":${ms}}`),
      bad(of('stop'), `{"fadeOutMs":${ms}}`),
      bad(`${PREFIX}/stop`, `{"fadeOutMs":${ms}}`),
    ]),
    ...['"sequence":1.5', '"sequence":-1', '"sequence":"1"', '"positionMs":-0.1',
      '"positionMs":"0"', '"isPlaying":1', '"forceSeek":1'].map((fault) =>
      bad(of('dmx/sync'), `{${own},"sequence":1,"positionMs":0,"isPlaying":true,${fault}}`)),
    bad(of('play', 'bed-1'), '{}', 'invalid_button_id'),
    bad(of('pause', 'bed-1'), '{"fadeOutMs":"x"}', 'invalid_button_id'),
    asked('POST', of('pause'), 400, 'execution_id_required'),
    bad(of('resume'), '{}', 'execution_id_required'),
    bad(of('pause'), '{"executionId":null,"fadeOutMs":"x"}', 'execution_id_required'),
    bad(of('pause'), '{"executionId":5}', 'invalid_execution_id'),
    bad(of('stop'), '{"executionId":"last"}', 'invalid_execution_id'),
    bad(of('dmx/sync'), '{"executionId":"x","sequence":-1}', 'invalid_execution_id'),
  ]
}
