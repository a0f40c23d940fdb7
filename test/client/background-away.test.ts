// A service that does not answer: when `away` is told, and until when.
import { describe, expect, test } from 'vitest'
import { Background, createClient } from '../../src/client/client.js'
import { HOW, pageOf } from './app-page.js'
import { BED, quiz } from './quiz-show.js'

describe.each(HOW)('away, by %s', (how) => {
  test('is told when the service has not answered for 2 s, and no more once it does', async () => {
    for (const network of ['down', 'hanging'] as const) {
      const { player } = quiz()
      const told: (readonly [state: string, at: number])[] = []
      const page = pageOf(player, {
        timeoutMs: 500, onChange: ({ state }) => told.push([state, player.now()]),
      }, how)
      await page.background.start()
      await player.advance(20_000)
      told.length = 0
      player.setNetwork(network)
      const downAt = player.now()
      await player.advance(20_000)
      player.setNetwork('up')
      const upAt = player.now()
      await player.advance(5_000)
      expect(told.map(([state]) => state)).toEqual(['away', 'playing'])
      const [awayAt = NaN, backAt = NaN] = told.map(([, at]) => at)
      // A connection that hangs is known to after its next question.
      const late = how === 'live' && network === 'hanging' ? 5_000 : 0
      expect(awayAt - downAt).toBeGreaterThanOrEqual(2_000)
      expect(awayAt - downAt).toBeLessThanOrEqual(3_500 + late)
      expect(backAt - upAt).toBeLessThanOrEqual(1_500)
      page.background.close()
    }
  })

  test('is not told for a second without an answer', async () => {
    const { player } = quiz()
    const page = pageOf(player, {}, how)
    await page.background.start()
    await player.advance(20_000)
    player.setNetwork('down')
    await player.advance(1_200)
    player.setNetwork('up')
    await player.advance(5_000)
    expect(page.story).toEqual(['0 starting', '0 playing'])
    page.background.close()
  })

  test('is told within seconds where every call hangs for as long as it may', async () => {
    const { player } = quiz()
    const told: (readonly [state: string, at: number])[] = []
    const page = pageOf(player, {
      onChange: ({ state }) => told.push([state, player.now()]),
    }, how)
    await page.background.start()
    await player.advance(20_000)
    told.length = 0
    player.setNetwork('hanging')
    await player.advance(20_000)
    // A call may hang for 3 s; while it is live, the next one may be 5 s from here.
    expect(told).toMatchObject([['away', expect.any(Number) as number]])
    expect((told[0]?.[1] ?? NaN) - 20_000).toBeLessThanOrEqual(how === 'live' ? 8_100 : 3_800)
    page.background.close()
  })
})

test('away: is told until its bed was seen, not only until the service has answered', async () => {
  const { player } = quiz()
  const held: (() => void)[] = []
  let isHeld = false
  const client = createClient({
    ...player.clientOptions,
    fetch: async (url, init) => {
      if (isHeld && url.includes('/executions/')) {
        await new Promise<void>((go) => {
          held.push(go)
          init.signal?.addEventListener('abort', () => go())
        })
      }
      return player.fetch(url, init)
    },
  })
  const story: string[] = []
  const background = new Background(client, {
    beds: [BED.warm], onChange: ({ state, reason }) => story.push(reason ?? state),
  })
  await background.start()
  await player.advance(20_000)
  player.setNetwork('down')
  await player.advance(5_000)
  // Another service, which answers and knows nothing of the bed.
  isHeld = true
  player.restart()
  player.setNetwork('up')
  await player.advance(2_500)
  expect(held.length).toBeGreaterThan(0)
  expect(story.slice(2)).toEqual(['away'])
  isHeld = false
  for (const go of held) go()
  await player.advance(5_000)
  expect(story.slice(2)).toEqual(['away', 'lost'])
  background.close()
})
