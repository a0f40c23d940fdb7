// The bare client: every route with what it sends and answers, errors, aborts, and no retries.
import { spawnSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  CartwallError, createClient, outcomeOf, type ClientOptions, type Fetch,
} from '../../src/client/client.js'
import { contract } from '../../src/contract/routes.js'
import { BED, LIT, quiz } from './quiz-show.js'

const BASE = 'http://127.0.0.1:47831/api/v1'

/** A client whose every call meets one prepared answer; what it sent is kept. */
const answering = (status: number, text: string) => {
  const calls: { url: string; init: RequestInit }[] = []
  const fetch: Fetch = async (url, init) => {
    calls.push({ url, init })
    return new Response(text, { status })
  }
  return { client: createClient({ baseUrl: BASE, fetch }), calls }
}

const rejection = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => null, (error: unknown) => error)

describe('the face', () => {
  test('has a method for every route of the contract that answers JSON about playing', () => {
    const { client } = answering(200, '{}')
    const served = Object.keys(contract).filter((name) => !/^(events|openApi)/i.test(name))
    expect(Object.keys(client)).toEqual(expect.arrayContaining(served))
  })

  test('sends each command to its path, with its body and its headers', async () => {
    const { client, calls } = answering(200, '{}')
    await client.play('a')
    await client.restart('a', { loop: true }, { idempotencyKey: 'k1' })
    await client.stop('a', { fadeOutMs: 5 })
    await client.dmxSync('a', {
      executionId: 'e', sequence: 1, positionMs: 0.5, isPlaying: true,
    })
    await client.panic()
    await client.execution('../x')
    const told = calls.map(({ url, init }) => [init.method ?? 'GET', url.slice(BASE.length)])
    expect(told).toEqual([
      ['POST', '/buttons/a/play'], ['POST', '/buttons/a/restart'], ['POST', '/buttons/a/stop'],
      ['POST', '/buttons/a/dmx/sync'], ['POST', '/stop'], ['GET', '/executions/..%2Fx'],
    ])
    expect(calls[0]?.init).toMatchObject({ body: null, headers: {} })
    expect(calls[1]?.init).toMatchObject({
      body: '{"loop":true}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    })
  })

  test('null is no key, as it is no body and no signal', async () => {
    const { client, calls } = answering(200, '{}')
    await client.play('a', null, { idempotencyKey: null, signal: null })
    expect(calls[0]?.init.headers).toEqual({})
  })

  test('reads /live where /api/v1 is, safely where that is; and by no other way than its fetch',
    () => {
      const opened: string[] = []
      class Socket {
        readonly nth: number

        constructor(url: string, protocol: string) {
          this.nth = opened.push(`${url} ${protocol}`)
        }
      }
      const webSocket = Socket as unknown as NonNullable<ClientOptions['webSocket']>
      const live = (options: Partial<ClientOptions>) =>
        createClient({ baseUrl: 'https://quiz.example/cart/api/v1', ...options }).platform?.live
      live({ webSocket })?.('?n=1')
      live({ webSocket, baseUrl: BASE })?.('')
      expect(opened).toEqual([
        'wss://quiz.example/cart/api/v1/live?n=1 cartwall.live.1',
        'ws://127.0.0.1:47831/api/v1/live cartwall.live.1',
      ])
      vi.stubGlobal('WebSocket', webSocket)
      expect(live({})?.('')).toBeInstanceOf(Socket)
      expect(live({ fetch: () => Promise.reject(new TypeError('nobody')) })?.('')).toBeNull()
      vi.unstubAllGlobals()
    })

  test('takes a base address with a slash at its end, and refuses one without the version', () => {
    expect(createClient({ baseUrl: `${BASE}/` }).baseUrl).toBe(BASE)
    expect(() => createClient({ baseUrl: 'http://127.0.0.1:47831' }))
      .toThrow('must end in /api/v1, which http://127.0.0.1:47831 does not')
    // As from an environment that lacks it, which JavaScript does not notice.
    expect(() => createClient({} as { baseUrl: string }))
      .toThrow('baseUrl must end in /api/v1, which undefined does not')
  })
})

describe('what is no success', () => {
  test('rejects with status, code and message', async () => {
    const { client } = answering(409, '{"error":"app_busy","message":"wait"}')
    const error = await rejection(client.play('a'))
    expect(error).toBeInstanceOf(CartwallError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'CartwallError', status: 409, code: 'app_busy', message: 'wait',
    })
  })

  test.each([
    [502, '<html>Bad gateway</html>'], [200, 'hello'], [200, ''], [500, 'null'], [404, '[]'],
    [503, '{"error":{"code":1}}'],
  ])('a %s that the service did not write is an unexpected answer: %s', async (status, text) => {
    const { client } = answering(status, text)
    expect(await rejection(client.status())).toMatchObject({
      status, code: 'unexpected_answer', message: text, isSwept: false,
    })
  })

  test('of a long page only the beginning is told', async () => {
    const { client } = answering(502, 'x'.repeat(5_000))
    expect(await rejection(client.status())).toMatchObject({ message: 'x'.repeat(200) })
  })

  test('a key that no header can hold is refused as the service does, and not sent', async () => {
    const { client, calls } = answering(200, '{}')
    const error = await rejection(client.play('a', null, { idempotencyKey: '問題 7' }))
    expect(error).toMatchObject({ status: 400, code: 'invalid_playback_request' })
    expect([outcomeOf(error), calls]).toEqual(['refused', []])
  })

  test('is never tried again by itself', async () => {
    for (const status of [409, 500, 502, 503]) {
      const { client, calls } = answering(status, '{"error":"command_failed"}')
      await rejection(client.play('a'))
      expect(calls).toHaveLength(1)
    }
  })

  test('an abort rejects with its reason', async () => {
    const { player, client } = quiz()
    player.setNetwork('hanging')
    const own = new AbortController()
    const call = client.status({ signal: own.signal })
    own.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })

  test('a signal that lasts for months keeps nothing of the calls that had it', async () => {
    const { client } = quiz()
    const { signal } = new AbortController()
    for (let n = 0; n < 10; n += 1) await client.status({ signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('a time that is longer than timers can be is never over', async () => {
    vi.useFakeTimers()
    const { player } = quiz()
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    const slow: Fetch = async (url, init) => {
      await held
      return player.fetch(url, init)
    }
    const client = createClient({
      baseUrl: player.baseUrl, fetch: slow, timeoutMs: Number.MAX_SAFE_INTEGER,
    })
    const told = client.buttons().then(() => 'answered', String)
    await vi.advanceTimersByTimeAsync(60)
    answer()
    vi.useRealTimers()
    expect(await told).toBe('answered')
  })
})

test('a session: every method against the real service', async () => {
  const { player, client } = quiz()
  expect((await client.buttons()).buttons).toHaveLength(9)
  const { executionId } = await client.play(BED.warm)
  const run = { executionId: executionId ?? '' }
  await player.advance(1000)
  expect(await client.play(BED.warm)).toMatchObject({ result: 'already_active', ...run })
  expect(await client.pause(BED.warm, run)).toMatchObject({ state: 'pausing' })
  expect(await client.resume(BED.warm, run)).toMatchObject({ state: 'playing' })
  expect(await client.stop(BED.warm, { fadeOutMs: 0 })).toMatchObject({ result: 'stopped' })
  expect(await client.execution(run.executionId)).toMatchObject({ endReason: 'explicit_stop' })
  expect(await client.stop(LIT)).toMatchObject({ result: 'already_stopped', executionId: null })
})

test('the types on disk are those that the contract makes', () => {
  const root = resolve(import.meta.dirname, '../..')
  const script = join(root, 'scripts/wire-types.mjs')
  const args = ['--import', 'tsx', script, '--check']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})
