// What the API logs: every command with its run, button and outcome; requests at debug.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Refusal } from '../contract/errors.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import { refusalIn } from './errors.js'
import { toldOrigin } from './origins.js'

/** Commands are what an operator looks for afterwards; sync messages come five times a second. */
export const logReply = (
  logger: Logger | null, command: Command, reply: Reply, isReplay: boolean,
  origin: string | undefined,
): void => {
  if (logger === null) return
  const level = command.kind === 'sync' ? 'debug' : 'info'
  if (!logger.isLevelEnabled(level)) return
  const { kind, ...rest } = command
  // Whose web page it was; programs that are no browser send none.
  const from = origin === undefined ? {} : { origin: toldOrigin(origin) }
  const asked = { ...rest, ...(isReplay ? { isReplay } : {}), ...from }
  if (reply.ok) {
    logger[level]({ command: kind, ...asked, status: reply.status, ...outcome(reply.body) }, kind)
  } else {
    const { code, message } = reply.refusal
    logger[level]({ command: kind, ...asked, refused: code, reason: message }, `${kind} refused`)
  }
}

/** The parts of an answer that tell which run it is about and what became of it. */
const outcome = (body: object): object => {
  const { executionId, dmxExecutionId, result, state } = body as Record<string, unknown>
  return { executionId, dmxExecutionId, result, state }
}

export const logRequest = (logger: Logger, request: FastifyRequest, reply: FastifyReply): void => {
  if (!logger.isLevelEnabled('debug')) return
  const { method, originalUrl: url } = request
  const ms = Math.round(reply.elapsedTime * 1000) / 1000
  const refusal = refusalIn(reply)
  // A box without a screen shows none of it, e.g. that it wrote a `Host` without a port.
  const why = refusal === null ? {} : { refused: refusal.code, reason: refusal.message }
  logger.debug({ method, url, status: reply.statusCode, ms, ...why }, 'request')
}

/** What never became a request: bytes that are not HTTP, a handshake of /live that is refused. */
export const logRefusal = (logger: Logger | null, { code, message }: Refusal): void =>
  logger?.debug({ refused: code, reason: message }, 'refused')
