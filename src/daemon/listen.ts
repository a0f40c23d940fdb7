// Takes the port, or says in one line why it cannot be had and what to do.
import type { FastifyInstance } from 'fastify'

/** It cannot start; the message is the one line that says why and what to do. */
export class StartError extends Error {}

export const listen = async (app: FastifyInstance, host: string, port: number): Promise<void> => {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const where = `${host}:${String(port)}`
    if (code === 'EADDRINUSE') {
      throw new StartError(`${where} is taken by another program: end it, or give another --port`)
    }
    if (code === 'EADDRNOTAVAIL') {
      throw new StartError(`${host} is no address of this machine: give one of its own with --host`)
    }
    throw new StartError(`cannot listen on ${where}: ${(error as Error).message}`)
  }
}

