// Pages that are not alone, or not always awake: a phone that slept, and two pages with one list.
import { describe, expect, test } from 'vitest'
import { Background, createClient, type BackgroundOptions } from '../../src/client/client.js'
import { titles } from './app-page.js'
import { BED, quiz, type Quiz } from './quiz-show.js'

const BEDS = [BED.tense, BED.last, BED.warm]

/** A page that can be put to sleep: it asks nothing, hears nothing, and none of its waits ends. */
const sleepy = (player: Quiz['player'], options: Partial<BackgroundOptions> = {}, tripMs = 0) => {
  const page = { awake: Promise.resolve(), wake: (): void => undefined }
  const { wait: time, ...rest } = player.clientOptions
  const client = createClient({
    ...rest,
    webSocket: null,
    fetch: async (url, init) => {
      if (tripMs > 0) await player.wait(tripMs)
      await page.awake
      const answer = await player.fetch(url, init)
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
