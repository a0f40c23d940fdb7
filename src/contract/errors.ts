// The only list of error strings that a client can meet, each with its HTTP status (7).

export const ERRORS = {
  bad_request: 400,
  execution_id_required: 400,
  invalid_execution_id: 400,
  invalid_button_id: 400,
  invalid_playback_request: 400,
  host_rejected: 403,
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

/** A refusal as a value: what went wrong (for programs) and where (for people). */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

export const refuse = (code: ErrorCode, message: string): Refusal => ({ code, message })
