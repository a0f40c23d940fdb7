// What clients of the night ask, before it is put on a wire or into a call.
import { NO_OPTIONS, type Command, type RunOptions } from '../../src/engine/commands/commands.js'
import type { Ticket } from '../oracle/model/commands/command-queue.js'
import type { Json } from '../oracle/readings.js'

/** A command to one button. */
export interface ToButton {
  readonly ask: 'play' | 'restart' | 'pause' | 'resume' | 'stop' | 'dmx/sync'
  readonly button: string
  readonly body: Json | null
}

type Panic = { readonly ask: 'panic'; readonly body: Json | null }

export type Request =
  | { readonly ask: 'buttons' | 'status' }
  | { readonly ask: 'execution'; readonly id: string }
  | { readonly ask: 'events'; readonly after: number }
  | ToButton
  | Panic
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

export const commandOf = (request: ToButton | Panic): Command => {
  const body = request.body ?? {}
  const ms = (name: string): number | null => (body[name] ?? null) as number | null
  if (request.ask === 'panic') return { kind: 'panic', fadeOutMs: ms('fadeOutMs') }
  const { ask: kind, button: buttonId } = request
  const executionId = (body['executionId'] ?? null) as string | null
  switch (kind) {
    case 'play':
    case 'restart':
      return { kind, buttonId, options: { ...NO_OPTIONS, ...(body as Partial<RunOptions>) } }
    case 'pause':
      return { kind, buttonId, executionId: executionId ?? '', fadeOutMs: ms('fadeOutMs') }
    case 'resume':
      return { kind, buttonId, executionId: executionId ?? '', fadeInMs: ms('fadeInMs') }
    case 'stop':
      return { kind, buttonId, executionId, fadeOutMs: ms('fadeOutMs') }
    case 'dmx/sync':
      return { forceSeek: false, ...body, kind: 'sync', buttonId } as unknown as Command
  }
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
