// What a call rejects with when the service says no: status, typed code and a message for people.
import type { ErrorCodes, ErrorStatus } from './wire.js'

interface Refused<Status, Code> extends Error {
  readonly name: 'CartwallError'
  readonly status: Status
  readonly code: Code
  /** A panic came before it was carried out: it is not to be sent again by itself. */
  readonly isSwept: boolean
}

/**
 * One member for each HTTP status, with the codes that go with it; `unexpected_answer` is an answer
 * that the service did not write (of a proxy, say). To look at `code` settles `status` too.
 */
export type CartwallError =
  | { [Status in ErrorStatus]: Refused<Status, ErrorCodes[Status]> }[ErrorStatus]
  | Refused<number, 'unexpected_answer'>

class ApiError extends Error {
  override readonly name = 'CartwallError'

  constructor(
    readonly status: number, readonly code: string, message: string, readonly isSwept = false,
  ) {
    super(message)
  }
}

/** A newer service may send a code that these types do not know: keep a default in a `switch`. */
export const CartwallError = ApiError as unknown as {
  new (status: number, code: string, message: string, isSwept?: boolean): CartwallError
  readonly prototype: CartwallError
}
