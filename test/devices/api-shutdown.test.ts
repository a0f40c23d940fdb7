// A shutdown as clients see it: commands refused, reads answered, every connection gone in time.
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { closeServer } from '../../src/api/shutdown.js'
import { realTimers } from '../../src/clock/real.js'
import { BUTTON, successFor } from '../api/fake-player.js'
import { API, listen, serve } from '../api/served.js'
import { answersIn, talk } from './raw-socket.js'

const DEADLINE_MS = 600

const connected = (port: number): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ host: '127.0.0.1', port }, () => resolve(socket))
    socket.on('error', reject)
  })

it('lets what runs end, refuses what comes, and closes idle connections at once', async () => {
  const served = serve(null)
  const port = await listen(served)
  const host = `Host: 127.0.0.1:${port}\r\n\r\n`
  served.player.answer = (command) =>
    new Promise((resolve) => setTimeout(() => resolve(successFor(command)), 200))
  const slow = talk(port, [`POST ${API}/buttons/${BUTTON}/play HTTP/1.1\r\n${host}`], 3_000, null)
  const idle = talk(port, [`GET ${API}/status HTTP/1.1\r\n${host}`], 3_000, null)
  await expect.poll(() => served.player.commands.length).toBe(1)
  served.daemon.shuttingDown = true
  const refused = await talk(port, [`POST ${API}/stop HTTP/1.1\r\n${host}`], 3_000, 1)
  expect(answersIn(refused.text)[0]).toMatchObject({ status: 503 })
  const read = await talk(port, [`GET ${API}/status HTTP/1.1\r\n${host}`], 3_000, 1)
  expect(answersIn(read.text)[0]).toMatchObject({ status: 200 })
  const began = performance.now()
  await closeServer(served.app, served.timers, 20_000)
  // The run in flight took its 200 ms, and nobody waited for the deadline.
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(answersIn((await slow).text).map((one) => one.status)).toEqual([202])
  expect(await idle).toMatchObject({ closed: true })
  expect(served.player.commands).toHaveLength(1)
})

it('is over at its deadline, whoever still hangs on', async () => {
  const served = serve(null)
  const port = await listen(served)
  served.player.answer = () => new Promise(() => undefined)
  const host = `Host: 127.0.0.1:${port}\r\n`
  const silent = await connected(port)
  const half = await connected(port)
  half.write('GET /api')
  const stuck = await connected(port)
  stuck.write(`POST ${API}/buttons/${BUTTON}/play HTTP/1.1\r\n${host}\r\n`)
  await expect.poll(() => served.player.commands.length).toBe(1)
  const ended = [silent, half, stuck].map(
    (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
  )
  const began = performance.now()
  await closeServer(served.app, served.timers, DEADLINE_MS)
  expect(performance.now() - began).toBeLessThan(DEADLINE_MS + 5_000)
  await Promise.all(ended)
  await expect(connected(port)).rejects.toThrow('ECONNREFUSED')
})

it('waits for no connection that left HTTP and that nobody closes', async () => {
  const app = Fastify()
  const left: net.Socket[] = []
  app.server.on('upgrade', (_request, socket: net.Socket) => left.push(socket))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await connected((app.server.address() as AddressInfo).port)
  page.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await expect.poll(() => left.length).toBe(1)
  const began = performance.now()
  await closeServer(app, realTimers(), DEADLINE_MS)
  expect(performance.now() - began).toBeLessThan(DEADLINE_MS + 5_000)
  left[0]?.destroy()
  await once(page, 'close')
})
