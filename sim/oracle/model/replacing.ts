// Who gives way when a run begins to sound, by the model's own reading of the decisions.
import type { Judge } from '../judge.js'
import type { RuleName } from '../rules.js'
import { fadeOf } from './fade-precedence.js'
import type { Fade } from './gain.js'
import type { ModelList, ModelRun } from './shapes.js'

interface Stage {
  readonly now: number
  readonly live: readonly ModelRun[]
  pause(run: ModelRun, frames: number, curve: Fade['curve'], rule: RuleName): void
  stop(
    run: ModelRun, frames: number, why: ModelRun['why'], curve: Fade['curve'], rule: RuleName,
  ): void
}

interface Host {
  readonly judge: Judge
  dropOlder(order: number): void
}

/** How many were replaced. */
export const replaceOthers = (
  stage: Stage, host: Host, incoming: ModelRun, list: ModelList,
): number => {
  if (incoming.options.allowOverlap ?? incoming.button.allowOverlap) return 0
  host.dropOlder(incoming.order)
  let count = 0
  for (const run of [...stage.live]) {
    if (run === incoming || (run.state !== 'starting' && run.state !== 'playing')) continue
    if (run.order > incoming.order) {
      host.judge.sometimes('a later start is not replaced by an earlier slower one')
      continue
    }
    count += 1
    notice(host.judge, run, incoming, stage.now)
    const frames = fadeOf(null, run.button.fadeOutMs, list)
    if (run.options.pauseWhenReplaced ?? run.button.pauseWhenReplaced) {
      stage.pause(run, frames, list.crossfadeCurve, '3.2/replaced-paused')
    } else stage.stop(run, frames, 'replaced', list.crossfadeCurve, '3.2/replaced')
  }
  return count
}

const notice = (judge: Judge, run: ModelRun, incoming: ModelRun, now: number): void => {
  if (run.state === 'starting') judge.sometimes('a run that is starting is replaced')
  if (incoming.soundedAt === null && now - incoming.bornAt > 48) {
    judge.sometimes('a replacement while the incoming starves or waits')
  }
  if (run.options.pauseWhenReplaced ?? run.button.pauseWhenReplaced) {
    judge.sometimes('a replaced run is kept paused')
  }
}
