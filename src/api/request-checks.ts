// What is checked before any body is read, in this order: host, origin, path, method, licence,
// shutdown.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../contract/errors.js'
import { preflight, refusePath, type PathTable } from './allowed-methods.js'
import { sendRefusal } from './errors.js'
import { authorityOf, hostRefusal } from './host-check.js'
import { licenceRefusal } from './licence.js'
import type { ApiOptions } from './server-options.js'
import { originRefusal } from './origins.js'
import { isPagePath, pageGuard, refusePage } from './pages/page-guard.js'
import { isNoPageOpened } from './pages/error-pages.js'
import { shutdownRefusal } from './shutdown.js'
import { headForApi, spellLength } from './wire/answer-head.js'

/** Who asks, before it is looked at what for: by Host and by Origin. */
export const callerRefusal = (
  request: IncomingMessage, target: string, { authority: bound, origins }: ApiOptions,
): Refusal | null => {
  const authority = authorityOf(request.socket, bound)
  const refusal = hostRefusal(request, target, authority)
  // A preflight is answered, so that what follows it is refused in words that its page may read.
  if (refusal !== null || request.method === 'OPTIONS') return refusal
  return originRefusal(request, origins, authority)
}

/** The one hook of the root: it runs for unknown paths too. */
export const checkRequest =
  (options: ApiOptions, paths: PathTable) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const target = request.originalUrl
    if (options.pages !== null && isPagePath(target)) {
      spellLength(reply.raw)
      pageGuard(request, reply, options, done)
      return
    }
    headForApi(reply.raw)
    const refusal = callerRefusal(request.raw, target, options)
    if (refusal !== null) {
      if (refusal.code === 'host_rejected' && isForPerson(request, options)) {
        refusePage(request, reply, options, refusal)
      } else sendRefusal(reply, refusal)
      return
    }
    if (request.method === 'OPTIONS') {
      preflight(request, reply, paths.methodsOf(target), options.origins)
      return
    }
    if (request.is404 || hasEmptyPart(request)) {
      if (isForPerson(request, options)) refusePage(request, reply, options)
      else refusePath(request, reply, paths.methodsOf(target))
      return
    }
    const withheld = licenceRefusal(options) ?? shutdownRefusal(request, options)
    if (withheld === null) done()
    else sendRefusal(reply, withheld)
  }

const isForPerson = (request: FastifyRequest, { pages }: ApiOptions): boolean =>
  pages !== null && isNoPageOpened(request)

/** `/executions/` is another path than that of an execution, and `/buttons//play` of a button. */
const hasEmptyPart = ({ params }: FastifyRequest): boolean => {
  for (const name in params as object) {
    if ((params as Record<string, string>)[name] === '') return true
  }
  return false
}
