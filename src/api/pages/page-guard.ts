// What is checked on the paths of pages, and the headers that stand on all their answers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse, type Refusal } from '../../contract/errors.js'
import { DEFAULTS } from '../../contract/limits.js'
import { sendRefusal } from '../errors.js'
import { authorityOf, hostRefusal } from '../host-check.js'
import { licenceRefusal } from '../licence.js'
import { isOwnOrigin } from '../origins.js'
import { pathOf } from '../request-target.js'
import type { ApiOptions } from '../server-options.js'
import { isPageOpened, sendAddress, sendPages } from './error-pages.js'

/** Paths that are pages' own; everything else is the API's, or nothing. */
const PAGE_PATH = /^\/(?:stage|show|waves|(?:assets|waves|media)\/[^/]+)?$/
/** How nearly all requests begin; what is spelled otherwise is looked at. */
const OF_API = `${DEFAULTS.apiPrefix}/`
/** What is read by pages alone. */
const PRIVATE_PATH = /^\/(?:show|waves|media)(?:\/|$)/

export const isPagePath = (target: string): boolean =>
  !target.startsWith(OF_API) && PAGE_PATH.test(pathOf(target))

/** No CORS here, and no answer to preflights: nobody but our own pages has business with these. */
export const pageGuard = (
  request: FastifyRequest, reply: FastifyReply, options: ApiOptions, done: () => void,
): void => {
  const { raw, originalUrl } = request
  const authority = authorityOf(raw.socket, options.authority)
  reply.headers(headersFor(authority))
  const misnamed = hostRefusal(raw, originalUrl, authority)
  if (misnamed !== null && isPageOpened(request)) {
    sendAddress(request, reply, misnamed, authority)
    return
  }
  const refusal = misnamed ?? siteRefusal(request, authority) ?? methodRefusal(request, reply)
    ?? licenceRefusal(options)
  if (refusal === null) done()
  else sendRefusal(reply, refusal)
}

/** A person went to a path that is none, be it by the bound address or by another name. */
export const refusePage = (
  { raw }: FastifyRequest, reply: FastifyReply, { authority: bound }: ApiOptions,
  refusal = refuse('not_found', 'there is no such page'),
): void => {
  const authority = authorityOf(raw.socket, bound)
  reply.headers(headersFor(authority))
  sendPages(reply, refusal, authority)
}

const headersFor = (authority: string): Readonly<Record<string, string>> => ({
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; "
    + `img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self' ws://${authority}; `
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    + "require-trusted-types-for 'script'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
})

/**
 * Media, waveforms and the show are read by our own pages, or by hand. Over plain HTTP in a LAN
 * browsers send no Sec-Fetch-Site; an Origin they send with every fetch that could read the answer.
 */
const siteRefusal = (
  { originalUrl, headers }: FastifyRequest, authority: string,
): Refusal | null => {
  if (!PRIVATE_PATH.test(pathOf(originalUrl))) return null
  const { origin, 'sec-fetch-site': site } = headers
  const isOurs = origin === undefined || isOwnOrigin(origin, authority)
  if (isOurs && (site === undefined || site === 'same-origin' || site === 'none')) return null
  return refuse('origin_rejected', 'this is read by the pages of this service alone')
}

const methodRefusal = (request: FastifyRequest, reply: FastifyReply): Refusal | null => {
  if (request.method === 'GET' || request.method === 'HEAD') return null
  reply.header('allow', 'GET, HEAD')
  return refuse('method_not_allowed', `${request.method} does not work here; use GET, HEAD`)
}
