// A page in an older browser, e.g. of a phone whose last system came in 2022: all works there too.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient, DmxSync, watch, type WatchMode } from '../../src/client/client.js'
import { pageOf, titles } from './app-page.js'
import { BED, LIT, quiz } from './quiz-show.js'

/** What came to browsers after that. */
const LATER = [[AbortSignal, 'any'], [Array.prototype, 'toSorted']] as const

const newer = LATER.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))
beforeEach(() => {
  for (const [owner, name] of LATER) Reflect.deleteProperty(owner, name)
})
afterEach(() => {
  for (const [n, [owner, name]] of LATER.entries()) {
    Object.defineProperty(owner, name, newer[n] ?? {})
  }
  vi.restoreAllMocks()
})

test.each(['live', 'polling'] as const)('a list of beds, a question in it (%s)', async (how) => {
  const { player } = quiz()
  const it = pageOf(player, { beds: [BED.tense, BED.last] }, how)
  await it.background.start()
  await player.advance(10_000)
  await it.background.pause({ fadeOutMs: 0 })
  await player.advance(5_000)
  await it.background.resume()
  await player.advance(60_000)
  expect(it.background.state).toBe('finished')
  expect(new Set(titles(player))).toEqual(new Set(['Tense', 'Last']))
  it.background.close()
})

test.each(['live', 'events'] as const)('a watch (%s)', async (how) => {
  const { player } = quiz()
  const all = player.clientOptions
  const client = createClient(how === 'live' ? all : { ...all, webSocket: null })
  const modes: WatchMode[] = []
  const end = watch(client, { onMode: (mode) => modes.push(mode) })
  await player.advance(1_000)
  const { executionId } = await client.play(BED.warm)
  await player.advance(5_000)
  expect(modes).toEqual([how])
  expect(end.positionMs(executionId ?? '')).toBeCloseTo(5_000, -2)
  end()
})

test('lights that follow', async () => {
  const { player, client } = quiz()
  const { dmxExecutionId } = await client.play(LIT)
  const sync = new DmxSync(client, {
    buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', wait: player.wait,
    clock: () => ({ positionMs: 3_000 + player.now(), isPlaying: true }),
  })
  sync.start()
  await player.advance(2_000)
  expect(sync.answer?.positionMs).toBeCloseTo(5_000, -3)
  sync.stop()
})

test('a call that is aborted, or takes too long, says which of them', async () => {
  const { player } = quiz()
  const client = createClient({
    ...player.clientOptions,
    fetch: (_url, { signal }) => new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    }),
  })
  const over = new AbortController()
  const calls = [client.status({ signal: over.signal }), client.status()]
    .map((call) => call.catch((error: unknown) => error))
  over.abort('the host went on')
  await player.advance(6_000)
  expect(await Promise.all(calls)).toMatchObject(['the host went on', { name: 'TimeoutError' }])
})
