// Takes the port on every address, or says in one line why it cannot be had and what to do.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Timers } from '../clock/timers.js'
import { waited } from '../clock/waiting.js'

/** It cannot start; the message is the one line that says why and what to do. */
export class StartError extends Error {}

/** A daemon that ends, or a connection, may give the port back soon: it is tried for so long. */
const TAKEN_MS = 3_000
const TRY_MS = 100
/** How soon somebody answers on this machine who listens. */
const LOOK_MS = 300

export const listen = async (
  app: FastifyInstance, [first, ...others]: readonly [string, ...string[]], port: number,
  timers: Timers,
): Promise<void> => {
  const by = timers.nowMs() + TAKEN_MS
  await patiently(() => app.listen({ host: first, port }), { host: first, port, by, timers })
  for (const host of others) {
    const server = further(app)
    await patiently(() => listening(server, host, port), { host, port, by, timers })
  }
}

interface Place {
  readonly host: string
  readonly port: number
  readonly by: number
  readonly timers: Timers
}

const patiently = async (attempt: () => Promise<unknown>, place: Place): Promise<void> => {
  const { host, port, by, timers } = place
  for (;;) {
    try {
      await attempt()
      return
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const where = `${host}:${String(port)}`
      if (code === 'EADDRNOTAVAIL') {
        throw new StartError(`${host} is no address of this machine: give one of its own${own()}`)
      }
      if (code !== 'EADDRINUSE') throw new StartError(`cannot listen on ${where}: ${message}`)
      if (timers.nowMs() >= by) throw new StartError(await takenBy(place, where))
      await waited(timers, TRY_MS)
    }
  }
}

/** Those that it has at this moment: a router may have given it another one overnight. */
const own = (): string => {
  const addresses = ipv4Addresses()
  return addresses.length === 0 ? '' : ` (${addresses.join(', ')})`
}

/** None where the system tells none, e.g. in a sandbox without netlink. */
const ipv4Addresses = (): readonly string[] => {
  try {
    return Object.values(networkInterfaces()).flatMap((each) => each ?? [])
      .filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  } catch {
    return []
  }
}

/** The port may be held by whoever listens, or by a connection that some program made from it. */
const takenBy = async (place: Place, where: string): Promise<string> =>
  (await isAnswered(place))
    ? `${where} is taken: another program listens there, perhaps another cartwall; ` +
      'end it, or give another --port'
    : `${where} is taken, though nobody listens there: a connection of some program holds ` +
      'the port; try again when that has ended, or give another --port'

const isAnswered = ({ host, port, timers }: Place): Promise<boolean> =>
  new Promise((resolve) => {
    const socket: Socket = connect({ host, port })
    const done = (answered: boolean): void => {
      cancel()
      socket.destroy()
      resolve(answered)
    }
    const cancel = timers.after(LOOK_MS, () => done(false))
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
  })

/** Its connections are the server's own: the same limits, the same end. */
const further = (app: FastifyInstance): Server => {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit('connection', socket)
  })
  app.server.once('close', () => server.close())
  return server
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    // Each try takes its listeners away again: of many Node warns.
    const ready = (): void => {
      server.removeListener('error', failed)
      resolve()
    }
    const failed = (error: Error): void => {
      server.removeListener('listening', ready)
      reject(error)
    }
    server.once('listening', ready).once('error', failed).listen({ host, port })
  })
