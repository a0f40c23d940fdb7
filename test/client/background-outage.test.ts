// What a background does not forget: the bed that plays on where a start failed, and every silence.
import { describe, expect, test } from 'vitest'
import { Background, createClient, NotStartedError } from '../../src/client/client.js'
import { failing, opened, pageOf, startGivenUp, titles } from './app-page.js'
import { BED, GONE, MEDIA, quiz } from './quiz-show.js'

type Page = ReturnType<typeof opened>

describe('a start that fails while a bed plays', () => {
  const beds = [BED.warm, BED.tense, GONE]
  const FAILS: readonly [string, (it: ReturnType<typeof opened>) => Promise<unknown>][] = [
    ['refused', (it) => failing(it.background.start(2))],
    ['taken back at once', (it) => {
      const caller = new AbortController()
      const outcome = failing(it.background.start(1, { signal: caller.signal }))
      caller.abort('no')
      return outcome
    }],
    ['late, with the service away', (it) => lateBy('down', it)],
    ['late, without an answer', (it) => lateBy('mute', it)],
  ]
  const lateBy = async (
    network: 'down' | 'mute', it: ReturnType<typeof opened>,
  ): Promise<unknown> => {
    it.player.setNetwork(network)
    const outcome = failing(it.background.start(1, { deadlineMs: 4_000 }))
    await it.player.advance(8_000)
    it.player.setNetwork('up')
    return outcome
  }

  test('not answered, and still looked for: that bed can be paused meanwhile', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(2_000)
    await startGivenUp(it, 'request')
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    // Another one that is taken back before it was begun changes nothing of that.
    const caller = new AbortController()
    const other = failing(it.background.start(2, { signal: caller.signal }))
    caller.abort('no')
    expect(await other).toBe('no')
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    await it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(1_000)
    expect((await it.client.status()).active).toEqual([])
    expect(it.background.state).toBe('paused')
    await it.background.resume()
    await it.player.advance(1_000)
    expect((await it.client.status()).active).toHaveLength(1)
    // A minute later the start is given up for good, and all is as it was.
    await it.player.advance(70_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    it.background.close()
  })

  test('begun all the same, it is stopped, and the list is halted: nothing plays on', async () => {
    const it = opened({}, 'polling')
    await it.background.start()
    await it.player.advance(2_000)
    await startGivenUp(it, 'answer')
    expect(it.background).toMatchObject({ state: 'halted', reason: 'late' })
    expect((await it.client.status()).active).toEqual([])
    it.background.close()
  })

  test.each(FAILS)('%s: that bed is looked after as before', async (_how, fail) => {
    for (const wish of ['pause', 'stop'] as const) {
      const it = opened({ beds })
      await it.background.start()
      const { executionId } = it.background
      await it.player.advance(2_000)
      expect(await fail(it)).not.toBeNull()
      await it.player.advance(8_000)
      expect(it.background).toMatchObject({ state: 'playing', index: 0, executionId })
      await it.background[wish]({ fadeOutMs: 0 })
      await it.player.advance(1_000)
      const { active, paused } = await it.client.status()
      expect(active).toEqual([])
      expect(paused).toHaveLength(wish === 'pause' ? 1 : 0)
      it.background.close()
    }
  })
})

describe('no music by itself', () => {
  test('a bed whose turn came while the service was away for longer than a minute', async () => {
    const away = [['down', 40_000, 2], ['down', 90_000, 1], ['hanging', 300_000, 1]] as const
    for (const [network, awayMs, sounds] of away) {
      const it = opened()
      await it.background.start(1)
      await it.player.advance(50_000)
      it.player.setNetwork(network)
      // It ends 10 s from here.
      await it.player.advance(10_000 + awayMs)
      it.player.setNetwork('up')
      await it.player.advance(3_000)
      expect(titles(it.player)).toHaveLength(sounds)
      if (sounds === 1) expect(it.background).toMatchObject({ state: 'halted', reason: 'late' })
      it.background.close()
    }
  })

  test.each([
    // From its Start, a second in, to its End at 5 s, in a file of 30 s; seen last after 1 s.
    ['with an End long before that of its file', BED.last, 1_000, 3_000],
    ['that was not looked at once', BED.warm, 0, 180_000],
  ] as const)('after a bed %s the minute counts from its end', async (_what, id, ms, leftMs) => {
    for (const [sinceMs, sounds] of [[50_000, 2], [70_000, 1]] as const) {
      const it = opened({ beds: [id, BED.tense] })
      const { player } = it
      const started = it.background.start().then(() => ms === 0 && player.setNetwork('down'))
      await player.advance(ms)
      await started
      player.setNetwork('down')
      await player.advance(leftMs + sinceMs)
      player.setNetwork('up')
      await player.advance(3_000)
      expect(titles(player)).toHaveLength(sounds)
      expect(it.background).toMatchObject({ state: sounds === 2 ? 'playing' : 'halted' })
      it.background.close()
    }
  })

  test('a bed that was lost with a service which was away for longer than a minute', async () => {
    for (const [awayMs, sounds] of [[30_000, 2], [120_000, 1]] as const) {
      const it = opened({ whenLost: 'start' })
      await it.background.start()
      await it.player.advance(5_000)
      it.player.setNetwork('down')
      await it.player.advance(awayMs)
      it.player.restart()
      it.player.setNetwork('up')
      await it.player.advance(3_000)
      expect(titles(it.player)).toHaveLength(sounds)
      it.background.close()
    }
  })

  test.each(['down', 'hanging', 'mute', 'no output'] as const)(
    'a resume that could not be carried out (%s) is given up, and stays so', async (how) => {
      const it = opened()
      await it.background.start()
      await it.player.advance(5_000)
      await it.background.pause({ fadeOutMs: 0 })
      await it.player.advance(1_000)
      if (how === 'no output') it.player.loseDevice()
      else it.player.setNetwork(how)
      const resumed = failing(it.background.resume({ deadlineMs: 8_000 }))
      await it.player.advance(14_000)
      const error = await resumed
      expect(error).toBeInstanceOf(NotStartedError)
      if (how === 'no output') {
        const cause = { code: 'playback_unavailable' }
        expect(error).toMatchObject({ outcome: 'not_sent', cause })
      }
      it.player.restoreDevice()
      it.player.setNetwork('up')
      const backAtMs = it.player.now()
      await it.player.advance(200_000)
      // What had reached the service all the same is paused at the first look.
      expect(it.player.heard().at(-1)?.toMs).toBeLessThan(backAtMs + 5_000)
      expect(how === 'no output' || it.background.state === 'paused').toBe(true)
      it.background.close()
    })
})

describe('a silence that is remembered', () => {
  const reloaded = (page: Page): Page => {
    page.background.close()
    return { player: page.player, ...pageOf(page.player, { whenLost: 'start' }) }
  }

  test('of a question, over two loads of the page while the service is slow or away', async () => {
    const it = opened()
    await it.background.start(1)
    await it.player.advance(59_000)
    await it.background.pause({ fadeOutMs: 3_000 })
    await it.player.advance(5_000)
    const { memory } = it.kept
    expect(memory).toMatchObject({ index: 2, isPaused: true, isDue: true })
    it.player.setNetwork('down')
    const second = reloaded(it)
    second.kept.memory = memory
    void second.background.adopt(memory).catch(() => undefined)
    await it.player.advance(4_000)
    expect(second.kept.memory).toMatchObject({ index: 2, isPaused: true, isDue: true })
    expect(second.background.memory).toEqual(memory)
    const third = reloaded(second)
    it.player.setNetwork('up')
    expect(await third.background.adopt(second.kept.memory)).toBe(true)
    await it.player.advance(30_000)
    expect(new Set(titles(it.player))).toEqual(new Set(['Tense']))
    await third.background.resume()
    await it.player.advance(1_000)
    expect(titles(it.player).at(-1)).toBe('Last')
    third.background.close()
  })

  test('of a bed that was paused before it was ready', async () => {
    const { player } = quiz({ 'warm.mp3': { durationMs: 180_000, readyAfterMs: 3_000 } })
    const page = { player, ...pageOf(player, { whenLost: 'start' }) }
    await page.background.start()
    await page.background.pause()
    await player.advance(500)
    expect(page.background.state).toBe('paused')
    expect(page.kept.memory).toMatchObject({ isPaused: true })
    const next = reloaded(page)
    const adopted = next.background.adopt(page.kept.memory)
    player.restart()
    await player.advance(2_000)
    await adopted
    await player.advance(20_000)
    expect(player.heard()).toEqual([])
    next.background.close()
  })

  test('that somebody else made: a service that begins again brings no music', async () => {
    for (const withFade of [false, true]) {
      const it = opened({ whenLost: 'start' })
      await it.background.start()
      await it.player.advance(5_000)
      const executionId = it.background.executionId ?? ''
      await it.client.pause(BED.warm, { executionId, fadeOutMs: withFade ? 60_000 : 0 })
      await it.player.advance(2_000)
      expect(it.kept.memory).toMatchObject({ isPaused: true })
      it.player.restart()
      const { length } = it.player.heard()
      await it.player.advance(10_000)
      expect(it.player.heard()).toHaveLength(length)
      expect(it.background.state).toBe('paused')
      await it.background.resume()
      await it.player.advance(1_000)
      expect(it.background.state).toBe('playing')
      it.background.close()
    }
  })
})

describe('a start that a panic swept away in the service is never sent again', () => {
  /** A page whose next starts are answered as those that waited when everything was stopped. */
  const sweeping = () => {
    const { player } = quiz()
    const sent: string[] = []
    const swept = { isOn: false }
    const client = createClient({
      ...player.clientOptions,
      fetch: (url, init) => {
        if (!/\/(play|restart)$/.test(url)) return player.fetch(url, init)
        sent.push(url)
        if (!swept.isOn) return player.fetch(url, init)
        const body = JSON.stringify({ error: 'command_failed', message: 'everything was stopped' })
        return Promise.resolve(
          new Response(body, { status: 500, headers: { 'swept-by-panic': 'true' } }))
      },
    })
    const background = new Background(client, { beds: [BED.warm, BED.tense] })
    return { player, background, sent, swept }
  }

  test('by the app', async () => {
    const { player, background, sent, swept } = sweeping()
    swept.isOn = true
    const outcome = failing(background.start())
    await player.advance(1_000)
    expect(await outcome).toMatchObject({ code: 'command_failed', isSwept: true })
    swept.isOn = false
    await player.advance(120_000)
    expect([background.state, background.reason, sent.length]).toEqual(['halted', 'refused', 1])
    expect(player.heard()).toEqual([])
  })

  test('by itself, for the next bed', async () => {
    const { player, background, sent, swept } = sweeping()
    await background.start()
    swept.isOn = true
    await player.advance(MEDIA['warm.mp3'].durationMs + 2_000)
    expect(background.state).toBe('halted')
    swept.isOn = false
    await player.advance(120_000)
    const { reason, error } = background
    expect([reason, error?.isSwept, sent.length]).toEqual(['refused', true, 2])
    expect(titles(player)).toEqual(['Warm'])
  })
})

test('a paused bed that is taken over was never told to play', async () => {
  const it = opened()
  await it.background.start()
  await it.player.advance(5_000)
  await it.background.pause({ fadeOutMs: 0 })
  it.background.close()
  const next = pageOf(it.player)
  const adopted = next.background.adopt(it.kept.memory)
  await it.player.advance(2_000)
  await adopted
  expect(next.story).toEqual(['0 paused'])
  next.background.close()
})

test('a resume that was certainly never carried out, given up: an operator may resume the bed',
  async () => {
    const { player, client, background } = opened()
    await background.start()
    await player.advance(2_000)
    await background.pause({ fadeOutMs: 0 })
    await player.advance(1_000)
    player.loseDevice()
    const failed = background.resume({ deadlineMs: 3_000 }).catch((error: unknown) => error)
    await player.advance(4_000)
    expect(await failed).toMatchObject({ outcome: 'not_sent' })
    player.restoreDevice()
    await player.advance(15_000)
    expect(background.state).toBe('paused')
    await client.resume(BED.warm, { executionId: background.executionId ?? '', fadeInMs: 0 })
    await player.advance(3_000)
    expect((await client.status()).active).toMatchObject([{ id: BED.warm }])
    expect(background.state).toBe('playing')
    background.close()
  })
