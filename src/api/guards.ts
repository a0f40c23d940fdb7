// What is checked before any body is read, in this order: host, origin, path, method, licence,
// shutdown.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { refuse, type Refusal } from '../contract/errors.js'
import { DEFAULTS } from '../contract/limits.js'
import { authorityOf } from './authority.js'
import { sendRefusal } from './errors.js'
import type { ApiOptions } from './options.js'
import { isPagePath, pageGuard, type PageChecks } from './pages/page-guard.js'
import { mayReachPrivately, originRefusal, type Origins } from './origins.js'
import { pathOf } from './request-target.js'

/** Stand on every answer, whoever writes it. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
} as const

const COMMON = Object.entries(COMMON_HEADERS)

/**
 * True where the request is for us and nobody else: exactly one Host, and it is the bound ip:port;
 * and the target names no other host. A page that got its own name to point here is told apart
 * from the app by this alone (5).
 */
export const isForUs = (
  rawHeaders: readonly string[],
  target: string,
  authority: string,
): boolean => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (rawHeaders[i + 1] !== authority) return false
    hosts += 1
  }
  return hosts === 1 && (target.startsWith('/') || target === '*')
}

export const hostRefusal = (authority: string) =>
  refuse('host_rejected', `the Host header must be ${authority}, the numeric address and port`)

/** The methods of every path that there is, collected while the routes are added. */
export class PathTable {
  readonly #paths: { readonly segments: readonly string[]; readonly methods: Set<string> }[] = []

  add(route: RouteOptions): void {
    const segments = route.url.split('/')
    const known = this.#paths.find((path) => path.segments.join('/') === route.url)
    const methods = known?.methods ?? new Set<string>()
    for (const method of [route.method].flat()) methods.add(method)
    if (known === undefined) this.#paths.push({ segments, methods })
  }

  /** The methods that a target answers to; none where the path is unknown. */
  methodsOf(target: string): readonly string[] {
    const actual = pathOf(target).split('/')
    const found = this.#paths.find(
      ({ segments }) =>
        segments.length === actual.length &&
        segments.every((segment, i) =>
          segment.startsWith(':') ? actual[i] !== '' : segment === actual[i]),
    )
    return [...(found?.methods ?? [])]
  }
}

/** Who asks, before it is looked at what for: by Host and by Origin. */
export const callerRefusal = (
  request: IncomingMessage, target: string, { authority: bound, origins }: ApiOptions,
): Refusal | null => {
  const authority = authorityOf(request.socket, bound)
  if (!isForUs(request.rawHeaders, target, authority)) return hostRefusal(authority)
  // A preflight is answered, so that what follows it is refused in words that its page may read.
  if (request.method === 'OPTIONS') return null
  return originRefusal(request, origins, authority)
}

export const licenceRefusal = (options: ApiOptions): Refusal | null =>
  options.entitled()
    ? null
    : refuse('license_restricted', 'the configuration withholds the API')

/** The one hook of the root: it runs for unknown paths too. */
export const guard =
  (options: ApiOptions, paths: PathTable) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const target = request.originalUrl
    if (options.pages !== null && isPagePath(target)) {
      pageGuard(request, reply, pageChecks(options, request.raw), done)
      return
    }
    for (const [name, value] of COMMON) reply.header(name, value)
    const refusal = callerRefusal(request.raw, target, options)
    if (refusal !== null) {
      sendRefusal(reply, refusal)
      return
    }
    if (request.method === 'OPTIONS') {
      preflight(request, reply, paths.methodsOf(target), options.origins)
      return
    }
    if (request.is404 || hasEmptyPart(request)) {
      refusePath(request, reply, paths.methodsOf(target))
      return
    }
    const withheld = licenceRefusal(options)
    if (withheld !== null) {
      sendRefusal(reply, withheld)
      return
    }
    if (request.method === 'POST' && options.shuttingDown()) {
      sendRefusal(reply, refuse('shutting_down', 'the service is about to end'))
      return
    }
    done()
  }

/** `/executions/` is another path than that of an execution, and `/buttons//play` of a button. */
const hasEmptyPart = ({ params }: FastifyRequest): boolean => {
  for (const name in params as object) {
    if ((params as Record<string, string>)[name] === '') return true
  }
  return false
}

const pageChecks = (options: ApiOptions, { socket }: IncomingMessage): PageChecks => {
  const authority = authorityOf(socket, options.authority)
  return {
    authority,
    host: ({ raw, originalUrl }) =>
      isForUs(raw.rawHeaders, originalUrl, authority) ? null : hostRefusal(authority),
    licence: () => licenceRefusal(options),
  }
}

/** Answered on unknown paths too, so that a browser gets to read their 404. */
const preflight = (
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
  origins: Origins,
): void => {
  const allowed = methods.length === 0 ? 'GET, HEAD, POST' : methods.join(', ')
  reply.headers({
    allow: allowed,
    'access-control-allow-methods': allowed,
    'access-control-allow-headers': 'Content-Type, Idempotency-Key, Last-Event-ID, *',
    'access-control-max-age': '600',
  })
  const { origin, 'access-control-request-private-network': asked } = request.headers
  if (asked === 'true' && origin !== undefined && mayReachPrivately(origin, origins)) {
    reply.header('access-control-allow-private-network', 'true')
  }
  reply.code(204).send()
}

/** Whoever forgot the prefix, or wrote a slash at the end, is told so. */
export const noSuchPath = (): Refusal =>
  refuse('not_found', `there is no such path; those of the API begin with ${DEFAULTS.apiPrefix}, `
    + 'and none ends with a slash')

const refusePath = (
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): void => {
  if (methods.length === 0) {
    sendRefusal(reply, noSuchPath())
    return
  }
  const allowed = methods.join(', ')
  reply.headers({ allow: allowed, 'access-control-expose-headers': 'Allow' })
  const told = `${request.method} does not work here; use ${allowed}`
  sendRefusal(reply, refuse('method_not_allowed', told))
}
