// Which run a command means by its ids (D3), by the model's own reading.
import type { Command } from '../../../../src/engine/commands/commands.js'
import { isLive, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'
import { NOT_RESUMABLE, refused, type Answer } from './answer.js'

type Ask = Extract<Command, { kind: 'pause' | 'resume' | 'stop' }>

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
