// Builds the HTTP server over a player. It never listens: the daemon does, tests inject.
import { initServer, type RequestValidationError } from '@ts-rest/fastify'
import fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { refuse } from '../contract/errors.js'
import { LIVE } from '../contract/live.js'
import { noSuchPath, PathTable } from './allowed-methods.js'
import { readBody } from './body.js'
import { refusalOf, sendRefusal } from './errors.js'
import { EventHub } from './events/hub.js'
import { authorityOf } from './host-check.js'
import { handlers } from './handlers.js'
import { finalEvents } from './final-events.js'
import { licenceRefusal } from './licence.js'
import { attachLive, UPGRADES } from './live/handshake.js'
import { LiveHub } from './live/hub.js'
import type { LiveSource } from './live/source.js'
import { logRefusal, logRequest } from './log.js'
import type { ApiOptions } from './server-options.js'
import { callerRefusal, checkRequest } from './request-checks.js'
import { routableUrl } from './request-target.js'
import { addPages } from './pages/routes.js'
import { inTurn } from './wire/pipeline.js'
import { Wire } from './wire/raw-http.js'

/** Milliseconds unless the name says otherwise. */
const NET = {
  /** The headers of a request must be there by then, and the first one of a silent connection. */
  headersTimeout: 5_000,
  /** A whole request, its body too. */
  requestTimeout: 10_000,
  connectionsCheckingInterval: 500,
  /** Longer than the slowest recommended poll, so that pollers keep their connection. */
  keepAliveTimeout: 30_000,
  /** A connection on which nothing moves, in either direction. */
  connectionTimeout: 60_000,
  maxHeaderBytes: 16 * 1024,
} as const

const noCompiler = (): never => {
  throw new Error('what comes is checked by the contract, never by a schema of fastify')
}
/** Left to its own, fastify loads two compilers at each start, a third of all that is loaded. */
const NO_COMPILERS = { buildValidator: noCompiler, buildSerializer: noCompiler }

export const buildServer = (options: ApiOptions): FastifyInstance => {
  const wire = new Wire(options.timers, (refusal) => logRefusal(options.logger, refusal))
  const paths = new PathTable()
  const app = fastify({
    logger: false,
    requestTimeout: NET.requestTimeout,
    keepAliveTimeout: NET.keepAliveTimeout,
    connectionTimeout: NET.connectionTimeout,
    // While closing, reads are still answered: shuttingDown() refuses what must be refused.
    return503OnClosing: false,
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: NET.maxHeaderBytes },
    schemaController: { compilersFactory: NO_COMPILERS },
    http: {
      // A missing Host gets an answer in our shape from the guard.
      requireHostHeader: false,
      headersTimeout: NET.headersTimeout,
      connectionsCheckingInterval: NET.connectionsCheckingInterval,
      maxHeaderSize: NET.maxHeaderBytes,
      ...(options.live === null ? {} : UPGRADES),
    },
    clientErrorHandler: (error, socket) => wire.onClientError(error, socket),
    frameworkErrors: (_error, request, reply) => {
      checkRequest(options, paths)(request, reply, () =>
        sendRefusal(reply, noSuchPath(request.originalUrl)),
      )
    },
  })
  wire.attach(app.server, ({ socket }) => authorityOf(socket, options.authority))
  // Bodies are read by readBody alone, so for fastify a POST has none.
  app.addHttpMethod('POST', { hasBody: false, overrideExisting: true })
  addHooks(app, options, paths, wire)
  const live = options.live === null ? null : addLive(app, wire, options, options.live)
  if (options.pages !== null) addPages(app, options.pages)
  const events = addRoutes(app, options)
  app.addHook('preClose', async () => {
    const isHeard = !events.isEmpty || live?.isEmpty === false
    // Runs end while the service does, and whoever listens hears of that first.
    if (options.shuttingDown() && isHeard) await finalEvents(options.player, options.timers)
    live?.close()
    events.close()
  })
  return app
}

const addHooks = (
  app: FastifyInstance,
  options: ApiOptions,
  paths: PathTable,
  wire: Wire,
): void => {
  const check = checkRequest(options, paths)
  const { logger } = options
  app.addHook('onRoute', (route) => paths.add(route))
  app.addHook('onRequest', (request, reply, done) => {
    if (wire.hasEnded(request.raw)) return
    const before = wire.noteRequest(request.raw, reply.raw)
    if (before === null) check(request, reply, done)
    else inTurn(request.raw, reply.raw, before, () => check(request, reply, done))
  })
  app.addHook('preValidation', readBody)
  if (logger !== null) {
    app.addHook('onResponse', (request, reply, done) => {
      logRequest(logger, request, reply)
      done()
    })
  }
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { method, originalUrl: url } = request
    logger?.error({ err: error, method, url }, 'request failed')
    const told = 'something went wrong in the service; ask for the state before you try again'
    sendRefusal(reply, refuse('command_failed', told))
  })
  app.setNotFoundHandler((request, reply) =>
    // Not met: the request checks have answered by then.
    sendRefusal(reply, noSuchPath(request.originalUrl)),
  )
}

/** A WebSocket leaves HTTP, so its checks are made here once more, and in the same order. */
const addLive = (
  app: FastifyInstance, wire: Wire, options: ApiOptions, source: LiveSource,
): LiveHub => {
  const hub = new LiveHub(source, options.timers)
  attachLive(app.server, {
    hub,
    refusal: (request) =>
      callerRefusal(request, request.url ?? '', options) ?? licenceRefusal(options) ??
      (options.shuttingDown() ? refuse('shutting_down', 'the service ends') : null),
    upgraded: (request) => wire.noteUpgrade(request),
    end: (socket, refusal) => wire.end(socket, refusal),
  })
  app.get(LIVE.path, (_request, reply) => {
    sendRefusal(reply, refuse('bad_request', 'this is a WebSocket: open it as one'))
  })
  return hub
}

const addRoutes = (app: FastifyInstance, options: ApiOptions): EventHub => {
  const hub = new EventHub(options.player, options.timers)
  const plugin = initServer().plugin(handlers(options, hub))
  app.register(plugin, {
    logInitialization: false,
    responseValidation: options.checksAnswers,
    requestValidationErrorHandler: (error: RequestValidationError, request, reply) =>
      sendRefusal(reply, refusalOf(error, request.body)),
  })
  return hub
}
