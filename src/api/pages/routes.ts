// The paths of pages: the wall at /, the stage at /stage, their assets, and what they know of the
// show.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.js'
import type { PageFile, Tagged } from '../../contract/page-file.js'
import { sendRefusal } from '../errors.js'
import { mediaHandler } from '../media/media.js'
import { isAmong } from '../media/media-range.js'
import type { PagesSource } from './source.js'

const BINARY = 'application/octet-stream'
/** The name of an asset has the hash of its content: what it names never changes. */
const FOR_EVER = 'max-age=31536000, immutable'

export const addPages = (app: FastifyInstance, source: PagesSource): void => {
  const page = (path: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    sendFile(request, reply, await source.file(path))
  app.get('/', page('/'))
  app.get('/stage', page('/stage'))
  app.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const file = await source.file(`/assets/${name}`)
    if (file !== null) reply.header('cache-control', FOR_EVER)
    return sendFile(request, reply, file)
  })
  app.get('/show', (request, reply) =>
    sendTagged(request, reply.type('application/json; charset=utf-8'), source.show()))
  app.get('/waves', (request, reply) =>
    sendTagged(request, reply.type(BINARY), source.waves()))
  app.get('/waves/:buttonId', async (request, reply) => {
    const { buttonId } = request.params as { readonly buttonId: string }
    const wave = await source.wave(buttonId.toLowerCase())
    if (wave !== null) return sendTagged(request, reply.type(BINARY), wave)
    sendRefusal(reply, refuse('not_found', 'the button has no waveform, or none yet'))
    return reply
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:buttonId',
    handler: mediaHandler((buttonId) => source.media(buttonId)),
  })
}

const sendFile = (
  request: FastifyRequest, reply: FastifyReply, file: PageFile | null,
): FastifyReply => {
  if (file === null) {
    sendRefusal(reply, refuse('not_found', 'there is no such page or part of one'))
    return reply
  }
  reply.type(file.type).header('vary', 'Accept-Encoding')
  const { brotli, gzip } = file
  const accepted = request.headers['accept-encoding']?.toString() ?? ''
  if (brotli !== null && takes(accepted, 'br')) {
    return sendTagged(request, reply.header('content-encoding', 'br'), brotli)
  }
  if (gzip !== null && takes(accepted, 'gzip')) {
    return sendTagged(request, reply.header('content-encoding', 'gzip'), gzip)
  }
  return sendTagged(request, reply, file.plain)
}

/** Named, and not with a weight of zero (RFC 9110, 12.5.3). */
const takes = (accepted: string, coding: string): boolean =>
  accepted.split(',').some((one) => {
    const [name, weight] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !/^q=0(?:\.0{0,3})?$/.test(weight ?? '')
  })

const sendTagged = (
  request: FastifyRequest, reply: FastifyReply, { bytes, etag }: Tagged,
): FastifyReply => {
  reply.header('etag', etag)
  const known = request.headers['if-none-match']
  return known !== undefined && isAmong(known, etag)
    ? reply.code(304).removeHeader('content-type').send() : reply.send(bytes)
}
