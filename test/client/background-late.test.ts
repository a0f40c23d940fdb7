// Commands of a background that arrive late, or seem to: each is put right, and put right once.
import { describe, expect, test } from 'vitest'
import { Background, createClient, type BackgroundOptions } from '../../src/client/client.js'
import { opened, watched } from './app-page.js'
import { BED, quiz, SONG } from './quiz-show.js'

describe('a command that was given up and arrives after the one that took its place', () => {
  /** A page whose next command of a kind takes five seconds to the service. */
  const slowed = (more: Partial<BackgroundOptions> = {}) => {
    const it = opened()
    const late = new Set<string>()
    const options = it.player.clientOptions
    const client = createClient({
      ...options,
      fetch: (url, init) => {
        if (!late.delete(url.slice(url.lastIndexOf('/')))) return it.player.fetch(url, init)
        // It arrives, whether anybody still waits for it or not.
        const arrived = it.player.wait(5_000)
          .then(() => it.player.fetch(url, { ...init, signal: null }))
        const givenUp = new Promise<never>((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        })
        return Promise.race([arrived, givenUp])
      },
    })
    const background = new Background(client, { beds: [BED.warm, BED.tense], ...more })
    return { ...it, client, background, late }
  }

  test('a pause: the bed plays on all the same', async () => {
    const { player, client, background, late } = slowed()
    await background.start()
    await player.advance(2_000)
    late.add('/pause')
    const paused = background.pause({ fadeOutMs: 0 })
    await player.advance(1_000)
    await Promise.all([paused, background.resume({ fadeInMs: 0 }), player.advance(30_000)])
    expect(background.state).toBe('playing')
    expect((await client.status()).active).toHaveLength(1)
    const silentMs = player.now() - player.heard().reduce((ms, it) => ms + it.toMs - it.fromMs, 0)
    expect(silentMs).toBeLessThan(500)
    background.close()
  })

  test('a pause, after the deadline of the resume: the bed plays on all the same', async () => {
    const { player, background, late } = slowed({ timeoutMs: 500 })
    await background.start()
    await player.advance(2_000)
    late.add('/pause')
    const paused = background.pause({ fadeOutMs: 0 })
    await player.advance(100)
    const resumed = background.resume({ fadeInMs: 0, deadlineMs: 3_000 })
    await Promise.all([paused, resumed, player.advance(30_000)])
    expect(background.state).toBe('playing')
    background.close()
  })

  test('a pause: what puts the bed aside meanwhile is left alone', async () => {
    const { player, client, background, late } = slowed({
      timeoutMs: 500, runOptions: { pauseWhenReplaced: true },
    })
    await background.start()
    await player.advance(2_000)
    late.add('/pause')
    const paused = background.pause({ fadeOutMs: 0 })
    await player.advance(100)
    await Promise.all([paused, background.resume({ fadeInMs: 0 }), player.advance(2_000)])
    const { executionId } = await client.play(SONG.first)
    await player.advance(8_000)
    expect(background.state).toBe('replaced')
    expect((await client.execution(executionId ?? '')).state).toBe('playing')
    background.close()
  })

  test('a resume: the question stays silent', async () => {
    const { player, client, background, late } = slowed()
    await background.start()
    await player.advance(2_000)
    await background.pause({ fadeOutMs: 0 })
    late.add('/resume')
    const resumed = background.resume({ fadeInMs: 0 })
    await player.advance(1_000)
    await Promise.all([resumed, background.pause({ fadeOutMs: 0 }), player.advance(30_000)])
    expect(background.state).toBe('paused')
    expect((await client.status()).active).toEqual([])
    expect(player.heard().reduce((ms, it) => ms + it.toMs - it.fromMs, 0)).toBeLessThan(2_500)
    background.close()
  })

  test('a start: the question stays silent, and the bed comes with the resume', async () => {
    const { player, client, background, late } = slowed()
    late.add('/play')
    const started = background.start()
    await player.advance(1_000)
    await Promise.all([started, background.pause({ fadeOutMs: 0 }), player.advance(30_000)])
    expect(background.state).toBe('paused')
    expect((await client.status()).active).toEqual([])
    expect(player.heard().reduce((ms, it) => ms + it.toMs - it.fromMs, 0)).toBeLessThan(1_000)
    await background.resume({ fadeInMs: 0 })
    await player.advance(5_000)
    expect((await client.status()).active).toMatchObject([{ id: BED.warm }])
    background.close()
  })

  test.each(['is not ready yet', 'is being stopped'])(
    'the bed that is paused %s: it is told so once', async (how) => {
      const { player } = quiz({ 'tense.flac': { durationMs: 60_000, readyAfterMs: 3_000 } })
      const { client, sent } = watched(player)
      const background = new Background(client, { beds: [BED.warm, BED.tense] })
      await background.start()
      await player.advance(1_000)
      // The pause may arrive yet.
      player.setNetwork('hanging')
      const asked = [background.pause(), background.resume()]
      await player.advance(100)
      player.setNetwork('up')
      await player.advance(4_000)
      if (how === 'is not ready yet') await background.start(1)
      else await client.stop(BED.warm, { fadeOutMs: 3_000 })
      await Promise.all([...asked, background.pause()])
      await player.advance(2_000)
      expect(sent.filter((url) => url.endsWith('/pause')).length).toBeLessThan(5)
      background.close()
    })
})

describe.each(['at once', 'while it is under way'])('a pause, and a resume %s', (how) => {
  /** Both were answered: nothing can arrive any more. */
  const answered = async () => {
    const it = opened({ runOptions: { pauseWhenReplaced: true } })
    const { player, background } = it
    await background.start()
    await player.advance(2_000)
    if (how !== 'at once') player.setNetwork('slow')
    const paused = background.pause({ fadeOutMs: 0 })
    if (how !== 'at once') await player.advance(100)
    await Promise.all([paused, background.resume({ fadeInMs: 0 }), player.advance(3_000)])
    player.setNetwork('up')
    await player.advance(500)
    expect(background.state).toBe('playing')
    return it
  }

  test('what puts the bed aside then plays on', async () => {
    const { player, client, background } = await answered()
    const { executionId } = await client.play(SONG.first)
    await player.advance(2_000)
    expect(background.state).toBe('replaced')
    expect((await client.execution(executionId ?? '')).state).toBe('playing')
    background.close()
  })

  test('an operator who pauses it then is let be', async () => {
    const { player, client, background } = await answered()
    const executionId = background.executionId ?? ''
    await client.pause(BED.warm, { executionId, fadeOutMs: 0 })
    await player.advance(2_000)
    expect(background.state).toBe('paused')
    background.close()
  })
})
