// Maps the wire to commands and replies, route by route; no rule of playback lives here.
import type { IncomingHttpHeaders } from 'node:http'
import type { ServerInferResponses } from '@ts-rest/core'
import { initServer } from '@ts-rest/fastify'
import { ERRORS, refuse, type ErrorStatus, type Refusal } from '../contract/errors.js'
import { LIMITS } from '../contract/limits.js'
import { contract, type Contract } from '../contract/routes.js'
import type { ErrorAnswer, RunOptionsBody } from '../contract/schemas.js'
import { NO_OPTIONS, type Command, type Reply, type RunOptions } from '../engine/commands.js'
import { Deadline } from './deadline.js'
import { errorBody } from './errors.js'
import { noEvents, type EventHub } from './events.js'
import { logReply } from './log.js'
import { openApiDocument, type OpenApiDocument } from './openapi.js'
import { quick } from './quick.js'
import type { ApiOptions } from './options.js'

type AnswerOf<Name extends keyof Contract> = ServerInferResponses<Contract[Name]>

/** The handlers of every route of the contract; one that is missing does not compile. */
export const handlers = (options: ApiOptions, hub: EventHub) => {
  const { player } = options
  const deadline = new Deadline()
  let document: OpenApiDocument | null = null
  const run = async <Name extends keyof Contract>(
    _route: Name,
    command: Command,
  ): Promise<AnswerOf<Name>> => {
    const reply = await deadline.over(player.execute(command))
    logReply(options.logger, command, reply)
    return answer(reply) as AnswerOf<Name>
  }
  return initServer().router(quick(contract), {
    buttons: async () => ({ status: 200, body: player.buttons() }),
    status: async () => ({ status: 200, body: player.status() }),
    execution: async ({ params }) => {
      const found = player.execution(params.executionId)
      return found === null ? refused(UNKNOWN_RUN) : { status: 200, body: found }
    },
    events: async ({ request }) => {
      const body = request.method === 'HEAD' ? noEvents() : hub.open(lastEventIdOf(request.headers))
      return body === null ? refused(TOO_MANY_READERS) : { status: 200, body }
    },
    openapi: async () => ({ status: 200, body: (document ??= openApiDocument()) }),
    play: async ({ params, body }) =>
      run('play', { kind: 'play', buttonId: params.id, options: optionsOf(body) }),
    restart: async ({ params, body }) =>
      run('restart', { kind: 'restart', buttonId: params.id, options: optionsOf(body) }),
    pause: async ({ params, body: { executionId, fadeOutMs = null } }) =>
      run('pause', { kind: 'pause', buttonId: params.id, executionId, fadeOutMs }),
    resume: async ({ params, body: { executionId, fadeInMs = null } }) =>
      run('resume', { kind: 'resume', buttonId: params.id, executionId, fadeInMs }),
    stop: async ({ params, body: { executionId = null, fadeOutMs = null } = {} }) =>
      run('stop', { kind: 'stop', buttonId: params.id, executionId, fadeOutMs }),
    dmxSync: async ({ params, body: { forceSeek = false, ...message } }) =>
      run('dmxSync', { kind: 'sync', buttonId: params.id, ...message, forceSeek }),
    panic: async ({ body: { fadeOutMs = null } = {} }) =>
      run('panic', { kind: 'panic', fadeOutMs }),
  })
}

const UNKNOWN_RUN = refuse(
  'execution_not_found',
  'no run has this id: it never had, or it ended too long ago, or before the service started',
)

const TOO_MANY_READERS = refuse(
  'too_many_readers',
  `${LIMITS.eventReaders} connections read events already; poll, or try again later`,
)

/** Several such headers are joined by commas, and then name no event. */
const lastEventIdOf = (headers: IncomingHttpHeaders): string | null =>
  headers['last-event-id']?.toString() ?? null

type Refused = { status: ErrorStatus; body: ErrorAnswer }

const refused = (refusal: Refusal): Refused => ({
  status: ERRORS[refusal.code],
  body: errorBody(refusal),
})

/**
 * Which body goes with which command is the engine's to keep, and no type tells it; the schemas of
 * the answers check every one, and a breach is a 500 and a line in the log.
 */
const answer = (reply: Reply) =>
  reply.ok ? { status: reply.status, body: reply.body } : refused(reply.refusal)

/** 2.3: what was not sent is what the saved settings say. */
const optionsOf = (body: RunOptionsBody | undefined): RunOptions =>
  body === undefined
    ? NO_OPTIONS
    : {
        pauseWhenReplaced: body.pauseWhenReplaced ?? null,
        allowOverlap: body.allowOverlap ?? null,
        externalSequencing: body.externalSequencing ?? false,
        loop: body.loop ?? null,
        loopCrossfadeMs: body.loopCrossfadeMs ?? null,
      }
