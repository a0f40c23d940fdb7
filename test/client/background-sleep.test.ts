// A laptop that sleeps an hour: the clock of its pages stands meanwhile, the time of day goes on.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Background, createClient, type BackgroundMemory } from '../../src/client/client.js'
import { titles } from './app-page.js'
import { BED, quiz } from './quiz-show.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** On the time of this page, which is not that of a player. */
const scene = (beds: readonly string[], onMemory?: (memory: BackgroundMemory) => void) => {
  const { player } = quiz()
  const lost = { is: (_method: string | undefined): boolean => false, hangs: false }
  const client = createClient({
    baseUrl: player.baseUrl,
    webSocket: null,
    fetch: (url, init) => {
      if (!lost.is(init.method)) return player.fetch(url, init)
      if (!lost.hangs) return Promise.reject(new TypeError('Failed to fetch'))
      return new Promise((_answer, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    },
  })
  const background = new Background(client, { beds, events: false, onMemory })
  const pass = async (ms: number): Promise<void> => {
    for (let n = 0; n < ms / 100; n += 1) {
      await vi.advanceTimersByTimeAsync(100)
      await player.advance(100)
    }
  }
  const sleep = (): unknown => vi.setSystemTime(Date.now() + 3_600_000)
  return { player, background, pass, sleep, lost }
}

const playing = async (beds: readonly string[]) => {
  const it = scene(beds)
  const begun = it.background.start(0)
  await it.pass(1_000)
  await begun
  return it
}

/** The machine sleeps while a start is under way. */
const startSleptOver = async (it: ReturnType<typeof scene>): Promise<void> => {
  it.lost.is = () => true
  const begun = it.background.start(0).catch((error: unknown) => error)
  await it.pass(2_000)
  it.sleep()
  it.lost.is = () => false
  await it.pass(3_000)
  expect(await begun).toMatchObject({ name: 'NotStartedError' })
}

test('a start that was under way brings no music an hour later', async () => {
  const it = scene([BED.warm])
  await startSleptOver(it)
  expect(titles(it.player)).toEqual([])
  it.background.close()
})

test('nor after a second sleep that is as long as the first', async () => {
  const it = await playing([BED.warm])
  it.sleep()
  await it.pass(1_000)
  await startSleptOver(it)
  expect(titles(it.player)).toEqual(['Warm'])
  it.background.close()
})

test('nor does the next bed, whose turn it was', async () => {
  const it = await playing([BED.tense, BED.warm])
  it.lost.is = (method) => method === 'POST'
  await it.pass(61_000)
  expect(it.background).toMatchObject({ state: 'starting', index: 1 })
  it.sleep()
  it.lost.is = () => false
  await it.pass(3_000)
  expect(titles(it.player)).toEqual(['Tense'])
  expect(it.background).toMatchObject({ state: 'halted', reason: 'late' })
  it.background.close()
})

test('nor a resume: the question stays silent', async () => {
  const it = await playing([BED.warm])
  const paused = it.background.pause({ fadeOutMs: 0 })
  await it.pass(1_000)
  await paused
  it.lost.is = () => true
  const resumed = it.background.resume().catch((error: unknown) => error)
  await it.pass(2_000)
  it.sleep()
  it.lost.is = () => false
  await it.pass(3_000)
  expect(await resumed).toMatchObject({ name: 'NotStartedError' })
  expect(it.background.state).toBe('paused')
  it.background.close()
})

test('after it a start has its own deadline as before', async () => {
  const it = await playing([BED.warm])
  it.sleep()
  await it.pass(1_000)
  Object.assign(it.lost, { is: (method: string | undefined) => method === 'POST', hangs: true })
  let isOpen = true
  const late = it.background.start(0, { deadlineMs: 1_000 }).catch(() => (isOpen = false))
  await it.pass(800)
  expect(isOpen).toBe(true)
  await it.pass(500)
  expect(isOpen).toBe(false)
  await late
  it.background.close()
})

test('where the time of day is set back what a page keeps is renewed all the same', async () => {
  let keptMs = 0
  const it = scene([BED.warm], ({ atMs }) => (keptMs = atMs))
  const begun = it.background.start(0)
  await it.pass(1_000)
  await begun
  vi.setSystemTime(Date.now() - 3_600_000)
  await it.pass(6_000)
  // Else a bed that ends while the page is away for half an hour would have ended just now.
  expect(Date.now() - keptMs).toBeGreaterThanOrEqual(0)
  expect(Date.now() - keptMs).toBeLessThan(6_000)
  it.background.close()
})
