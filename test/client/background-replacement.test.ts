// A bed that sounds until the next one does: silence is for both, and a start that comes to nothing
// leaves the first.
import { describe, expect, test } from 'vitest'
import { opened, pageOf, titles } from './app-page.js'
import { BED, quiz } from './quiz-show.js'

/** The first bed has played for five seconds, and the next one has this file. */
const playing = async (next: { readonly readyAfterMs?: number; readonly failsAtMs?: number }) => {
  const { player } = quiz({ 'tense.flac': { durationMs: 60_000, ...next } })
  const page = pageOf(player)
  await page.background.start()
  await player.advance(5_000)
  return { ...page, player, first: page.background.executionId }
}

describe('a start before whose first sound', () => {
  const AGAIN = [['down', 200], ['slow', 3_000], ['up', 0]] as const

  test.each(AGAIN)('it is paused, by a network that is %s: silence', async (network, ms) => {
    const it = await playing({})
    it.player.setNetwork(network)
    const asked = [it.background.start(1), it.background.pause({ fadeOutMs: 0 })]
    await it.player.advance(ms)
    it.player.setNetwork('up')
    await it.player.advance(3_000)
    await Promise.all(asked)
    expect(it.background.state).toBe('paused')
    expect((await it.client.status()).active).toEqual([])
    await it.background.resume()
    await it.player.advance(5_000)
    expect((await it.client.status()).active).toMatchObject([{ id: BED.tense }])
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })

  test.each(['pause', 'stop'] as const)('its file is ready: a %s is silence', async (wish) => {
    const it = await playing({ readyAfterMs: 4_000 })
    await it.background.start(1)
    await it.player.advance(1_000)
    await it.background[wish]({ fadeOutMs: 0 })
    await it.player.advance(10_000)
    expect((await it.client.status()).active).toEqual([])
    expect(it.player.heard()).toMatchObject([{ title: 'Warm', fromMs: 0, toMs: 6_000 }])
    await it.background.resume()
    await it.player.advance(5_000)
    expect(titles(it.player).at(-1)).toBe(wish === 'pause' ? 'Tense' : 'Warm')
    it.background.close()
  })

  test.each(['pause', 'stop'] as const)('the page is loaded anew: %s is silence', async (wish) => {
    const it = await playing({ readyAfterMs: 4_000 })
    await it.background.start(1)
    it.background.close()
    const { background } = pageOf(it.player)
    expect(await background.adopt(it.kept.memory)).toBe(true)
    await background[wish]({ fadeOutMs: 0 })
    await it.player.advance(10_000)
    expect((await it.client.status()).active).toEqual([])
    background.close()
  })

  test.each(['its decoder fails', 'somebody stops it'])('%s: the bed before it', async (how) => {
    const fails = how === 'its decoder fails'
    const it = await playing({ readyAfterMs: 2_000, ...(fails ? { failsAtMs: 0 } : {}) })
    await it.background.start(1)
    await it.player.advance(1_000)
    if (!fails) await it.client.stop(BED.tense)
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({
      state: 'playing', reason: null, index: 0, executionId: it.first,
    })
    // Why the bed before it is back is told once.
    const why = `0 ${fails ? 'playback_error' : 'explicit_stop'}`
    expect(it.story.filter((told) => told === why)).toHaveLength(1)
    expect(it.story.at(-1)).toBe('0 playing')
    await it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(1_000)
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })

  test.each(['pause', 'stop'] as const)(
    'another is asked for, and then a %s: silence', async (wish) => {
      const it = await playing({})
      it.player.setNetwork('slow')
      const asked = [it.background.start(1)]
      await it.player.advance(500)
      asked.push(it.background.start(2), it.background[wish]({ fadeOutMs: 0 }))
      await it.player.advance(3_000)
      it.player.setNetwork('up')
      await it.player.advance(3_000)
      // Starts that a stop took the place of reject.
      const ends = (await Promise.allSettled(asked)).map(({ status }) => status)
      const end = wish === 'pause' ? 'fulfilled' : 'rejected'
      expect(ends).toEqual([end, end, 'fulfilled'])
      expect((await it.client.status()).active).toEqual([])
      await it.background.resume()
      await it.player.advance(1_000)
      const { active } = await it.client.status()
      expect(active).toMatchObject(wish === 'pause' ? [{ id: BED.last }] : [])
      it.background.close()
    })

  test.each(['pause', 'stop', 'start'] as const)(
    'it is refused, and a %s was asked for meanwhile: that is carried out', async (wish) => {
      const it = await playing({})
      it.player.removeFile('tense.flac')
      it.player.setNetwork('slow')
      const refused = it.background.start(1).catch((error: unknown) => error)
      await it.player.advance(500)
      const { background } = it
      const asked = wish === 'start' ? background.start(2) : background[wish]({ fadeOutMs: 0 })
      await it.player.advance(4_000)
      it.player.setNetwork('up')
      await it.player.advance(500)
      await asked
      expect(await refused).toMatchObject({ code: 'media_file_missing' })
      const { active } = await it.client.status()
      expect(active).toMatchObject(wish === 'start' ? [{ id: BED.last }] : [])
      expect(it.background.state).toBe({ pause: 'paused', stop: 'stopped', start: 'playing' }[wish])
      it.background.close()
    })

  test('one that cannot be played takes its place: a stop is silence for good', async () => {
    const it = await playing({ readyAfterMs: 3_000 })
    it.player.addFile('last.flac', { durationMs: 30_000, failsAtMs: 1_000 })
    await it.background.start(1)
    await it.player.advance(1_000)
    await it.background.start(2)
    await it.player.advance(1_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 0, executionId: it.first })
    await it.background.stop({ fadeOutMs: 0 })
    await it.player.advance(10_000)
    expect(new Set(titles(it.player))).toEqual(new Set(['Warm']))
    it.background.close()
  })

  test('everything is stopped: it says so', async () => {
    const it = await playing({ readyAfterMs: 2_000 })
    await it.background.start(1)
    await it.player.advance(1_000)
    await it.client.panic({ fadeOutMs: 0 })
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({ state: 'halted', reason: 'explicit_stop', index: 1 })
    it.background.close()
  })

  test('nothing else sounded for: it halts', async () => {
    const it = await playing({ failsAtMs: 100 })
    await it.background.start(1)
    await it.player.advance(5_000)
    expect(it.background).toMatchObject({ state: 'halted', reason: 'playback_error', index: 1 })
    it.background.close()
  })
})

describe('a start while a bed plays that replaces nothing', () => {
  const overlapping = async (wish: 'resume' | null = null) => {
    const it = opened({ runOptions: { allowOverlap: true } })
    await it.background.start(0)
    await it.player.advance(3_000)
    const asked = [it.background.start(1)]
    if (wish !== null) asked.push(it.background[wish]())
    await it.player.advance(2_000)
    await Promise.all(asked)
    return it
  }

  test.each([null, 'resume'] as const)('one bed sounds, and then another (%s)', async (wish) => {
    const it = await overlapping(wish)
    expect((await it.client.status()).active).toMatchObject([{ id: BED.tense }])
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })

  test.each(['pause', 'stop'] as const)('a %s is silence', async (wish) => {
    const it = await overlapping()
    await it.background[wish]({ fadeOutMs: 0 })
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })

  test.each(['sounds', 'was paused'])(
    'over a slow network, while the one before it %s: a third one is asked for in time',
    async (how) => {
      const allowOverlap = how === 'sounds'
      const it = opened({ runOptions: { allowOverlap } })
      await it.background.start(0)
      await it.player.advance(3_000)
      if (!allowOverlap) await it.background.pause({ fadeOutMs: 0 })
      // The second one sounds, and that was not seen yet.
      it.player.setNetwork('slow')
      const asked = [it.background.start(1)]
      await it.player.advance(1_000)
      asked.push(it.background.start(2))
      await it.player.advance(3_500)
      it.player.setNetwork('up')
      await it.player.advance(500)
      await Promise.all(asked)
      const { active, paused } = await it.client.status()
      expect([active, paused]).toMatchObject([[{ id: BED.last }], []])
      await it.background.stop({ fadeOutMs: 0 })
      expect((await it.client.status()).active).toEqual([])
      it.background.close()
    })

  test.each(['before its answer', 'before it was seen to sound'])(
    'and the page is loaded anew %s: one bed sounds, and a stop is silence', async (when) => {
      const options = { runOptions: { allowOverlap: true } }
      const it = opened(options)
      await it.background.start(0)
      await it.player.advance(3_000)
      it.player.setNetwork('slow')
      it.background.start(1).catch(() => undefined)
      await it.player.advance(when === 'before its answer' ? 600 : 1_000)
      it.background.close()
      await it.player.advance(1_000)
      it.player.setNetwork('up')
      expect((await it.client.status()).active).toHaveLength(2)
      const { background } = pageOf(it.player, options)
      expect(await background.adopt(it.kept.memory)).toBe(true)
      await it.player.advance(3_000)
      expect((await it.client.status()).active).toMatchObject([{ id: BED.tense }])
      await background.stop({ fadeOutMs: 0 })
      expect((await it.client.status()).active).toEqual([])
      background.close()
    })

  test('the stop of the first is not answered: it is asked for again', async () => {
    const it = opened({ runOptions: { allowOverlap: true }, timeoutMs: 500 }, 'polling')
    await it.background.start(0)
    await it.player.advance(3_000)
    await it.background.start(1)
    it.player.loseNext('request')
    await it.player.advance(5_000)
    expect((await it.client.status()).active).toMatchObject([{ id: BED.tense }])
    it.background.close()
  })

  test.each(['before the next is asked for', 'before that sounds'])(
    'a bed that was paused %s is not kept by the service', async (when) => {
      const it = await playing({ readyAfterMs: 2_000 })
      const isBefore = when === 'before the next is asked for'
      if (isBefore) await it.background.pause({ fadeOutMs: 0 })
      await it.background.start(1)
      if (!isBefore) {
        await it.player.advance(1_000)
        await it.background.pause({ fadeOutMs: 0 })
        await it.background.resume()
      }
      await it.player.advance(6_000)
      const { active, paused } = await it.client.status()
      expect([active, paused]).toMatchObject([[{ id: BED.tense }], []])
      it.background.close()
    })

  test('with pauseWhenReplaced the service keeps it in pause', async () => {
    const it = opened({ runOptions: { pauseWhenReplaced: true } })
    await it.background.start(0)
    await it.player.advance(3_000)
    await it.background.start(1)
    await it.player.advance(3_000)
    const { active, paused } = await it.client.status()
    expect([active, paused]).toMatchObject([[{ id: BED.tense }], [{ id: BED.warm }]])
    it.background.close()
  })
})
