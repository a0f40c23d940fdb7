// Requests that nobody should send, and what must hold of every answer to them.
import fc from 'fast-check'
import { ERRORS, isErrorCode } from '../../src/contract/errors.js'
import { contract } from '../../src/contract/routes.js'
import { BUTTON, RUN } from './fake-player.js'

export interface Ask {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The stream of events never ends, so it has tests of its own. */
const routes = Object.values(contract).filter((route) => route !== contract.events)

const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(BUTTON, RUN, BUTTON.toUpperCase()) },
  fc.uuid(),
  fc.string({ maxLength: 40 }).map(encodeURIComponent),
  fc.constantFrom('', '%', '%zz', '%00', '..', '.', '%2f', '%2e%2e', '*', ':id', '__proto__'),
)

const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...routes), id)
      .map(([route, value]) => route.path.replace(/:\w+/, () => value)),
  },
  fc.webPath().map((text) => `/${text}`),
  fc.constantFrom('/', '//', '/api', '/api/v1', '/api/v1/', '/api/v2/status', '/%', '/*'),
)

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'POST', 'POST') },
  fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH'),
)

const wild = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(0, -0, 1, 60_000, 60_001, 5.5, -1, 2 ** 53, 1e300, '5', true, null, [], {}),
  fc.constantFrom(RUN, BUTTON, RUN.toUpperCase(), '', 'x'),
)

const field = fc.constantFrom(
  'executionId', 'fadeOutMs', 'fadeInMs', 'loop', 'loopCrossfadeMs', 'allowOverlap', 'sequence',
  'pauseWhenReplaced', 'externalSequencing', 'positionMs', 'isPlaying', 'forceSeek', 'extra',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '',
)

/** Near to good, so that some of it gets through to the player. */
const goodFields = {
  executionId: fc.constantFrom(RUN, BUTTON),
  fadeOutMs: fc.integer({ min: 0, max: 60_000 }),
  fadeInMs: fc.integer({ min: 0, max: 60_000 }),
  sequence: fc.nat(),
  positionMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
  isPlaying: fc.boolean(),
  loop: fc.constantFrom(true, false, null),
}
const nearlyGood = fc.oneof(
  { weight: 2, arbitrary: fc.record(goodFields, { requiredKeys: [] }) },
  fc.record(goodFields),
)

const jsonBody = fc
  .tuple(nearlyGood, fc.array(fc.tuple(field, wild), { maxLength: 2 }))
  .map(([good, more]) => Object.fromEntries([...Object.entries(good), ...more]))

const body = fc.oneof(
  { weight: 2, arbitrary: fc.constant(Buffer.alloc(0)) },
  { weight: 6, arbitrary: jsonBody.map((one) => Buffer.from(JSON.stringify(one))) },
  wild.map((one) => Buffer.from(JSON.stringify(one))),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1_000, max: 1_100 }).map((size) => Buffer.alloc(size, 0x20)),
)

const header = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
  fc.constantFrom<Record<string, string>>(
    {}, { 'content-type': 'text/plain' }, { 'content-type': '' }, { 'content-type': 'a/b;=' },
    { 'content-type': 'application/json;charset=latin1' }, { 'content-encoding': 'gzip' },
    { origin: 'http://evil.example' }, { 'x-http-method-override': 'DELETE' },
    { 'accept-version': '9.x' }, { 'idempotency-key': 'k' }, { 'idempotency-key': '' },
    { range: 'bytes=0-1' }, { 'if-none-match': '*' }, { accept: 'text/html' },
  ),
)

/** One request: near to the contract, and now and then far from it. */
export const anyAsk: fc.Arbitrary<Ask> = fc.record({ method, path, headers: header, body })

/** The host is right: without that nothing else would be looked at. */
export const bytesOf = (ask: Ask, authority: string): Buffer => {
  const headers = { ...ask.headers, host: authority }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${ask.method} ${ask.path} HTTP/1.1\r\n${lines.join('')}`
  return Buffer.concat([
    Buffer.from(`${head}content-length: ${ask.body.length}\r\n\r\n`, 'latin1'),
    ask.body,
  ])
}

/** Why an answer is not what every answer has to be; null where it is. */
export const complaintOf = (
  status: number,
  allowOrigin: string | undefined,
  text: string,
): string | null => {
  if (allowOrigin !== '*') return `no CORS header on a ${status}`
  if (status < 400) return status === 200 || status === 202 || status === 204 ? null : `${status}`
  if (text === '') return null
  const answer = JSON.parse(text) as { error: unknown; message: unknown }
  if (typeof answer.error !== 'string' || !isErrorCode(answer.error)) return `what is ${text}`
  if (ERRORS[answer.error] !== status) return `${answer.error} with ${status}`
  return typeof answer.message === 'string' ? null : 'a message that is no string'
}

const JUNK = [
  'GET / HTTP/1.1\r\n', 'Host: x\r\n', '\r\n', '\0', '\r', '\n', 'POST', ' ', ':', 'HTTP/1.1',
  'Transfer-Encoding: chunked\r\n', 'Content-Length: 5\r\n', 'ffffffff\r\n', '0\r\n\r\n', '{}',
  'Expect: 100-continue\r\n', 'Connection: upgrade\r\nUpgrade: h2c\r\n', '\x16\x03\x01',
]

/** What may come along a socket: good requests cut, spliced and mixed with junk. */
export const anyBytes = (authority: () => string): fc.Arbitrary<Buffer> => {
  const piece = fc.oneof(
    anyAsk.map((ask) => bytesOf(ask, authority())),
    fc.tuple(anyAsk, fc.double({ min: 0, max: 1, noNaN: true })).map(([ask, cut]) => {
      const whole = bytesOf(ask, authority())
      return whole.subarray(0, Math.floor(whole.length * cut))
    }),
    fc.constantFrom(...JUNK).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ maxLength: 48 }).map((bytes) => Buffer.from(bytes)),
  )
  return fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => Buffer.concat(pieces))
}
