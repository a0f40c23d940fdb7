// A test that has put timers of its own in place of the platform's: the player does not need those.
import { setupServer } from 'msw/node'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Background, createClient, watch } from '../../src/client/client.js'
import { BED, MEDIA, quiz } from './quiz-show.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each(['live', 'events'] as const)('a list goes on to its next bed (by %s)', async (how) => {
  const { player } = quiz()
  const options = how === 'live' ? {} : { webSocket: null }
  const client = createClient({ ...player.clientOptions, ...options })
  const background = new Background(client, { beds: [BED.warm, BED.tense] })
  await background.start()
  await player.advance(9_000)
  await background.pause({ fadeOutMs: 500 })
  await player.advance(5_000)
  await background.resume()
  await player.advance(MEDIA['warm.mp3'].durationMs)
  expect([background.state, background.bed]).toEqual(['playing', BED.tense])
  background.close()
})

test('a stream of events stands, however much is told', async () => {
  const { player } = quiz()
  const client = createClient({ ...player.clientOptions, webSocket: null })
  let ends = 0
  const watching = watch(client, { onRun: ({ endReason }) => (ends += endReason === null ? 0 : 1) })
  await player.advance(100)
  for (let n = 0; n < 200; n += 1) await client.restart(BED.warm, { loop: true })
  await player.advance(100)
  expect(ends).toBe(199)
  watching()
})

test('commands come through msw too', async () => {
  const { player } = quiz()
  const server = setupServer(...player.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  const client = createClient({ baseUrl: player.baseUrl })
  const executionId = (await client.play(BED.warm, { allowOverlap: true })).executionId ?? ''
  await player.advance(1_000)
  expect(await client.pause(BED.warm, { executionId, fadeOutMs: 0 }))
    .toMatchObject({ state: 'paused', positionMs: 1_000 })
  server.close()
})
