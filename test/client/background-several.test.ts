// Pages that are not alone, or not always awake: a phone that slept, and two pages with one list.
import { describe, expect, test } from 'vitest'
import { Background, createClient, type BackgroundOptions } from '../../src/client/client.js'
import { titles } from './app-page.js'
import { BED, quiz, type Quiz } from './quiz-show.js'

const BEDS = [BED.tense, BED.last, BED.warm]

/** A page that can be put to sleep: it asks nothing, hears nothing, and none of its waits ends. */
const sleepy = (
  player: Quiz['player'], options: Partial<BackgroundOptions> = {}, tripMs = 0,
  busy: string[] = [],
) => {
  const page = { awake: Promise.resolve(), wake: (): void => undefined }
  const { wait: time, ...rest } = player.clientOptions
  const client = createClient({
    ...rest,
    webSocket: null,
    fetch: async (url, init) => {
      if (tripMs > 0) await player.wait(tripMs)
      await page.awake
      // Each is refused once.
      const refused = busy.findIndex((path) => url.endsWith(path))
      const answer = busy.splice(refused, refused < 0 ? 0 : 1).length > 0
        ? new Response('{"error":"app_busy"}', { status: 409 })
        : await player.fetch(url, init)
      await page.awake
      return answer
    },
    wait: Object.assign(async (ms: number, signal: AbortSignal) => {
      await time?.(ms, signal)
      await page.awake
    }, { now: () => player.now() }),
  })
  const background = new Background(client, { beds: BEDS, events: false, ...options })
  return {
    background,
    sleep: (): void => {
      page.awake = new Promise((resolve) => (page.wake = resolve))
    },
    wake: () => page.wake(),
  }
}

describe('a phone in a pocket', () => {
  test.each([
    [20_000, 'playing', null], [70_000, 'halted', 'late'], [500_000, 'halted', 'late'],
    // By then the service has forgotten the run.
    [3_600_000, 'halted', 'late'],
  ] as const)('that wakes %i ms after the end of its bed', async (ms, state, reason) => {
    const { player } = quiz()
    const it = sleepy(player, { whenLost: 'start' })
    await it.background.start()
    await player.advance(50_000)
    it.sleep()
    await player.advance(10_000 + ms)
    it.wake()
    await player.advance(2_000)
    expect(it.background).toMatchObject({ state, reason })
    expect(titles(player)).toEqual(state === 'playing' ? ['Tense', 'Last'] : ['Tense'])
    it.background.close()
  })

  test('that wakes in the middle of its bed looks after it as before', async () => {
    const { player } = quiz()
    const it = sleepy(player)
    await it.background.start(2)
    await player.advance(10_000)
    it.sleep()
    await player.advance(160_000)
    it.wake()
    await player.advance(9_000)
    expect(it.background.state).toBe('playing')
    await player.advance(3_000)
    expect(it.background.state).toBe('finished')
  })
})

describe('two pages that look after one list', () => {
  // The one is always a little later than the other; so it is on a second machine.
  test.each([5, 30, 400])('start each bed once, and both go on (%i ms apart)', async (tripMs) => {
    const { player } = quiz()
    const [host, phone] = [sleepy(player), sleepy(player, {}, tripMs)]
    await host.background.start()
    await player.advance(5_000)
    const adopted = phone.background.adopt()
    await player.advance(70_000)
    expect(await adopted).toBe(true)
    expect(titles(player)).toEqual(['Tense', 'Last', 'Warm'])
    expect(host.background).toMatchObject({ state: 'playing', index: 2 })
    expect(phone.background).toMatchObject({
      state: 'playing', index: 2, executionId: host.background.executionId,
    })
    host.background.close()
    phone.background.close()
  })

  test('a phone that wakes two beds later: what plays is not begun again', async () => {
    const { player } = quiz()
    const [host, phone] = [sleepy(player), sleepy(player)]
    await host.background.start()
    await player.advance(5_000)
    expect(await phone.background.adopt()).toBe(true)
    phone.sleep()
    await player.advance(80_000)
    phone.wake()
    await player.advance(5_000)
    expect(titles(player)).toEqual(['Tense', 'Last', 'Warm'])
    expect(phone.background).toMatchObject({ state: 'playing', index: 2 })
    expect(host.background).toMatchObject({ state: 'playing', index: 2 })
    host.background.close()
    phone.background.close()
  })

  test('a show that is saved just when the next bed is due: it begins once', async () => {
    const { player } = quiz()
    const busy = ['/restart']
    const [host, phone] = [sleepy(player, {}, 0, [...busy]), sleepy(player, {}, 30, [...busy])]
    await host.background.start()
    await player.advance(5_000)
    const adopted = phone.background.adopt()
    await player.advance(57_000)
    await adopted
    expect(titles(player)).toEqual(['Tense', 'Last'])
    expect(phone.background).toMatchObject({
      state: 'playing', index: 1, executionId: host.background.executionId,
    })
    host.background.close()
    phone.background.close()
  })

  test('a bed that ends in a question: one page goes on, and so does the other', async () => {
    const { player, client } = quiz()
    const [host, phone] = [sleepy(player), sleepy(player)]
    await host.background.start()
    await player.advance(5_000)
    expect(await phone.background.adopt()).toBe(true)
    await player.advance(53_000)
    await host.background.pause({ fadeOutMs: 3_000 })
    await player.advance(10_000)
    expect([host.background.state, phone.background.state]).toEqual(['paused', 'paused'])
    await host.background.resume()
    await player.advance(1_500)
    expect(phone.background).toMatchObject({
      state: 'playing', index: 1, executionId: host.background.executionId,
    })
    await phone.background.pause({ fadeOutMs: 0 })
    expect((await client.status()).active).toEqual([])
    await player.advance(1_500)
    expect(host.background.state).toBe('paused')
    host.background.close()
    phone.background.close()
  })
})
