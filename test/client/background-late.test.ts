// Commands of a background that arrive late, or seem to: each is put right, and put right once.
import { describe, expect, test } from 'vitest'
import { Background, createClient, type NotStartedError } from '../../src/client/client.js'
import { opened, pageOf, watched } from './app-page.js'
import { BED, quiz } from './quiz-show.js'

describe('a command that was given up and arrives after the one that took its place', () => {
  /** A page whose next command of a kind takes five seconds to the service. */
  const slowed = (): ReturnType<typeof opened> & { readonly late: Set<string> } => {
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
    const background = new Background(client, { beds: [BED.warm, BED.tense] })
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

test('loaded again long after a pause in which the bed ended: the next one waits, paused', async () => {
  const it = opened()
  await it.background.start(1)
  await it.player.advance(59_000)
  await it.background.pause({ fadeOutMs: 3_000 })
  await it.player.advance(5_000)
  it.background.close()
  expect(it.kept.memory).toMatchObject({ isPaused: true, isDue: true })
  await it.player.advance(120_000)
  const next = pageOf(it.player)
  await next.background.adopt(it.kept.memory)
  expect(next.background.state).toBe('paused')
  next.background.close()
})

test('a start that is given up tells its own reason, and none of an earlier one', async () => {
  const { player, background } = opened()
  const causeOf = async (): Promise<unknown> => {
    const start = background.start(0, { deadlineMs: 2_000 }).catch((error: unknown) => error)
    await player.advance(5_000)
    return (await start as NotStartedError).cause
  }
  player.loseDevice()
  expect(await causeOf()).toMatchObject({ code: 'playback_unavailable' })
  player.restoreDevice()
  player.setNetwork('hanging')
  expect(await causeOf()).toBeNull()
  background.close()
})
