// Who gives way when a run begins to sound, by the model's own reading of the decisions.
import type { Judge } from '../../judge.js'
import type { ModelList, ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'
import { fadeOf } from './fade-precedence.js'

interface Replaced {
  readonly run: ModelRun
  readonly frames: number
  /** It is paused and not stopped. */
  readonly kept: boolean
}

export const replacedBy = (
  { judge, live, now }: ModelState, incoming: ModelRun, list: ModelList,
): readonly Replaced[] => live.flatMap((run) => {
  if (run === incoming || (run.state !== 'starting' && run.state !== 'playing')) return []
  if (run.order > incoming.order) {
    judge.sometimes('a later start is not replaced by an earlier slower one')
    return []
  }
  const kept = run.options.pauseWhenReplaced ?? run.button.pauseWhenReplaced
  notice(judge, run, incoming, now)
  if (kept) judge.sometimes('a replaced run is kept paused')
  return [{ run, frames: fadeOf(null, run.button.fadeOutMs, list), kept }]
})

const notice = (judge: Judge, run: ModelRun, incoming: ModelRun, now: number): void => {
  if (run.state === 'starting') judge.sometimes('a run that is starting is replaced')
  if (incoming.soundedAt === null && now - incoming.bornAt > 48) {
    judge.sometimes('a replacement while the incoming starves or waits')
  }
}
