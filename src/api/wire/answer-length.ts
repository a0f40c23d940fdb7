// Tells the length of an answer in its usual spelling. To HTTP each spelling is the same, and
// fastify writes small letters; there are small clients that know no other than this. One that does
// not find it, ArduinoHttpClient, waits a second for more: a box stands still after each press.
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export const LENGTH = 'Content-Length'

/**
 * Before it is answered. A class of our own in the place of Node's would do it for all answers, and
 * cost 4 µs of each: as long as the whole of what is checked of a request.
 */
export const spellLength = (response: ServerResponse): void => {
  const writeHead = response.writeHead.bind(response)
  // Fastify and Node itself name no reason beside the status.
  response.writeHead = ((status: number, headers: OutgoingHttpHeaders) =>
    writeHead(status, spelled(headers))) as typeof response.writeHead
}

const spelled = (headers: OutgoingHttpHeaders): OutgoingHttpHeader[] => {
  const told: OutgoingHttpHeader[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) told.push(name === 'content-length' ? LENGTH : name, value)
  }
  return told
}
