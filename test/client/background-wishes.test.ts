// What becomes of the wishes of an app that are refused, cross each other, or meet those of others.
import { describe, expect, test } from 'vitest'
import { Background, createClient, NotStartedError } from '../../src/client/client.js'
import { failing, HOW, opened, pageOf, titles } from './app-page.js'
import { BED, quiz, SONG } from './quiz-show.js'

test('a start of a bed that the list has not rejects, as every other refusal does', async () => {
  const it = opened()
  const outcome = it.background.start(99)
  await expect(outcome).rejects.toThrow('there is no bed 99')
  expect(it.background.state).toBe('idle')
  it.background.close()
})

describe('refused while the run goes on', () => {
  /** A page between which and the service something may keep stops back. */
  const stopping = (isKeptBack: boolean) => {
    const { player } = quiz()
    const all = player.clientOptions
    const background = new Background(createClient({
      ...all,
      fetch: (url, init) => isKeptBack && url.endsWith('/stop')
        ? Promise.resolve(new Response('{"error":"license_restricted"}', { status: 403 }))
        : player.fetch(url, init),
    }), { beds: [BED.warm, BED.tense, BED.last] })
    return { player, background }
  }

  test('a resume of a bed that somebody stops with a fade rejects', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(5_000)
    await it.background.pause({ fadeOutMs: 2_000 })
    await it.player.advance(500)
    await it.client.stop(BED.warm, { fadeOutMs: 2_000 })
    const error = await failing(it.background.resume())
    expect(error).toMatchObject({ code: 'execution_not_resumable' })
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({ state: 'halted', reason: 'explicit_stop' })
    it.background.close()
  })

  test('also where news of the stop cuts the look at the run short', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(5_000)
    await it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(500)
    it.player.setNetwork('slow')
    const stopped = it.client.stop(BED.warm)
    const outcome = failing(it.background.resume())
    await it.player.advance(5_000)
    await stopped
    expect(await outcome).toMatchObject({ code: 'execution_not_resumable' })
    it.background.close()
  })

  test.each([
    ['pause', (it) => it.background.pause({ fadeOutMs: 60_001 })],
    ['resume', (it) => it.background.resume({ fadeInMs: -1 })],
  ] as [string, (it: ReturnType<typeof opened>) => Promise<void>][])(
    'a %s with a fade that there is not rejects, and the list goes on', async (_what, ask) => {
      const it = opened()
      await it.background.start(1)
      await it.player.advance(5_000)
      expect(await failing(ask(it))).toMatchObject({ code: 'invalid_playback_request' })
      expect(it.background.state).toBe('playing')
      await it.player.advance(56_000)
      expect(it.background).toMatchObject({ state: 'playing', index: 2 })
      it.background.close()
    })

  test.each(['a fade that there is not', 'a proxy'])(
    'a stop, for %s, rejects, and the list goes on', async (why) => {
      const it = stopping(why === 'a proxy')
      await it.background.start(1)
      await it.player.advance(5_000)
      const error = await failing(it.background.stop({ fadeOutMs: why === 'a proxy' ? 0 : 0.5 }))
      expect(error).toMatchObject({
        code: why === 'a proxy' ? 'license_restricted' : 'invalid_playback_request',
      })
      await it.player.advance(1_000)
      expect(it.background).toMatchObject({ state: 'playing', index: 1 })
      await it.player.advance(55_000)
      expect(it.background).toMatchObject({ state: 'playing', index: 2 })
      it.background.close()
    })

  test('a stop of a bed in pause: it stays paused, and can be resumed', async () => {
    const it = stopping(true)
    await it.background.start(1)
    await it.player.advance(5_000)
    await it.background.pause({ fadeOutMs: 0 })
    expect(await failing(it.background.stop())).not.toBeNull()
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({ state: 'paused', memory: { isPaused: true } })
    await it.background.resume()
    expect(it.background.state).toBe('playing')
    it.background.close()
  })

  test('a stop of what somebody stopped before is one', async () => {
    const it = opened()
    await it.background.start(1)
    await it.player.advance(5_000)
    it.player.setNetwork('hanging')
    await it.player.advance(1_000)
    it.player.restart()
    it.player.setNetwork('up')
    expect(await failing(it.background.stop())).toBeNull()
    expect(it.background.state).toBe('stopped')
    it.background.close()
  })

  test('a second pause: the silence of the first one stays', async () => {
    const it = opened()
    await it.background.start(1)
    await it.player.advance(59_000)
    await it.background.pause({ fadeOutMs: 3_000 })
    await it.player.advance(100)
    expect(await failing(it.background.pause({ fadeOutMs: 0.5 }))).not.toBeNull()
    await it.player.advance(5_000)
    expect(it.background.state).toBe('paused')
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })
})

describe.each(HOW)('somebody else, by %s', (how) => {
  test('puts the bed aside in its last second: the next one waits for a resume', async () => {
    const it = opened({ runOptions: { pauseWhenReplaced: true } }, how)
    await it.background.start(1)
    await it.player.advance(59_200)
    await it.client.play(SONG.second)
    await it.player.advance(10_000)
    expect(it.background).toMatchObject({ state: 'paused', executionId: null })
    expect(titles(it.player).at(-1)).toBe('Two')
    await it.background.resume()
    await it.player.advance(1_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 2 })
    it.background.close()
  })

  test('resumes what the app paused, or another start put aside: the list goes on', async () => {
    for (const quiet of ['pause', 'another start'] as const) {
      const it = opened({ runOptions: { pauseWhenReplaced: true } }, how)
      await it.background.start(1)
      await it.player.advance(5_000)
      if (quiet === 'pause') await it.background.pause({ fadeOutMs: 0 })
      else await it.client.play(SONG.second)
      await it.player.advance(5_000)
      await it.client.play(BED.tense)
      await it.player.advance(5_000)
      expect(it.background.state).toBe('playing')
      expect(it.background.memory.isPaused).toBe(false)
      await it.player.advance(55_000)
      expect(it.background).toMatchObject({ index: 2 })
      expect(titles(it.player)).toContain('Last')
      it.background.close()
    }
  })
})

describe('starts that cross each other', () => {
  test('the signal of the first takes that one back, and not the second', async () => {
    for (const under of ['due', 'sent'] as const) {
      const it = opened()
      it.player.setNetwork('slow')
      const first = new AbortController()
      const one = failing(it.background.start(0, { signal: first.signal }))
      await it.player.advance(under === 'due' ? 0 : 600)
      const two = failing(it.background.start(1))
      first.abort('the first is over')
      await it.player.advance(8_000)
      it.player.setNetwork('up')
      expect([await one, await two]).toEqual(['the first is over', null])
      expect(it.background).toMatchObject({ state: 'playing', index: 1 })
      expect((await it.client.status()).active).toMatchObject([{ id: BED.tense }])
      it.background.close()
    }
  })

  test('the signal of the second takes both back', async () => {
    const it = opened()
    it.player.setNetwork('slow')
    const one = failing(it.background.start(0))
    const second = new AbortController()
    const two = failing(it.background.start(1, { signal: second.signal }))
    second.abort('no')
    await it.player.advance(8_000)
    expect([await one, await two]).toEqual(['no', 'no'])
    expect(titles(it.player)).toEqual([])
    it.background.close()
  })

  test('the signal of one that has begun long ago ends nothing that comes after it', async () => {
    const it = opened({ beds: [SONG.first, BED.tense] })
    const first = new AbortController()
    await it.background.start(0, { signal: first.signal })
    await it.player.advance(1_000)
    it.player.setNetwork('slow')
    while (it.background.index === 0) await it.player.advance(50)
    // The next one is about to start.
    first.abort('a timeout of then')
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })

  test('the signal of one after which a stop was asked for leaves the stop', async () => {
    const it = opened()
    await it.background.start(0)
    await it.player.advance(5_000)
    it.player.setNetwork('slow')
    const second = new AbortController()
    const two = failing(it.background.start(1, { signal: second.signal }))
    const stopped = failing(it.background.stop({ fadeOutMs: 0 }))
    second.abort('no')
    await it.player.advance(8_000)
    it.player.setNetwork('up')
    expect([await two, await stopped]).toEqual(['no', null])
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })

  test('the second has all its time, whatever is left of that of the first', async () => {
    const it = opened()
    it.player.setNetwork('mute')
    const one = failing(it.background.start(0))
    await it.player.advance(9_000)
    const two = failing(it.background.start(1))
    await it.player.advance(3_000)
    it.player.setNetwork('up')
    await it.player.advance(4_000)
    expect([await one, await two]).toEqual([null, null])
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })
})

test.each(['down', 'hanging', 'mute'] as const)(
  'a start while the service is away (%s) rejects at its deadline, not when that is back',
  async (network) => {
    const it = opened()
    await it.background.start()
    await it.player.advance(5_000)
    it.player.setNetwork(network)
    await it.player.advance(10_000)
    const outcome = failing(it.background.start(1, { deadlineMs: 4_000 }))
    let told = NaN
    void outcome.then(() => (told = it.player.now()))
    await it.player.advance(30_000)
    expect(told).toBe(19_000)
    expect(await outcome).toBeInstanceOf(NotStartedError)
    it.player.setNetwork('up')
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    expect(titles(it.player)).toEqual(['Warm'])
    it.background.close()
  })

describe('a wish while a page that was loaded again still looks for its bed', () => {
  /** The page as it comes back, with a service that is slow or away for two seconds. */
  const again = async (network: 'slow' | 'down' | 'hanging', isPaused = false) => {
    const before = opened()
    const { player } = before
    await before.background.start(1)
    await player.advance(5_000)
    if (isPaused) await before.background.pause({ fadeOutMs: 0 })
    const { memory } = before.kept
    before.background.close()
    player.setNetwork(network)
    const page = pageOf(player)
    const adopted = page.background.adopt(memory)
    await player.advance(100)
    return { ...page, player, adopted }
  }
  const back = async ({ player }: Awaited<ReturnType<typeof again>>): Promise<void> => {
    await player.advance(2_000)
    player.setNetwork('up')
    await player.advance(3_000)
  }

  test.each(['slow', 'down', 'hanging'] as const)('a pause (%s): silence', async (network) => {
    const it = await again(network)
    const paused = it.background.pause({ fadeOutMs: 0 })
    await back(it)
    await paused
    expect(await it.adopted).toBe(true)
    expect(it.background).toMatchObject({ state: 'paused', index: 1 })
    expect((await it.client.status()).active).toEqual([])
    await it.background.resume()
    await it.player.advance(60_000)
    expect(titles(it.player).at(-1)).toBe('Last')
    it.background.close()
  })

  test('a resume: the bed goes on, and after it the list', async () => {
    const it = await again('hanging', true)
    const resumed = it.background.resume()
    await back(it)
    await resumed
    expect(await it.adopted).toBe(true)
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    await it.player.advance(60_000)
    expect(titles(it.player).at(-1)).toBe('Last')
    it.background.close()
  })

  test('a stop: it stops what the page before had begun', async () => {
    const it = await again('slow')
    const stopped = it.background.stop({ fadeOutMs: 0 })
    await back(it)
    await stopped
    expect(it.background.state).toBe('stopped')
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })

  test('a start: that bed, and no other', async () => {
    const it = await again('slow')
    const started = it.background.start(0)
    await back(it)
    await started
    expect(await it.adopted).toBe(true)
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    it.background.close()
  })

  test('a resume that is given up: the silence stays', async () => {
    const it = await again('hanging', true)
    const error = failing(it.background.resume({ deadlineMs: 1_000 }))
    await back(it)
    expect(await error).toBeInstanceOf(NotStartedError)
    expect(await it.adopted).toBe(true)
    expect(it.background).toMatchObject({ state: 'paused', index: 1 })
    it.background.close()
  })
})
