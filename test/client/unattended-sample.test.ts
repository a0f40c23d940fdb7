// The sample of "A list that nobody looks after" in docs/client.md, run as it stands.
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { listSample, listsMade } from './client-sample.js'
import { BED, quiz } from './quiz-show.js'

const SAMPLE = listSample('A list that nobody looks after', BED.tense, BED.last)
const MINUTE = 60_000

/** With a sample that says something else, e.g. without a line of it. */
const exhibit = async (sample = SAMPLE) => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  const { Own, made } = listsMade()
  const end = new AbortController()
  const setInterval = async (act: () => void, ms: number): Promise<void> => {
    while (!end.signal.aborted) {
      await player.wait(ms, end.signal)
      act()
    }
  }
  const done = runInNewContext(`(async () => { ${sample} })()`, {
    Background: Own, client, setInterval, Infinity,
  }) as Promise<void>
  await done
  const playing = (): boolean => made[0]?.state === 'playing'
  const close = (): void => {
    end.abort()
    made[0]?.close()
  }
  return { player, client, playing, close, reason: () => made[0]?.reason }
}

test('it plays on after the service was away for an hour, in order or not', async () => {
  const { player, playing, close } = await exhibit()
  await player.advance(10_000)
  expect(playing()).toBe(true)
  for (const end of ['killed', 'in order'] as const) {
    if (end === 'in order') void player.shutDown()
    player.setNetwork('down')
    await player.advance(60 * MINUTE)
    player.restart()
    player.setNetwork('up')
    await player.advance(10_000)
    expect([end, playing()]).toEqual([end, true])
  }
  close()
})

test('it plays on after a bed that failed, and after a sound device that was away', async () => {
  const { player, playing, close } = await exhibit()
  await player.advance(10_000)
  player.fail(BED.tense, 'decoder')
  await player.advance(10_000)
  expect(playing()).toBe(true)
  player.loseDevice()
  await player.advance(10 * MINUTE)
  player.restoreDevice()
  await player.advance(10_000)
  expect(playing()).toBe(true)
  close()
})

test('it goes round for ever; a stop by somebody holds', async () => {
  const { player, client, playing, close, reason } = await exhibit()
  // 60 s and 4 s, again and again.
  await player.advance(20 * MINUTE)
  expect(playing()).toBe(true)
  expect(new Set(player.heard().map(({ buttonId }) => buttonId)).size).toBe(2)
  await client.panic({ fadeOutMs: 0 })
  await player.advance(MINUTE)
  expect([playing(), reason()]).toEqual([false, 'explicit_stop'])
  close()
})

test.each([
  ['lateMs', /lateMs: Infinity,/],
  ['whenLost', /whenLost: 'start',/],
])('without its %s it would not', async (_what, line) => {
  const { player, playing, close } = await exhibit(SAMPLE.replace(line, '')
    .replace(/setInterval[^]*/, ''))
  await player.advance(10_000)
  player.setNetwork('down')
  await player.advance(2 * MINUTE)
  player.restart()
  player.setNetwork('up')
  await player.advance(10_000)
  expect(playing()).toBe(false)
  close()
})
