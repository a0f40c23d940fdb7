// A server over a fake player, for injecting and for listening on the loopback.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Origins } from '../../src/api/origins.js'
import { buildServer } from '../../src/api/server.js'
import { realTimers } from '../../src/clock/real.js'
import type { Timers } from '../../src/clock/timers.js'
import { FakePlayer } from './fake-player.js'

export const API = '/api/v1'

export interface Served {
  readonly app: FastifyInstance
  readonly player: FakePlayer
  readonly timers: Timers
  /** What the daemon would switch. */
  readonly daemon: {
    authority: string
    entitled: boolean
    shuttingDown: boolean
    origins: Origins
  }
}

export const serve = (logger: Logger | null, timers: Timers = realTimers()): Served => {
  const player = new FakePlayer()
  const daemon = {
    authority: '127.0.0.1:47831', entitled: true, shuttingDown: false,
    origins: 'any' as Origins,
  }
  const app = buildServer({
    timers,
    player,
    get authority() {
      return daemon.authority
    },
    entitled: () => daemon.entitled,
    shuttingDown: () => daemon.shuttingDown,
    get origins() {
      return daemon.origins
    },
    live: null,
    pages: null,
    checksAnswers: true,
    logger,
  })
  return { app, player, daemon, timers }
}

/** Listens on a free port of the loopback; the authority follows. */
export const listen = async (served: Served): Promise<number> => {
  await served.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = served.app.server.address() as AddressInfo
  served.daemon.authority = `127.0.0.1:${port}`
  return port
}

/** The code of a refusal that was injected for. */
export const errorOf = (answer: { readonly body: string }): string =>
  (JSON.parse(answer.body) as { error: string }).error
