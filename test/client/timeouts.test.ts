// How long a call waits for its answer, and what an app learns of a command that failed.
import { describe, expect, test } from 'vitest'
import {
  Background, CartwallError, createClient, DmxSync, outcomeOf, watch, type CallOptions, type Client,
  type ClientOptions,
} from '../../src/client/client.js'
import { BED, quiz, STROBE } from './quiz-show.js'

/** When the call was over, in the player's time, and with what; null: it still waits. */
const overIn = async (
  options: Partial<ClientOptions>, ask: (client: Client) => Promise<unknown>,
): Promise<{ readonly at: number; readonly error: unknown } | null> => {
  const { player } = quiz()
  const client = createClient({ ...player.clientOptions, ...options })
  await player.advance(1_000)
  player.setNetwork('mute')
  const over: { at: number; error: unknown }[] = []
  void ask(client).catch((error: unknown) => over.push({ at: player.now() - 1_000, error }))
  await player.advance(120_000)
  return over[0] ?? null
}

const CALLS: readonly (readonly [string, (client: Client, call?: CallOptions) =>
  Promise<unknown>])[] = [
  ['a read', (client, call) => client.status(call)],
  ['a command', (client, call) => client.play(BED.warm, null, call)],
]

describe.each(CALLS)('%s without an answer', (_what, ask) => {
  test.each([
    ['after 5 s', undefined, undefined, 5_000], ['as the client says', 800, undefined, 800],
    ['as the call says', undefined, 300, 300], ['as the call says, longer', 800, 20_000, 20_000],
    ['never', Infinity, undefined, null], ['never, for this call', 800, Infinity, null],
    ['at once', 800, 0, 0],
  ])('is given up %s', async (_when, own, called, at) => {
    const over = await overIn({ timeoutMs: own }, (client) => ask(client, { timeoutMs: called }))
    expect(over?.at ?? null).toBe(at)
    if (over === null) return
    expect(over.error).toMatchObject({ name: 'TimeoutError', message: `no answer within ${at} ms` })
    expect(outcomeOf(over.error)).toBe('not_answered')
  })
})

test('an answer whose body does not come is given up likewise', async () => {
  const over = await overIn({
    fetch: async (_url, { signal }) => new Response(new ReadableStream({
      start: (body) => signal?.addEventListener('abort', () => body.error(signal.reason)),
    })),
  }, (client) => client.status())
  expect(over).toMatchObject({ at: 5_000, error: { name: 'TimeoutError' } })
})

test.each([
  ['an answer', (): Promise<Response> => new Promise(() => undefined)],
  ['a body', () => Promise.resolve(new Response(new ReadableStream()))],
])('%s is given up where fetch takes no notice of its signal (Capacitor)', async (_what, fetch) => {
  const over = await overIn({ fetch }, (client) => client.status())
  expect(over).toMatchObject({ at: 5_000, error: { name: 'TimeoutError' } })
})

test('what is aborted beforehand is not sent, whatever fetch makes of its signal', async () => {
  let sent = 0
  const client = createClient({
    baseUrl: 'http://127.0.0.1:47831/api/v1',
    fetch: () => {
      sent += 1
      return Promise.resolve(Response.json({ result: 'accepted' }))
    },
  })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(client.play(BED.warm, null, { signal })).rejects.toThrow('enough')
  expect(sent).toBe(0)
})

test('a time that is no number is no time for ever, and the error says so', async () => {
  const fetch = (): Promise<Response> => new Promise(() => undefined)
  const wait = (): Promise<void> => Promise.resolve()
  const baseUrl = 'http://127.0.0.1:47831/api/v1'
  const client = createClient({ baseUrl, fetch, wait, timeoutMs: NaN })
  await expect(client.status()).rejects.toThrow('no answer within NaN ms')
})

test('whose signal is aborted first rejects with its reason', async () => {
  const own = new AbortController()
  const over = overIn({}, (client) => {
    const call = client.status({ signal: own.signal, timeoutMs: 60_000 })
    own.abort(new Error('enough'))
    return call
  })
  expect(await over).toMatchObject({ at: 0, error: { message: 'enough' } })
})

describe('what became of a command', () => {
  const failed = (code?: string): Error => new TypeError('fetch failed', { cause: { code } })

  test.each([
    ['refused', new CartwallError(409, 'app_busy', '')],
    ['refused', new CartwallError(404, 'button_not_found', '')],
    ['refused', new CartwallError(400, 'invalid_playback_request', '')],
    ['refused', new CartwallError(503, 'playback_unavailable', '')],
    ['refused', new CartwallError(503, 'idempotency_full', '')],
    ['refused', new CartwallError(408, 'request_timeout', '')],
    // A panic came before it: it never was carried out.
    ['refused', new CartwallError(500, 'command_failed', '', true)],
    ['not_answered', new CartwallError(500, 'command_failed', '')],
    ['not_answered', new CartwallError(502, 'unexpected_answer', '')],
    ['not_answered', new CartwallError(404, 'unexpected_answer', '')],
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
      'UND_ERR_CONNECT_TIMEOUT'].map((code) => ['not_sent', failed(code)] as const),
    ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'XECONNREFUSEDX',
      undefined].map((code) => ['not_answered', failed(code)] as const),
    // Bun's fetch has the code on the error itself. An older one has another, and sends twice.
    ['not_sent', Object.assign(new TypeError(), { code: 'ECONNREFUSED' })],
    ['not_sent', Object.assign(new TypeError(), { code: 'ENOTFOUND' })],
    ['not_answered', Object.assign(new TypeError(), { code: 'ECONNRESET' })],
    ['not_answered', Object.assign(new Error(), { code: 'ConnectionRefused' })],
    ['not_answered', new DOMException('', 'AbortError')],
    ['not_answered', new TypeError('Failed to fetch')], ['not_answered', 'enough'],
    ['not_answered', null], ['not_answered', undefined],
  ] as const)('%s: %j', (outcome, error) => {
    expect(outcomeOf(error)).toBe(outcome)
  })

  test.each([
    ['down', 'not_sent', 0], ['lossy', 'not_answered', 1], ['mute', 'not_answered', 1],
    ['hanging', 'not_answered', 0],
  ] as const)('over a network that is %s: %s', async (network, outcome, sounds) => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    await player.advance(100)
    player.setNetwork(network)
    const error = client.play(BED.warm).then(() => null, (it: unknown) => it)
    await player.advance(6_000)
    expect(outcomeOf(await error)).toBe(outcome)
    expect(player.heard()).toHaveLength(sounds)
  })
})

test('an id is one part of a path, whatever is in it', async () => {
  const urls: string[] = []
  const client = createClient({
    baseUrl: 'http://127.0.0.1:47831/api/v1',
    fetch: async (url) => {
      urls.push(url)
      return new Response('{}')
    },
  })
  const run = { executionId: 'e' }
  const id = '../a/b?c#d%'
  await client.play(id)
  await client.restart(id)
  await client.pause(id, run)
  await client.resume(id, run)
  await client.stop(id)
  await client.dmxSync(id, { ...run, sequence: 1, positionMs: 0, isPlaying: true })
  expect(urls.map((url) => url.slice(url.indexOf('/buttons')))).toEqual(
    ['play', 'restart', 'pause', 'resume', 'stop', 'dmx/sync'].map((verb) =>
      `/buttons/..%2Fa%2Fb%3Fc%23d%25/${verb}`))
})

/** What asks again and again, e.g. every `Number(settings.poll)` of settings that have no such. */
const ASKING: readonly (readonly [string, number, (client: Client, ms: number) =>
  Promise<() => void>])[] = [
  ['a background', 750, async (client, pollMs) => {
    const background = new Background(client, { beds: [BED.warm], pollMs })
    await background.start()
    return () => background.close()
  }],
  ['a watch', 750, async (client, pollMs) => watch(client, { pollMs })],
  ['a DmxSync', 225, async (client, everyMs) => {
    const dmxExecutionId = (await client.play(STROBE)).dmxExecutionId ?? ''
    const clock = { positionMs: 0, isPlaying: true }
    const sync = new DmxSync(client, { buttonId: STROBE, dmxExecutionId, clock, everyMs })
    sync.start()
    return () => sync.stop()
  }],
]

describe.each(ASKING)('%s', (_what, every, begin) => {
  test.each([undefined, NaN, 0])('asks as often as where nothing is said: %s', async (ms) => {
    const { player } = quiz()
    let asked = 0
    const client = createClient({
      ...player.clientOptions,
      webSocket: null,
      fetch: (url, init) => {
        asked += 1
        // One that asks without end would keep time from passing.
        if (asked > 200) return new Promise(() => undefined)
        return player.fetch(url.replace('/events', '/nothing'), init)
      },
    })
    const end = await begin(client, ms as number)
    await player.advance(1_000)
    asked = 0
    await player.advance(9_000)
    expect(asked).toBeGreaterThan(9_000 / every - 3)
    expect(asked).toBeLessThan(2 * (9_000 / every) + 3)
    end()
  })
})
