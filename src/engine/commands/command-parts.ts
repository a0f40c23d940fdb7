// What commands have at hand, and how they answer.
import { refuse, type ErrorCode } from '../../contract/errors.js'
import type { LiveState } from '../../contract/vocabulary.js'
import type { Images } from '../images.js'
import type { OutputLoss } from '../output-loss.js'
import type { Run } from '../runs/run.js'
import type { RunParts } from '../runs/run-parts.js'
import { STATE_TRANSITIONS, type Move, type Trigger } from '../runs/state-transitions.js'
import type { AnswerBody, Command, Reply } from './commands.js'

export interface CommandParts extends RunParts {
  readonly images: Images
  readonly output: OutputLoss
}

export type Of<K extends Command['kind']> = Extract<Command, { kind: K }>

export const ok = (body: AnswerBody, status: 200 | 202 = 200): Reply =>
  ({ ok: true, status, body })

export const no = (code: ErrorCode, message: string): Reply => ({
  ok: false, refusal: refuse(code, message),
})

/** Live runs are the only ones whose state is looked up in the table. */
export const moveOf = (run: Run, trigger: Trigger): Move =>
  STATE_TRANSITIONS[run.phase.state as LiveState][trigger]
