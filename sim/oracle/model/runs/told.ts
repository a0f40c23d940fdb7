// Whether the engine told of a change of a run: this very change, at this very frame, in full.
import type { RuleName } from '../../rules.js'
import { OUTPUT_LOST, type RunEvent } from '../../../world/engine-observer.js'
import { placeOf, wholeMs, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'

export const judgeTold = (
  { judge, now }: ModelState, rule: RuleName, run: ModelRun, heard: RunEvent | undefined,
  cause: RunEvent['cause'], durationMs: number,
): void => {
  judge.hold(rule, heard?.state === run.state && heard.at === now, () => {
    const instead = heard === undefined
      ? 'nothing happens'
      : `it becomes ${heard.state} at ${heard.at - now} frames from now`
    return `${run.name} should become ${run.state} now; ${instead}`
  })
  const told = heard!
  judge.hold(rule, told.cause === cause, () =>
    `${run.name} is ${run.state} by ${told.cause}, should be by ${cause}`)
  judge.hold(rule, (told.message !== null) === (run.state === 'failed'), () =>
    `${run.name} is ${run.state}, and the message is ${JSON.stringify(told.message)}`)
  const words = wordsOf(rule, run)
  judge.hold(rule, words.length === 0 || words.includes(told.message), () =>
    `${run.name} failed by ${JSON.stringify(told.message)}, should be by ${words.join(' or ')}`)
  judge.hold('3.1/pairs', told.endReason === run.reason, () =>
    `${run.name} is ${run.state} by ${String(told.endReason)}, not ${String(run.reason)}`)
  const position = wholeMs(placeOf(run, now))
  judge.hold('2.2/position', told.positionMs === position, () =>
    `${run.name} is ${run.state} at ${told.positionMs} ms, not at ${position}`)
  judge.hold('2.2/duration', told.durationMs === durationMs, () =>
    `${run.name} lasts ${told.durationMs} ms, not ${durationMs}`)
}

/** What broke has said why, and nobody else may put words into its mouth; empty: any will do. */
const wordsOf = (rule: RuleName, run: ModelRun): readonly (string | null)[] => {
  if (run.state !== 'failed') return []
  if (rule === 'D3/output-lost') return [OUTPUT_LOST]
  return [run.seam?.head.broken ?? null, run.tail.broken].filter((word) => word !== null)
}
