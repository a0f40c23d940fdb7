// What is opened before it is needed: when, how far its decoder looks ahead, and what it holds.
import type { OpenRequest } from '../../../../src/engine/ports.js'
import type { Judge } from '../../judge.js'
import { placeOf, type ModelList, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'
import type { ModelStreams } from '../streams.js'
import { LEAD, loops } from './bounds.js'
import { landingOf, mixOf } from './fade-precedence.js'

/** An End must be known before anything that lands on it begins: a fade, an overlap, a blend. */
export const judgeAhead = (
  judge: Judge, request: OpenRequest, need: number, hold: boolean,
): void => {
  const { buttonId, purpose, ahead } = request
  judge.hold('D3/opened-ahead', ahead >= need, () =>
    `the decoder of ${buttonId} (${purpose}) looks ${ahead} frames ahead, should look ${need}`)
  judge.hold('D3/opened-ahead', request.hold === hold, () =>
    `the decoder of ${buttonId} (${purpose}) should ${hold ? '' : 'not '}hold its range`)
}

/** Judged by the show of the moment at which it was opened, where that is the present one. */
export const judgeOpened = (
  state: ModelState, streams: ModelStreams, run: ModelRun, list: ModelList,
): void => {
  const { judge, now, showSince } = state
  const { button, from } = run
  const auto = from !== null
  const { request, openedAt } = run.tail.seen
  const purpose = auto ? 'next' : 'start'
  judge.hold('D3/opened-ahead', request.purpose === purpose, () =>
    `b${button.n} was opened as ${request.purpose}, not as ${purpose}`)
  judge.hold('D3/opened-ahead', auto || openedAt === now, () =>
    `b${button.n} sounds from a decode that was opened ${now - openedAt} frames before its start`)
  if (openedAt <= showSince && showSince >= 0) return
  const { since = Infinity } = streams.durations.get(request.path) ?? {}
  const known = button.endMs !== null || since <= openedAt
  // A blend takes at most half of what comes in: of an unknown length twice as much must be seen.
  const blend = mixOf(list) * (known || !auto ? 1 : 2)
  const hold = loops(run)
  const need = Math.max(blend, landingOf(button), hold ? run.wish : 0)
  judgeAhead(judge, request, need, hold)
  if (auto) judgeLead(state, from, openedAt, mixOf(list))
}

/** Nothing is opened for a list long before it is needed: it would keep a decoder for nothing. */
const judgeLead = (
  { judge, now }: ModelState, from: ModelRun, openedAt: number, mix: number,
): void => {
  const { end, endKnownAt } = from.tail
  // While it starved nobody knew when its end would come.
  const touched = (from.calmSince > openedAt && from.calmSince < now) || from.fedAt > openedAt
  if (end === null || touched || endKnownAt > openedAt) return
  const ended = from.reason === null ? now : from.endedAt
  const natural = from.reason === null || from.reason === 'natural_end'
  if (!natural || ended < openedAt) return
  const left = end - placeOf(from, ended) + (ended - openedAt)
  judge.hold('D3/opened-ahead', left <= LEAD + Math.max(mix, landingOf(from.button)), () =>
    `what follows ${from.name} was opened ${left} frames before its end`)
}
