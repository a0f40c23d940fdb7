// What should be answered to a command, with the sentence that says so; which run it means (D3).
import type { Command } from '../../../../src/engine/commands/commands.js'
import type { RuleName } from '../../rules.js'
import { isLive, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly rule: RuleName
}

export const refused = (status: number, error: string, rule: RuleName): Answer =>
  ({ status, body: { error }, rule })
export const ok = (body: Answer['body'], rule: RuleName, status = 200): Answer =>
  ({ status, body, rule })

export const NOT_RESUMABLE = 'execution_not_resumable'

type Ask = Extract<Command, { kind: 'pause' | 'resume' | 'stop' }>

/** By the model's own reading. */
export const runMeant = (state: ModelState, ask: Ask, id: string): ModelRun | Answer => {
  const { judge, known, now, retention } = state
  const run = known.get(id)
  const gone = run === undefined || (!isLive(run) && run.endedAt + retention < now)
  if (gone) return refused(404, 'execution_not_found', 'D3/id-unknown')
  if (run.button.id !== ask.buttonId) return refused(409, 'stale_execution', 'D3/id-other-button')
  if (isLive(run)) return run
  if (state.ofButton(ask.buttonId) !== null) {
    judge.sometimes('an old id is used while a newer run is live')
    const code = ask.kind === 'resume' ? NOT_RESUMABLE : 'stale_execution'
    return refused(409, code, 'D3/id-older')
  }
  if (ask.kind === 'stop') return run
  const rule = ask.kind === 'resume' ? '3.2/terminal-resume' : 'D3/id-ended'
  return refused(409, NOT_RESUMABLE, rule)
}
