// Reads the body of a command under the wire's rules: type, size, UTF-8, JSON, in this order.
// Fastify's own parsing is not used: it looks at the type of a body that may turn out to be empty.
import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../contract/limits.js'
import { refuse } from '../contract/errors.js'
import { sendRefusal } from './errors.js'

/** Stand in for a body that could not be read. No schema takes a symbol, so the order of faults
 * stays with the schemas: a bad id in the path is told before a bad body. */
const NOT_UTF8 = Symbol('the body is not UTF-8')
const HAS_PROTO = Symbol('the body has a __proto__ key')

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

const BYTE_ORDER_MARK = '\ufeff'

/** Says where: a comma too many, say, or the mark that Windows puts before its texts. */
const notJson = (text: string, error: unknown): symbol => {
  const isMarked = text.startsWith(BYTE_ORDER_MARK)
  const why = isMarked ? 'it begins with a byte order mark' : (error as SyntaxError).message
  return Symbol(`the body is not JSON: ${why}`)
}

/** In text that is JSON, this matches exactly the keys that spell __proto__, escaped or not. */
const PROTO_KEY = new RegExp(
  `(?<!\\\\)"${'__proto__'.replace(/./g, (letter) => {
    const hex = letter.charCodeAt(0).toString(16).replace('f', '[fF]')
    return `(?:${letter}|\\\\u00${hex})`
  })}"\\s*:`,
)

/** A preValidation hook: leaves in request.body what the schemas are to look at. */
export const readBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void => {
  const { headers } = request.raw
  const declared = headers['content-length']
  // A body on a GET is ignored: Node reads it past when the answer is out.
  if (request.method !== 'POST' || hasNoBody(headers)) {
    done()
    return
  }
  const isJson = JSON_TYPE.test(headers['content-type'] ?? '')
  if (declared !== undefined && !isJson) {
    refuseType(reply)
    return
  }
  if (Number(declared ?? 0) > LIMITS.bodyBytes) {
    refuseSize(reply)
    return
  }
  collect(request, reply, isJson, done)
}

const hasNoBody = (headers: FastifyRequest['raw']['headers']): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

/** Holds at most the bytes that are allowed. When the client goes away nobody waits any more. */
const collect = (
  request: FastifyRequest,
  reply: FastifyReply,
  isJson: boolean,
  done: () => void,
): void => {
  const { raw } = request
  const chunks: Buffer[] = []
  let received = 0
  const onData = (chunk: Buffer): void => {
    received += chunk.length
    if (isJson && received <= LIMITS.bodyBytes) {
      chunks.push(chunk)
      return
    }
    raw.off('data', onData)
    raw.off('end', onEnd)
    // What still comes is read past, so that the answer reaches a client that is still sending.
    raw.resume()
    if (isJson) refuseSize(reply)
    else refuseType(reply)
  }
  const onEnd = (): void => {
    if (received > 0) request.body = parse(chunks)
    done()
  }
  raw.on('data', onData)
  raw.on('end', onEnd)
}

const parse = (chunks: readonly Buffer[]): unknown => {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  if (!isUtf8(bytes)) return NOT_UTF8
  const text = bytes.toString('utf8')
  try {
    const body: unknown = JSON.parse(text)
    return PROTO_KEY.test(text) ? HAS_PROTO : body
  } catch (error) {
    return notJson(text, error)
  }
}

/** Many a program sends a body that nobody meant, e.g. a timestamp, or the `ON` of a message. */
const NO_JSON = 'send the body as Content-Type: application/json, or send none'

const refuseType = (reply: FastifyReply): void =>
  sendRefusal(reply, refuse('json_required', NO_JSON))

const refuseSize = (reply: FastifyReply): void =>
  sendRefusal(
    reply,
    refuse('body_too_large', `the body may have ${LIMITS.bodyBytes} bytes at most`),
  )
