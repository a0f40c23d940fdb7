// What a background makes of a bed that ended while its app was away, and of starts given up.
import { expect, test } from 'vitest'
import type { NotStartedError } from '../../src/client/client.js'
import { opened, pageOf } from './app-page.js'

test('loaded again long after a pause in which the bed ended: the next one is paused', async () => {
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
