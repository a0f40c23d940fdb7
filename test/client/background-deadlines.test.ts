// The deadlines of a start and of a resume: to the millisecond, and nothing for a pause or a stop.
import { describe, expect, test } from 'vitest'
import { Background, createClient, NotStartedError } from '../../src/client/client.js'
import { failing, opened } from './app-page.js'
import { BED, quiz } from './quiz-show.js'

describe('silence that is asked for while a start has no answer', () => {
  /** Of the first start no answer comes, ever; every other one is on its way for 20 ms. */
  const unanswered = () => {
    const { player, client: direct } = quiz()
    const counted = { requests: 0 }
    const never = new Set(['/play'])
    const client = createClient({
      ...player.clientOptions,
      fetch: async (url, init) => {
        counted.requests += 1
        if (never.delete(url.slice(url.lastIndexOf('/')))) {
          await player.fetch(url, { ...init, signal: null })
          return new Promise((_resolve, reject) => {
            init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
          })
        }
        await player.wait(20)
        return player.fetch(url, init)
      },
    })
    const background = new Background(client, { beds: [BED.warm, BED.tense] })
    return { player, direct, background, counted }
  }

  test.each(['pause', 'stop'] as const)('a %s: once the service answers', async (wish) => {
    const { player, direct, background, counted } = unanswered()
    const started = failing(background.start(0, { deadlineMs: 1_500 }))
    await player.advance(700)
    const asked = failing(background[wish]({ fadeOutMs: 0 }))
    await player.advance(6_000)
    expect(background.state).toBe(wish === 'pause' ? 'paused' : 'stopped')
    expect(await asked).toBeNull()
    await started
    expect((await direct.status()).active).toEqual([])
    expect(counted.requests).toBeLessThan(40)
    background.close()
  })

  test('a resume: the bed plays', async () => {
    const { player, direct, background, counted } = unanswered()
    const asked = [background.start(0, { deadlineMs: 1_500 })]
    await player.advance(700)
    asked.push(background.resume())
    await player.advance(6_000)
    await Promise.all(asked)
    expect(background.state).toBe('playing')
    expect((await direct.status()).active).toMatchObject([{ id: BED.warm }])
    expect(counted.requests).toBeLessThan(40)
    background.close()
  })

  test('a stop, with the service away until long after: once it is back', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(1_000)
    it.player.setNetwork('down')
    const started = failing(it.background.start(1))
    await it.player.advance(700)
    const stopped = failing(it.background.stop({ fadeOutMs: 0 }))
    await it.player.advance(12_000)
    it.player.setNetwork('slow')
    await it.player.advance(6_000)
    expect(it.background.state).toBe('stopped')
    expect(await stopped).toBeNull()
    await started
    it.player.setNetwork('up')
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })
})

test.each([500, 4_000])('a resume that is not answered rejects after its %d ms', async (ms) => {
  const it = opened()
  await it.background.start()
  await it.player.advance(2_000)
  await it.background.pause({ fadeOutMs: 0 })
  it.player.setNetwork('hanging')
  const from = it.player.now()
  let told = NaN
  const outcome = failing(it.background.resume({ deadlineMs: ms }))
    .finally(() => (told = it.player.now()))
  await it.player.advance(10_000)
  expect(told - from).toBe(ms)
  expect(await outcome).toBeInstanceOf(NotStartedError)
  it.background.close()
})

test.each([NaN, -1])('a deadline of %d is none, and nothing is sent', async (deadlineMs) => {
  const it = opened()
  for (const asked of [
    it.background.start(0, { deadlineMs }), it.background.resume({ deadlineMs }),
  ]) expect(await failing(asked)).toBeInstanceOf(RangeError)
  expect(it.background.state).toBe('idle')
  expect(await failing(it.background.start(0, { deadlineMs: Infinity }))).toBeNull()
  it.background.close()
})
