// What an app may hand to a background and when, and what it finds: ids in capitals, a bed that
// stands twice, a signal that is over, a page that is closed in the middle.
import { describe, expect, test } from 'vitest'
import { Background } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { failing, HOW, opened, pageOf, startGivenUp, titles, watched } from './app-page.js'
import { BED, MEDIA, quiz, SONG } from './quiz-show.js'

describe('is said at once, and nothing is sent', () => {
  const { player } = quiz()
  const { client, sent } = watched(player)

  test('a list without a bed, a bed that there is not', async () => {
    expect(() => new Background(client, { beds: [] })).toThrow(RangeError)
    const background = new Background(client, { beds: [BED.warm] })
    for (const index of [1, -1, 0.5]) {
      await expect(background.start(index)).rejects.toThrow(RangeError)
    }
    expect(background.state).toBe('idle')
  })

  test('a start whose signal is over', async () => {
    const background = new Background(client, { beds: [BED.warm], events: false })
    const signal = AbortSignal.abort('the host went on')
    expect(await failing(background.start(0, { signal }))).toBe('the host went on')
    await player.advance(60_000)
    expect([background.state, sent, player.heard()]).toEqual(['idle', [], []])
  })

  test('whatever is asked of one that was closed', async () => {
    const background = new Background(client, { beds: [BED.warm] })
    background.close()
    const { length } = sent
    for (const asked of [
      background.start(), background.pause(), background.resume(), background.stop(),
      background.adopt(),
    ]) expect(await failing(asked)).toMatchObject({ message: 'this background was closed' })
    await player.advance(10_000)
    expect(sent).toHaveLength(length)
  })
})

describe.each(['start', 'pause', 'resume', 'stop', 'adopt'] as const)(
  'a page that is closed in the middle of a %s', (wish) => {
    const closing = async (ask: (asked: Promise<unknown>) => void) => {
      const it = opened()
      if (wish !== 'start' && wish !== 'adopt') {
        await it.background.start()
        await it.player.advance(1_000)
      }
      it.player.setNetwork('hanging')
      ask(it.background[wish]())
      await it.player.advance(500)
      return it
    }

    test('is told that it was not carried out', async () => {
      const told: unknown[] = []
      const it = await closing((asked) => void failing(asked).then((error) => told.push(error)))
      expect(told).toEqual([])
      it.background.close()
      await it.player.advance(1)
      expect(told).toMatchObject([{ message: 'this background was closed' }])
    })

    test('and does not look at what becomes of it has no fault by that', async () => {
      const faults: unknown[] = []
      const hear = (error: unknown): void => void faults.push(error)
      process.on('unhandledRejection', hear)
      const it = await closing(() => undefined)
      it.background.close()
      await it.player.advance(1_000)
      process.off('unhandledRejection', hear)
      expect(faults).toEqual([])
    })
  })

describe('beds that are named in capitals', () => {
  const id = (n: number): string => `abcdefab-cdef-4abc-8def-abcdefabcde${n}`
  const BEDS = [1, 2].map((n) => id(n).toUpperCase())
  const show = {
    title: 'x',
    playlists: [{
      id: id(0), title: 'Beds',
      buttons: BEDS.map((bed, n) => ({
        id: bed, title: `Bed ${n}`, kind: 'audio', media: n === 0 ? 'warm.mp3' : 'tense.flac',
      })),
    }],
  }
  const playing = async () => {
    const player = createTestPlayer(show, { media: MEDIA })
    const page = pageOf(player, { beds: BEDS, whenLost: 'start' }, 'polling')
    player.loseNext('answer')
    const started = page.background.start(1)
    await player.advance(3_000)
    await started
    return { ...page, player }
  }

  test('are found: a start whose answer was lost is one start', async () => {
    const { player, background, client } = await playing()
    expect(background.state).toBe('playing')
    expect(titles(player)).toEqual(['Bed 1'])
    const { active } = await client.status()
    expect(active.map(({ executionId }) => executionId)).toEqual([background.executionId])
    background.close()
  })

  test('that play already are started anew, so that the list owns them (3.3.7)', async () => {
    const player = createTestPlayer(show, { media: MEDIA })
    const { background, client } = pageOf(player, { beds: BEDS }, 'polling')
    const before = await client.play(BEDS[0]!, { loop: true })
    await background.start()
    expect(background.executionId).not.toBe(before.executionId)
    expect((await client.buttons()).buttons[0]?.executionId).toBe(background.executionId)
    background.close()
  })

  test('are taken over after a reload', async () => {
    const { player, background } = await playing()
    background.close()
    const next = pageOf(player, { beds: BEDS }, 'polling')
    expect(await next.background.adopt()).toBe(true)
    expect(next.background).toMatchObject({ index: 1, executionId: background.executionId })
    next.background.close()
  })

  test('are remembered over a reload during which one of them ends', async () => {
    const { player, background, kept } = await playing()
    background.close()
    await player.advance(60_000)
    const next = pageOf(player, { beds: BEDS, wrap: true, lateMs: 300_000 }, 'polling')
    const adopted = next.background.adopt(kept.memory)
    await player.advance(2_000)
    expect([await adopted, next.background.state, next.background.index]).toEqual(
      [true, 'playing', 0])
    next.background.close()
  })

  test.each([
    ['playing', null, 'playing'], ['paused', { fadeOutMs: 0 }, 'paused'],
    ['pausing', { fadeOutMs: 10_000 }, 'pausing'],
  ])('are left alone where somebody else has them %s by now', async (_, pause, state) => {
    const { player, background, client } = await playing()
    player.restart()
    const executionId = (await client.play(BEDS[1]!)).executionId ?? ''
    await player.advance(100)
    if (pause !== null) await client.pause(BEDS[1]!, { executionId, ...pause })
    await player.advance(5_000)
    expect(background).toMatchObject({ state: 'halted', reason: 'superseded' })
    expect((await client.buttons()).buttons[1]?.executionId).toBe(executionId)
    expect(await client.execution(executionId)).toMatchObject({ state })
    background.close()
  })
})

describe('a page that is loaded again', () => {
  test('does not take over a bed that somebody stops', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(5_000)
    it.background.close()
    await it.client.stop(BED.warm, { fadeOutMs: 20_000 })
    const next = pageOf(it.player)
    expect(await next.background.adopt()).toBe(false)
    await it.player.advance(1_000)
    expect([next.background.state, next.story]).toEqual(['idle', []])
    next.background.close()
  })

  test.each(['that plays', 'that rests', 'that was stopped'])(
    'with other beds forgets the bed %s: it is none of them', async (how) => {
      const it = opened()
      await it.background.start(0)
      await it.player.advance(2_000)
      if (how === 'that rests') await it.background.pause({ fadeOutMs: 0 })
      it.background.close()
      if (how === 'that was stopped') await it.client.stop(BED.warm, { fadeOutMs: 0 })
      const next = pageOf(it.player, { beds: [BED.tense, BED.last] })
      expect(await next.background.adopt(it.kept.memory)).toBe(false)
      expect(next.background).toMatchObject({ state: 'idle', index: 0, executionId: null })
      expect(next.story).toEqual([])
      next.background.close()
    })

  test('goes on behind the place of its bed, where that stands in the list twice', async () => {
    const beds = [BED.tense, BED.last, BED.tense, BED.warm]
    const it = opened({ beds })
    await it.background.start(2)
    await it.player.advance(5_000)
    it.background.close()
    const next = pageOf(it.player, { beds })
    expect(await next.background.adopt(it.kept.memory)).toBe(true)
    expect(next.background.index).toBe(2)
    await it.player.advance(60_000)
    expect(next.background).toMatchObject({ state: 'playing', index: 3 })
    expect(titles(it.player)).toEqual(['Tense', 'Warm'])
    next.background.close()
  })
})

test('a start that was given up is cut off, whatever fade its bed has', async () => {
  const it = opened()
  await startGivenUp(it, 'answer')
  expect(titles(it.player)).toEqual(['Tense'])
  expect(it.player.heard()[0]).toMatchObject({ gainFrom: 1, gainTo: 1 })
  it.background.close()
})

test('nobody else moves the list on, whatever options the app hands on', async () => {
  const it = opened({
    beds: [SONG.first, BED.warm], runOptions: { externalSequencing: false, allowOverlap: true },
  })
  await it.background.start()
  await it.player.advance(15_000)
  expect(titles(it.player)).toEqual(['One', 'Warm'])
  expect(it.background).toMatchObject({ state: 'playing', index: 1 })
  it.background.close()
})

test.each(HOW)('where the bed is, by %s', async (how) => {
  const it = opened({}, how)
  expect(it.background.positionMs).toBeNull()
  await it.background.start()
  await it.player.advance(20_000)
  const { positionMs } = await it.client.execution(it.background.executionId ?? '')
  const slack = how === 'live' ? 2 : 800
  expect(Math.abs((it.background.positionMs ?? NaN) - positionMs)).toBeLessThan(slack)
  await it.background.stop({ fadeOutMs: 0 })
  expect(it.background.positionMs).toBeNull()
  it.background.close()
})

test('what was missed is looked at, at once', async () => {
  const it = opened()
  await it.background.start()
  await it.player.advance(10_000)
  // The stop itself is told by none of what comes after the cut.
  it.player.setNetwork('down')
  it.player.setNetwork('up')
  await it.client.stop(BED.warm, { fadeOutMs: 0 })
  await it.player.advance(1_500)
  expect(it.background).toMatchObject({ state: 'halted', reason: 'explicit_stop' })
  it.background.close()
})

describe('a page that is loaded again, with an earlier bed still kept in pause', () => {
  const BEDS_AGO = async (how: 'live' | 'polling') => {
    const it = opened({ runOptions: { pauseWhenReplaced: true } }, how)
    await it.background.start(0)
    await it.player.advance(5_000)
    await it.background.start(1)
    await it.player.advance(2_500)
    expect((await it.client.status()).paused).toMatchObject([{ id: BED.warm }])
    return it
  }

  test.each(HOW)('just as its bed ends: the next one comes (%s)', async (how) => {
    const it = await BEDS_AGO(how)
    await it.player.advance(57_400)
    it.background.close()
    await it.player.advance(2_000)
    const next = pageOf(it.player, {}, how)
    expect(await next.background.adopt(it.kept.memory)).toBe(true)
    await it.player.advance(1_000)
    expect(next.background).toMatchObject({ state: 'playing', index: 2 })
    next.background.close()
  })

  test.each(HOW)('while a start is under way: that bed (%s)', async (how) => {
    const it = await BEDS_AGO(how)
    await it.player.advance(5_000)
    it.player.setNetwork('down')
    void it.background.start(2).catch(() => undefined)
    await it.player.advance(500)
    expect(it.kept.memory).toMatchObject({ isDue: true, index: 2 })
    it.background.close()
    it.player.setNetwork('up')
    const next = pageOf(it.player, {}, how)
    expect(await next.background.adopt(it.kept.memory)).toBe(true)
    await it.player.advance(1_000)
    expect(next.background).toMatchObject({ state: 'playing', index: 2 })
    expect((await next.client.status()).active).toHaveLength(1)
    next.background.close()
  })
})

test.each(HOW)('a pause that ended while the page was loaded is over (%s)', async (how) => {
  const it = opened({}, how)
  await it.background.start(1)
  await it.player.advance(5_000)
  await it.background.pause({ fadeOutMs: 0 })
  const { executionId, memory } = it.background
  it.background.close()
  await it.client.resume(BED.tense, { executionId: executionId ?? '' })
  const next = pageOf(it.player, {}, how)
  expect(await next.background.adopt(memory)).toBe(true)
  expect(next.background.memory.isPaused).toBe(false)
  await it.player.advance(56_000)
  expect(next.background).toMatchObject({ state: 'playing', index: 2 })
  next.background.close()
})

test('one that was closed in the middle of a look tells and keeps nothing more', async () => {
  for (let closeAt = 0; closeAt < 5_000; closeAt += 500) {
    const { player, background, kept, story } = opened()
    await background.start()
    await player.advance(2_000)
    player.setNetwork('hanging')
    await player.advance(12_000 + closeAt)
    background.close()
    kept.memory = null
    const told = story.length
    await player.advance(5_000)
    expect([closeAt, kept.memory, story.length]).toEqual([closeAt, null, told])
  }
})
