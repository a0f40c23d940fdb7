// Thousands of hostile requests: documented answers only, and the next client never notices.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { anyAsk, anyBytes, complaintOf } from './hostile.js'
import { answersIn, talk } from '../devices/raw-socket.js'
import { API, listen, serve, type Served } from './served.js'

let served: Served
beforeEach(() => {
  served = serve(null)
})
afterEach(async () => {
  served.app.server.closeAllConnections()
  await served.app.close()
})

it('answers 4000 injected requests by the book', async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(anyAsk, async ({ method, path, headers, body }) => {
      const answer = await served.app.inject({
        method: method as 'GET', url: path, payload: body,
        headers: { ...headers, host: served.daemon.authority },
      })
      const origin = answer.headers['access-control-allow-origin']
      expect(complaintOf(answer.statusCode, origin as string, answer.body)).toBeNull()
      expect(answer.statusCode).toBeLessThan(500)
      seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1)
    }),
    { numRuns: 4_000 },
  )
  // The fuzz reaches everything there is to reach; else it proves nothing.
  // A key that came with two requests is met now and then only.
  seen.delete(409)
  const reached = [...seen.keys()].sort((a, b) => a - b)
  expect(reached).toEqual([200, 202, 204, 400, 404, 405, 413, 415])
  expect(served.player.commands.length).toBeGreaterThan(100)
  const good = new Set(['play', 'restart', 'pause', 'resume', 'stop', 'panic', 'sync'])
  expect(new Set(served.player.commands.map((one) => one.kind))).toEqual(good)
})

it('survives 600 garbled connections, and everyone else is answered meanwhile', async () => {
  const port = await listen(served)
  const good = `GET ${API}/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  await fc.assert(
    fc.asyncProperty(anyBytes(() => served.daemon.authority), async (bytes) => {
      // The end of sending is what tells the server that a cut request will not be completed.
      const [heard, other] = await Promise.all([
        talk(port, [bytes, 'end'], 60, null),
        talk(port, [good], 5_000, 1),
      ])
      for (const answer of answersIn(heard.text)) {
        if (answer.status === 100) continue
        const origin = answer.headers.get('access-control-allow-origin')
        expect(complaintOf(answer.status, origin, answer.body)).toBeNull()
        expect(answer.status).toBeLessThan(500)
      }
      expect(answersIn(other.text).map((one) => one.status)).toEqual([200])
    }),
    { numRuns: 600 },
  )
})
