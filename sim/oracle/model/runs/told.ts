// Whether the engine told of a change of a run: this very change, at this very frame, in full.
import { judgeBody } from '../../difference.js'
import type { RuleName } from '../../rules.js'
import { OUTPUT_LOST, type RunEvent } from '../../../world/engine-observer.js'
import { placeOf, wholeMs, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'

const FIELDS = {
  endReason: '3.1/pairs', positionMs: '2.2/position', durationMs: '2.2/duration',
} as const

export const judgeTold = (
  { judge, now }: ModelState, rule: RuleName, run: ModelRun, heard: RunEvent | undefined,
  meant: Pick<RunEvent, 'cause' | 'durationMs'>,
): void => {
  judge.hold(rule, heard?.state === run.state && heard.at === now, () => {
    const instead = heard === undefined ? 'nothing happens'
      : `it becomes ${heard.state} at ${heard.at - now} frames from now`
    return `${run.name} should become ${run.state} now; ${instead}`
  })
  const { cause, message, endReason, positionMs, durationMs } = heard!
  judgeBody(judge, rule, { cause, message, endReason, positionMs, durationMs }, {
    cause: meant.cause, message: wordsOf(rule, run, message), endReason: run.reason,
    positionMs: wholeMs(placeOf(run, now)), durationMs: meant.durationMs,
  }, FIELDS, `${run.name} becomes ${run.state}: `)
}

/** What broke has said why, and nobody else may put words into its mouth; else any will do. */
const wordsOf = (rule: RuleName, run: ModelRun, told: string | null): string | null => {
  if (run.state !== 'failed') return null
  const said = rule === 'D3/output-lost' ? [OUTPUT_LOST]
    : [run.seam?.head.broken, run.tail.broken].filter((word) => typeof word === 'string')
  const isSaid = told !== null && (said.length === 0 || said.includes(told))
  return isSaid ? told : said.join(' or ')
}
