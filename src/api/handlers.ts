// Maps the wire to commands and replies, route by route; no rule of playback lives here.
import type { IncomingHttpHeaders } from 'node:http'
import type { ServerInferResponses } from '@ts-rest/core'
import { initServer } from '@ts-rest/fastify'
import type { FastifyRequest } from 'fastify'
import { ERRORS, refuse, type ErrorStatus, type Refusal } from '../contract/errors.js'
import { LIMITS } from '../contract/limits.js'
import { contract, type Contract } from '../contract/routes.js'
import type { ButtonsAnswer, ErrorAnswer, RunOptionsBody } from '../contract/schemas.js'
import {
  NO_OPTIONS, type Command, type Reply, type RunOptions,
} from '../engine/commands/commands.js'
import { CatalogueBytes } from './buttons-bytes.js'
import { Deadline } from './deadline.js'
import { errorBody } from './errors.js'
import { noEvents, type EventHub } from './events/hub.js'
import { Idempotency, idempotencyKeyOf, type Answered } from './idempotency.js'
import { logReply } from './log.js'
import { openApiDocument, type OpenApiDocument } from './openapi.js'
import { quick } from './schema-fast-path.js'
import type { ApiOptions } from './server-options.js'
import { addressOf } from './wire/fair-share.js'

type AnswerOf<Name extends keyof Contract> = ServerInferResponses<Contract[Name]>

/** What ts-rest hands to a handler, as far as headers go. */
interface Exchange {
  readonly request: Pick<FastifyRequest, 'raw' | 'headers'>
  readonly reply: { headers(values: Readonly<Record<string, string>>): unknown }
}

/** What an answer says of itself beside its body, to pages of other origins too. */
const marks = (reply: Reply, isReplay: boolean): Readonly<Record<string, string>> | null => {
  const isSwept = !reply.ok && reply.refusal.isSwept === true
  if (!isReplay && !isSwept) return null
  const names = [...(isReplay ? ['Idempotent-Replay'] : []), ...(isSwept ? ['Swept-By-Panic'] : [])]
  return {
    ...Object.fromEntries(names.map((name) => [name.toLowerCase(), 'true'])),
    'access-control-expose-headers': names.join(', '),
  }
}

/** Proxies pass a stream on as it comes: nginx collects kilobytes first, what compresses too. */
const AT_ONCE = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

/** The handlers of every route of the contract; one that is missing does not compile. */
export const handlers = (options: ApiOptions, hub: EventHub) => {
  const { player } = options
  const document = documentOnce()
  const catalogue = new CatalogueBytes()
  const run = runner(options)
  return initServer().router(quick(contract, options.checksAnswers), {
    buttons: async ({ reply }) => {
      reply.type(JSON_TYPE)
      // Under jsdom, whose ArrayBuffer is another one, fastify takes bytes for an object.
      reply.serializer(bytesOrJson)
      return { status: 200, body: catalogue.of(player.buttons()) as unknown as ButtonsAnswer }
    },
    status: async () => ({ status: 200, body: player.status() }),
    execution: async ({ params }) => {
      const found = player.execution(params.executionId)
      return found === null ? refused(UNKNOWN_RUN) : { status: 200, body: found }
    },
    events: async ({ request, reply }) => {
      const address = addressOf(request.raw.socket)
      const body = request.method === 'HEAD' ? noEvents()
        : hub.open(lastEventIdOf(request.headers), address)
      if (body === null) return refused(TOO_MANY_READERS)
      reply.headers(AT_ONCE)
      return { status: 200, body }
    },
    openapi: async ({ reply }) => ({ status: 200, body: document(reply) }),
    play: (given) =>
      run<'play'>(given, {
        kind: 'play', buttonId: given.params.id, options: optionsOf(given.body),
      }),
    restart: (given) =>
      run<'restart'>(given, {
        kind: 'restart', buttonId: given.params.id, options: optionsOf(given.body),
      }),
    pause: (given) => {
      const { executionId, fadeOutMs = null } = given.body
      return run<'pause'>(given, {
        kind: 'pause', buttonId: given.params.id, executionId, fadeOutMs,
      })
    },
    resume: (given) => {
      const { executionId, fadeInMs = null } = given.body
      return run<'resume'>(given, {
        kind: 'resume', buttonId: given.params.id, executionId, fadeInMs,
      })
    },
    stop: (given) => {
      const { executionId = null, fadeOutMs = null } = given.body ?? {}
      return run<'stop'>(given, { kind: 'stop', buttonId: given.params.id, executionId, fadeOutMs })
    },
    dmxSync: (given) => {
      const { forceSeek = false, ...message } = given.body
      return run<'dmxSync'>(given, {
        kind: 'sync', buttonId: given.params.id, ...message, forceSeek,
      })
    },
    panic: (given) =>
      run<'panic'>(given, { kind: 'panic', fadeOutMs: given.body?.fadeOutMs ?? null }),
  })
}

/** Carries commands out, each once where it has a key, all of them within the deadline. */
const runner = ({ player, logger, timers }: ApiOptions) => {
  const deadline = new Deadline(timers)
  const idempotency = new Idempotency(timers)
  const once = (command: Command, request: Exchange['request']): Answered | Refusal => {
    const key = idempotencyKeyOf(request)
    if (key === null) return { reply: player.execute(command), isReplay: false }
    const address = addressOf(request.raw.socket)
    return typeof key === 'object'
      ? key
      : idempotency.once({ key, address, command }, async () => player.execute(command))
  }
  return async <Name extends keyof Contract>(
    { request, reply: answering }: Exchange,
    command: Command,
  ): Promise<AnswerOf<Name>> => {
    const answered = once(command, request)
    if ('code' in answered) return refused(answered) as AnswerOf<Name>
    const { isReplay } = answered
    const reply = await deadline.over(answered.reply)
    logReply(logger, command, reply, isReplay, request.headers.origin)
    const marked = marks(reply, isReplay)
    if (marked !== null) answering.headers(marked)
    return answer(reply) as AnswerOf<Name>
  }
}

interface Written {
  type(name: string): unknown
  serializer(write: () => string): unknown
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** It never changes, and who asks for it again and again must not keep others waiting. */
const documentOnce = () => {
  let written: { readonly body: OpenApiDocument; readonly text: string } | null = null
  return (reply: Written): OpenApiDocument => {
    if (written === null) {
      const body = openApiDocument()
      written = { body, text: JSON.stringify(body) }
    }
    const { body, text } = written
    reply.type(JSON_TYPE)
    reply.serializer(() => text)
    return body
  }
}

const bytesOrJson = (body: unknown): string =>
  Buffer.isBuffer(body) ? (body as unknown as string) : JSON.stringify(body)

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
 * Which body goes with which command is the engine's to keep, and no type tells it: where answers
 * are checked a breach is a 500.
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
