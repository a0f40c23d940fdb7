// How refusals become answers: the one shape of section 7, with its status from the one table.
import type { RequestValidationError } from '@ts-rest/fastify'
import type { FastifyReply } from 'fastify'
import { ERRORS, isErrorCode, refuse, type ErrorCode, type Refusal } from '../contract/errors.js'
import type { ErrorAnswer } from '../contract/schemas.js'

export const errorBody = (refusal: Refusal): ErrorAnswer => ({
  error: refusal.code,
  message: refusal.message,
})

/** Kept on the answer itself, for the log. */
const REFUSED = Symbol('why the request was refused')
interface Refused {
  [REFUSED]?: Refusal
}

export const sendRefusal = (reply: FastifyReply, refusal: Refusal): void => {
  refused(reply, refusal).send(errorBody(refusal))
}

/** With its status, for who sends a body of its own. */
export const refused = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  ;(reply as Refused)[REFUSED] = refusal
  return reply.code(ERRORS[refusal.code])
}

/** What was refused before it was a command; of these the log has no other line. */
export const refusalIn = (reply: FastifyReply): Refusal | null =>
  (reply as Refused)[REFUSED] ?? null

/** An issue of a schema, as far as an answer speaks of it. */
interface Issue {
  readonly message: string
  readonly path?: readonly unknown[] | undefined
}

/** Of several faults in a body the first of these is told; an unfit body has no other fault. */
const BODY_ORDER: readonly ErrorCode[] = [
  'execution_id_required', 'invalid_execution_id', 'invalid_playback_request',
]

/** The faults of a request in their order: the id in the path, then the body. */
export const refusalOf = (error: RequestValidationError, body: unknown): Refusal => {
  const inPath = error.pathParams?.issues[0]
  if (inPath !== undefined) return refuse(codeOf(inPath), idInPath(codeOf(inPath)))
  const issues: readonly Issue[] = error.body?.issues ?? []
  for (const code of BODY_ORDER) {
    const [first, ...more] = issues.filter((one) => codeOf(one) === code)
    if (first === undefined) continue
    // 1e20 is no safe whole number either, and of two bounds the second is the one that counts.
    const place = placeOf(first)
    const issue = more.findLast((one) => placeOf(one) === place) ?? first
    return refuse(code, tell(code, issue, body))
  }
  return refuse('invalid_playback_request', 'the request does not fit this route')
}

/** Who sends a title, or a cue's number, is told where the id is found. */
const idInPath = (code: ErrorCode): string =>
  code === 'invalid_button_id'
    ? 'the id in the path must be a GUID, the id that GET /buttons tells beside the title'
    : 'the id in the path must be a GUID, the executionId that the start was answered with'

/** The schemas carry the code as their message; anything else is a fault of the plain kind. */
const codeOf = (issue: Issue): ErrorCode =>
  isErrorCode(issue.message) ? issue.message : 'invalid_playback_request'

const NO_ID = 'executionId is required in the JSON body'
/** What a sensor writes behind its headers is none to HTTP as long as nothing tells its length. */
const NO_BODY = `${NO_ID}, and there is no body; if one was sent, its Content-Length is missing`

const tell = (code: ErrorCode, issue: Issue, body: unknown): string => {
  if (code === 'execution_id_required') return body === undefined ? NO_BODY : NO_ID
  const place = placeOf(issue)
  if (place === '') return describeFault(body)
  // E.g. a false or a 0 that Go's `omitempty` left out: its sender means to have sent it.
  return `${place} ${isThere(body, place) ? '' : 'is missing: it '}${expectation(issue)}`
}

const isThere = (body: unknown, key: string): boolean =>
  (body as Readonly<Record<string, unknown>>)[key] !== undefined

const placeOf = ({ path }: Issue): string => (path ?? []).join('.')

/** A body that could not be read is a symbol that says why. */
const describeFault = (body: unknown): string =>
  typeof body === 'symbol' ? (body.description ?? '') : 'the body must be a JSON object'

/** What zod knows of an issue, in words for a person. */
const expectation = (issue: Issue): string => {
  const known = issue as { code?: string; expected?: string; minimum?: number; maximum?: number }
  if (known.minimum !== undefined) return `must be at least ${known.minimum}`
  if (known.maximum !== undefined) return `must be at most ${known.maximum}`
  if (known.code === 'invalid_format') return 'must be a GUID'
  return `must be ${EXPECTED[known.expected ?? ''] ?? 'of another type'}`
}

const EXPECTED: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  string: 'a GUID',
}
