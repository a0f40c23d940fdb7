// What clients of the night ask, before it is put on a wire or into a call.
import { NO_OPTIONS, type Command, type RunOptions } from '../../src/engine/commands/commands.js'
import type { Ticket } from '../oracle/model/commands/command-queue.js'
import type { Json } from '../oracle/readings.js'

/** A command, to one button or to all. */
export type CommandRequest = { readonly body: Json | null } & (
  | { readonly ask: 'panic' }
  | { readonly ask: Exclude<Command['kind'], 'panic' | 'sync'> | 'dmx/sync'
      readonly button: string })

export type Request =
  | { readonly ask: 'buttons' | 'status' }
  | { readonly ask: 'execution'; readonly id: string }
  | { readonly ask: 'events'; readonly after: number }
  | CommandRequest
  | WireRequest

/** What only the wire can refuse, with what it must say; `error` null: an answer without one. */
export interface WireRequest {
  readonly ask: 'wire'
  readonly method: 'GET' | 'POST' | 'HEAD' | 'OPTIONS'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | null
  readonly status: number
  readonly error: string | null
}

export type Answer = NonNullable<Ticket['got']>

type Fades = Readonly<Record<'fadeOutMs' | 'fadeInMs', number | null>>
type Sent = Partial<RunOptions & Fades & { readonly executionId: string | null }>

/** What was not sent is null (4). */
export const commandOf = (request: CommandRequest): Command => {
  const { executionId = null, fadeOutMs = null, fadeInMs = null, ...options } =
    (request.body ?? {}) as Sent
  if (request.ask === 'panic') return { kind: 'panic', fadeOutMs }
  const { ask, button: buttonId } = request
  if (ask === 'stop') return { kind: ask, buttonId, executionId, fadeOutMs }
  const own = { buttonId, executionId: executionId ?? '' }
  if (ask === 'pause') return { kind: ask, ...own, fadeOutMs }
  if (ask === 'resume') return { kind: ask, ...own, fadeInMs }
  if (ask === 'dmx/sync') return { forceSeek: false, ...options, ...own, kind: 'sync' } as Command
  return { kind: ask, buttonId, options: { ...NO_OPTIONS, ...options } }
}

type Wired = Pick<WireRequest, 'method' | 'path' | 'headers' | 'payload'>

export const AUTHORITY = '127.0.0.1:47831'
export const PREFIX = '/api/v1'

/** A request as it goes over the wire. */
export const wired = (request: Exclude<Request, { ask: 'events' }>): Wired => {
  if (request.ask === 'wire') return request
  const get = (path: string): Wired =>
    ({ method: 'GET', path: `${PREFIX}/${path}`, headers: {}, payload: null })
  if (request.ask === 'execution') return get(`executions/${request.id}`)
  if (!('body' in request)) return get(request.ask)
  const { body } = request
  return {
    method: 'POST', payload: body === null ? null : JSON.stringify(body),
    path: `${PREFIX}/${'button' in request ? `buttons/${request.button}/${request.ask}` : 'stop'}`,
    headers: body === null ? {} : { 'content-type': 'application/json' },
  }
}

/** A request as it stands in a record of the night. */
export const titleOf = (request: Request): string => {
  if (request.ask === 'events') return `GET events after ${request.after}`
  const { method, path, payload } = wired(request)
  return `${method} ${path}${payload === null ? '' : ` ${payload}`}`
}
