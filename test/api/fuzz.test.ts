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
}, 60_000)

it('survives 600 garbled connections, and everyone else is answered meanwhile', async () => {
  const port = await listen(served)
  const good = `GET ${API}/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  /** What is wrong with the answers of so many milliseconds. */
  const complaints = async (bytes: Buffer, ms: number): Promise<readonly string[]> => {
    // The end of sending is what tells the server that a cut request will not be completed.
    const { text } = await talk(port, [bytes, 'end'], ms, null)
    return answersIn(text).flatMap(({ status, headers, body }) => {
      if (status === 100) return []
      const told = complaintOf(status, headers.get('access-control-allow-origin'), body)
      return [...(told === null ? [] : [told]), ...(status < 500 ? [] : [`answered ${status}`])]
    })
  }
  await fc.assert(
    fc.asyncProperty(anyBytes(() => served.daemon.authority), async (bytes) => {
      const [first, other] = await Promise.all([
        complaints(bytes, 60), talk(port, [good], 20_000, 1),
      ])
      // On a machine that stood still an answer may be cut off: it is given more time.
      if (first.length > 0) expect(await complaints(bytes, 2_000)).toEqual([])
      expect(answersIn(other.text).map((one) => one.status)).toEqual([200])
    }),
    // Making a failing case smaller takes longer than the test may.
    { numRuns: 600, endOnFailure: true },
  )
}, 120_000)
