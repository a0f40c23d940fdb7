// Which methods each path answers to: a wrong one is 405 and told them, an unknown path 404, and a
// browser's preflight is answered.
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { refuse, type Refusal } from '../contract/errors.js'
import { DEFAULTS } from '../contract/limits.js'
import { contract } from '../contract/routes.js'
import { sendRefusal } from './errors.js'
import { mayReachPrivately, type Origins } from './origins.js'
import { pathOf } from './request-target.js'

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

/** Answered on unknown paths too, so that a browser gets to read their 404. */
export const preflight = (
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

const A_BUTTON = `${DEFAULTS.apiPrefix}/buttons/`
const OF_A_BUTTON = `${A_BUTTON}:id/`

/** `play, restart, …` */
const VERBS = Object.values(contract).map(({ path }) => path)
  .filter((path) => path.startsWith(OF_A_BUTTON))
  .map((path) => path.slice(OF_A_BUTTON.length)).join(', ')

/**
 * Whoever forgot the prefix, or wrote a slash at the end, is told so; and who asks how one button
 * is, or for its `toggle`, what there is instead.
 */
export const noSuchPath = (target: string): Refusal => {
  const told = `there is no such path; those of the API begin with ${DEFAULTS.apiPrefix}, `
    + 'and none ends with a slash'
  const ofOne = `; a button has POST ${VERBS}, and GET /buttons tells how each of them is`
  return refuse('not_found', pathOf(target).startsWith(A_BUTTON) ? told + ofOne : told)
}

export const refusePath = (
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): void => {
  if (methods.length === 0) {
    sendRefusal(reply, noSuchPath(request.originalUrl))
    return
  }
  const allowed = methods.join(', ')
  reply.headers({ allow: allowed, 'access-control-expose-headers': 'Allow' })
  const told = `${request.method} does not work here; use ${allowed}`
  sendRefusal(reply, refuse('method_not_allowed', told))
}
