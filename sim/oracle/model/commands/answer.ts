// What should be answered to a command, and the sentence that says so.
import type { RuleName } from '../../rules.js'

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
