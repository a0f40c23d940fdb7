// Tells the length of an answer in its usual spelling. To HTTP each spelling is the same, and
// fastify writes small letters; there are small clients that know no other than this. One that does
// not find it, ArduinoHttpClient, waits a second for more: a box stands still after each press.
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'

export const LENGTH = 'Content-Length'

export class Answer<
  Asked extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Asked> {
  override writeHead(status: number, ...more: readonly unknown[]): this {
    const given = more as [OutgoingHttpHeaders?]
    const length = given[0]?.['content-length']
    if (length === undefined) return super.writeHead(status, ...given)
    const { 'content-length': _spelled, ...headers } = given[0]!
    headers[LENGTH] = length
    return super.writeHead(status, headers)
  }
}
