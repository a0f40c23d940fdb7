// The only list of error strings that a client can meet, each with its HTTP status (7).

export const ERRORS = {
  bad_request: 400,
  execution_id_required: 400,
  invalid_execution_id: 400,
  invalid_button_id: 400,
  invalid_playback_request: 400,
  host_rejected: 403,
  origin_rejected: 403,
  license_restricted: 403,
  not_found: 404,
  execution_not_found: 404,
  button_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  stale_execution: 409,
  execution_not_resumable: 409,
  app_busy: 409,
  command_in_progress: 409,
  dmx_not_active: 409,
  dmx_initializing: 409,
  dmx_stale_sequence: 409,
  idempotency_conflict: 409,
  body_too_large: 413,
  json_required: 415,
  expectation_failed: 417,
  media_file_missing: 422,
  headers_too_large: 431,
  command_failed: 500,
  shutting_down: 503,
  playback_unavailable: 503,
  too_many_readers: 503,
  idempotency_full: 503,
} as const

export type ErrorCode = keyof typeof ERRORS
export type ErrorStatus = (typeof ERRORS)[ErrorCode]
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

/** What any request can meet, before it is known what it asks for. */
const ANYWHERE = [
  'bad_request', 'host_rejected', 'origin_rejected', 'license_restricted', 'request_timeout',
  'expectation_failed',
  'headers_too_large', 'command_failed',
] as const satisfies readonly ErrorCode[]

/** What any command can meet. */
const COMMAND = [
  ...ANYWHERE, 'invalid_playback_request', 'body_too_large', 'json_required', 'shutting_down',
  'idempotency_conflict', 'idempotency_full',
] as const satisfies readonly ErrorCode[]

const OF_BUTTON = [
  ...COMMAND, 'invalid_button_id', 'app_busy', 'command_in_progress', 'button_not_found',
] as const satisfies readonly ErrorCode[]

const START = [
  ...OF_BUTTON, 'media_file_missing', 'playback_unavailable',
] as const satisfies readonly ErrorCode[]

const OF_RUN = [
  ...OF_BUTTON, 'execution_id_required', 'invalid_execution_id', 'execution_not_found',
  'stale_execution', 'execution_not_resumable',
] as const satisfies readonly ErrorCode[]

/** Which of them each route can answer with. */
export const REFUSALS = {
  buttons: ANYWHERE,
  status: ANYWHERE,
  execution: [...ANYWHERE, 'invalid_execution_id', 'execution_not_found'],
  events: [...ANYWHERE, 'too_many_readers'],
  openapi: ANYWHERE,
  play: [...START, 'execution_not_resumable'],
  restart: START,
  pause: OF_RUN,
  resume: [...OF_RUN, 'playback_unavailable'],
  stop: [...OF_BUTTON, 'invalid_execution_id', 'execution_not_found', 'stale_execution'],
  dmxSync: [
    ...OF_BUTTON, 'execution_id_required', 'invalid_execution_id', 'stale_execution',
    'media_file_missing', 'dmx_not_active', 'dmx_initializing', 'dmx_stale_sequence',
  ],
  panic: COMMAND,
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>

/** A refusal as a value: what went wrong (for programs) and where (for people). */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  /** A panic came before it: it is not to be carried out later either. */
  readonly isSwept?: true
}

export const refuse = (code: ErrorCode, message: string): Refusal => ({ code, message })

/**
 * A message for apps and pages: the name of the file stands in place of its path, whose folders are
 * nobody's business.
 */
export const withoutFolder = (message: string, path: string): string => {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  // By a function: in a text `$&` would mean the path.
  return message.replaceAll(path, () => name)
}
