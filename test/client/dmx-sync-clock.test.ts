// What a clock may say of itself, and what a service may leave unsaid, while lights follow it.
import { describe, expect, test } from 'vitest'
import {
  createClient, DmxSync, type DmxSyncOptions, type SyncBody, type SyncEnd,
} from '../../src/client/client.js'
import { LIT, quiz } from './quiz-show.js'

/** As a media element has it, moved by hand. */
class Video extends EventTarget {
  currentTime = 0
  paused = false
  ended = false
  readyState = 4
}

const scene = async (
  clock: DmxSyncOptions['clock'], more: Partial<DmxSyncOptions> = {}, { player } = quiz(),
) => {
  const sent: (SyncBody & { readonly at: number })[] = []
  const client = createClient({
    ...player.clientOptions,
    fetch: (url, init) => {
      if (url.endsWith('/dmx/sync')) {
        sent.push({ ...(JSON.parse(init.body as string) as SyncBody), at: player.now() })
      }
      return player.fetch(url, init)
    },
  })
  const { dmxExecutionId } = await client.play(LIT)
  const ends: SyncEnd[] = []
  const sync = new DmxSync(client, {
    buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', clock,
    onEnd: (end) => ends.push(end), ...more,
  })
  const positionMs = async (): Promise<number> =>
    (await client.status()).lights.timelines[0]?.positionMs ?? -1
  return { player, client, sync, sent, ends, positionMs }
}

describe('a clock', () => {
  test('that counts down to its beginning: the lights wait at theirs', async () => {
    const made = quiz()
    const counting = () => ({ positionMs: made.player.now() - 3_000, isPlaying: true })
    const it = await scene(counting, {}, made)
    it.sync.start()
    await it.player.advance(2_000)
    expect(new Set(it.sent.map(({ positionMs }) => positionMs))).toEqual(new Set([0]))
    await it.player.advance(6_000)
    expect(it.ends).toEqual([])
    expect(Math.abs(await it.positionMs() - 5_000)).toBeLessThanOrEqual(100)
    it.sync.stop()
  })

  test.each([Number.NaN, Infinity])('that says %d has nothing to say yet', async (positionMs) => {
    const clock = { positionMs, isPlaying: true }
    const it = await scene(clock)
    it.sync.start()
    await it.player.advance(2_000)
    expect([it.sent, it.ends]).toEqual([[], []])
    clock.positionMs = 7_000
    await it.player.advance(300)
    expect(it.sent[0]).toMatchObject({ positionMs: 7_000 })
    it.sync.stop()
  })
})

test('one end is told once, whatever is asked for after it', async () => {
  const it = await scene({ positionMs: 0, isPlaying: true })
  it.sync.start()
  await it.player.advance(500)
  await it.client.stop(LIT, { fadeOutMs: 0 })
  await it.player.advance(1_000)
  expect(it.ends).toEqual(['dmx_not_active'])
  it.sync.stop()
  expect([it.ends, it.sync.end]).toEqual([['dmx_not_active'], 'dmx_not_active'])
})

describe('a video', () => {
  test('that goes on without its lights has nobody left who listens to it', async () => {
    const video = new Video()
    const listening = new Set<string>()
    video.addEventListener = (type: string) => listening.add(type)
    video.removeEventListener = (type: string) => listening.delete(type)
    const it = await scene(video)
    it.sync.start()
    expect(listening.size).toBeGreaterThan(0)
    it.sync.stop()
    expect([...listening]).toEqual([])
  })

  // Not each browser says that a video which has ended is paused.
  test.each([
    ['plays', {}, true], ['is paused', { paused: true }, false],
    ['has ended', { ended: true }, false],
    ['waits for data', { readyState: 2 }, false], ['has little data', { readyState: 3 }, true],
  ])('that %s: it is told so at once', async (_what, change, isPlaying) => {
    const video = new Video()
    video.currentTime = 12.5
    const it = await scene(video)
    it.sync.start()
    await it.player.advance(100)
    for (const type of ['play', 'playing', 'pause', 'ended', 'waiting', 'ratechange']) {
      Object.assign(video, { paused: false, ended: false, readyState: 4, ...change })
      await it.player.advance(37)
      const at = it.player.now()
      video.dispatchEvent(new Event(type))
      await it.player.advance(1)
      expect([type, it.sent.at(-1)]).toEqual([
        type, expect.objectContaining({ at, isPlaying, positionMs: 12_500 }),
      ])
      expect(it.sent.at(-1)).not.toHaveProperty('forceSeek')
    }
    for (const type of ['seeking', 'seeked']) {
      await it.player.advance(37)
      const at = it.player.now()
      video.dispatchEvent(new Event(type))
      await it.player.advance(1)
      expect(it.sent.at(-1)).toMatchObject({ at, forceSeek: true })
    }
    it.sync.stop()
    const { length } = it.sent
    video.dispatchEvent(new Event('pause'))
    await it.player.advance(5_000)
    expect(it.sent).toHaveLength(length)
  })
})

describe('a message', () => {
  test('that is not answered is given up after a second, and told again', async () => {
    const it = await scene({ positionMs: 1_000, isPlaying: false })
    it.player.setNetwork('hanging')
    it.sync.start()
    await it.player.advance(1_200)
    expect(it.sent.map(({ at }) => at)).toEqual([0])
    await it.player.advance(2_000)
    expect(it.sent.length).toBeGreaterThanOrEqual(2)
    it.player.setNetwork('up')
    await it.player.advance(2_000)
    expect(it.sync.answer).toMatchObject({ positionMs: 1_000, isPlaying: false })
    it.sync.stop()
  })

  test('is not told again and again, though the clock has news all the time', async () => {
    const it = await scene({ positionMs: 1_000, isPlaying: false })
    it.player.setNetwork('hanging')
    it.sync.start()
    for (let n = 0; n < 100; n += 1) {
      it.sync.seeked()
      await it.player.advance(100)
    }
    // A second each, and then a pause that grows to 1.8 s.
    expect(it.sent.length).toBeLessThan(6)
    it.sync.stop()
  })

  test.each(['up', 'down'] as const)('comes as rarely as the app says, network %s', async (how) => {
    const it = await scene({ positionMs: 1_000, isPlaying: false }, { everyMs: 3_000 })
    it.player.setNetwork(how)
    it.sync.start()
    await it.player.advance(9_500)
    expect(it.sent.map(({ at }) => Math.round(at / 100) * 100)).toEqual([0, 3_000, 6_000, 9_000])
    it.sync.stop()
  })

  test('may take longer where the app says so', async () => {
    const it = await scene({ positionMs: 1_000, isPlaying: false }, { timeoutMs: 9_000 })
    it.player.setNetwork('mute')
    it.sync.start()
    await it.player.advance(8_900)
    expect(it.sent).toHaveLength(1)
    await it.player.advance(3_000)
    expect(it.sent.length).toBeGreaterThan(1)
    it.sync.stop()
  })

  test('comes as often as the app says, and is numbered above what the app names', async () => {
    const clock = { positionMs: 1_000, isPlaying: false }
    const it = await scene(clock, { everyMs: 500, sequence: 40 })
    it.sync.start()
    it.sync.start()
    await it.player.advance(2_100)
    expect(it.sent.map(({ at }) => at)).toEqual([0, 500, 1_000, 1_500, 2_000])
    expect(it.sent.map(({ sequence }) => sequence)).toEqual([41, 42, 43, 44, 45])
    it.sync.stop()
  })
})

describe('a page that was loaded again', () => {
  // The clock of the machine was ahead and was put right meanwhile; or the page of before was
  // another machine's.
  test.each([90_000, 3_600_000, 86_400_000, 30 * 365 * 86_400_000])(
    'where the time of day is %d ms behind what was sent before: the lights follow it',
    async (aheadMs) => {
      const clock = { positionMs: 1_000, isPlaying: false }
      const { player } = quiz()
      const client = createClient(player.clientOptions)
      const { dmxExecutionId } = await client.play(LIT, { loop: true })
      const options = { buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', clock }
      const before = new DmxSync(client, { ...options, sequence: Date.now() + aheadMs })
      before.start()
      await player.advance(500)
      before.stop()
      clock.positionMs = 8_000
      const again = new DmxSync(client, options)
      again.start()
      await player.advance(15_000)
      const { lights } = await client.status()
      expect([again.end, lights.timelines[0]?.positionMs]).toEqual([null, 8_000])
      again.stop()
    })
})
