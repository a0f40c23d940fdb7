// The head of an answer: what stands on every one of the API, and how its length is spelled.
//
// To HTTP each spelling is the same, and fastify writes small letters; there are small clients that
// know no other than this. One that does not find it, ArduinoHttpClient, waits a second for more: a
// box stands still after each press.
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export const LENGTH = 'Content-Length'

/** Stand on every answer of the API, whoever writes it. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
} as const

/**
 * To be called before it is answered. A class of our own in the place of Node's would do it for all
 * answers, and cost 4 µs of each: as long as the whole of what is checked of a request.
 */
export const spellLength = (response: ServerResponse): void => {
  response.writeHead = writeHead as typeof response.writeHead
}

/** The same, and with the common headers; a handler may name another `cache-control`. */
export const headForApi = (response: ServerResponse): void => {
  response.writeHead = writeApiHead as typeof response.writeHead
}

// One function for all answers: with one of its own on each, what a command left behind outlived
// its request, and collecting it took 10 µs of each. Fastify and Node name no reason beside the
// status; before a stream goes out its headers are set one by one, and none come along.

function writeHead(
  this: ServerResponse, status: number, headers = this.getHeaders(),
): ServerResponse {
  return written(this, status, spelled([], headers))
}

function writeApiHead(
  this: ServerResponse, status: number, headers = this.getHeaders(),
): ServerResponse {
  const told: OutgoingHttpHeader[] =
    ['access-control-allow-origin', COMMON_HEADERS['access-control-allow-origin']]
  if (headers['cache-control'] === undefined) {
    told.push('cache-control', COMMON_HEADERS['cache-control'])
  }
  return written(this, status, spelled(told, headers))
}

/** By the class's own: where a test injects its requests it is not Node's. */
const written = (
  response: ServerResponse, status: number, told: OutgoingHttpHeader[],
): ServerResponse => {
  const own = Object.getPrototypeOf(response) as ServerResponse
  return own.writeHead.call(response, status, told)
}

const spelled = (
  told: OutgoingHttpHeader[], headers: OutgoingHttpHeaders,
): OutgoingHttpHeader[] => {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) told.push(name === 'content-length' ? LENGTH : name, value)
  }
  return told
}
