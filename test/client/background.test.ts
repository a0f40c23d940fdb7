// A background list against the real service: its rules through ends, pauses and every fault.
import { describe, expect, test } from 'vitest'
import { commands, heardOf, scene, type Scene } from './background-scene.js'
import { BED } from './quiz-show.js'

describe('moves on', () => {
  test('through the list, a natural end at a time, and is finished', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(400_000)
    expect(it.story).toEqual([
      '0 starting', '0 playing', '1 starting', '1 playing', '2 starting', '2 playing', '2 finished',
    ])
    expect(heardOf(it)).toEqual(['Warm', 'Tense', 'Last'])
    it.background.close()
  })

  test('from the last bed to the first where it wraps', async () => {
    const it = scene({ wrap: true })
    await it.background.start(2)
    await it.player.advance(10_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 0, bed: BED.warm })
    it.background.close()
  })

  test('within a poll of the end, or at once by events', async () => {
    for (const [events, most] of [[false, 760], [true, 5]] as const) {
      const it = scene({ events })
      await it.background.start()
      await it.player.advance(200_000)
      const [first, second] = it.player.heard()
      expect((second?.fromMs ?? Infinity) - (first?.toMs ?? 0)).toBeLessThanOrEqual(most)
      it.background.close()
    }
  })

  test.each([
    ['an explicit stop', 'explicit_stop', (it: Scene) => it.client.stop(BED.warm)],
    ['a decoder that fails', 'playback_error', async (it: Scene) => it.player.fail(BED.warm)],
    ['a device that is lost', 'playback_error', async (it: Scene) => it.player.loseDevice()],
    ['another button in its place', 'replaced', (it: Scene) => it.client.play(BED.last)],
    ['a restart by someone else', 'explicit_stop', (it: Scene) => it.client.restart(BED.warm)],
  ])('never on %s', async (_what, reason, happen) => {
    const it = scene()
    await it.background.start()
    await it.player.advance(5000)
    await happen(it)
    await it.player.advance(60_000)
    expect(it.background).toMatchObject({ state: 'halted', reason, index: 0 })
    const plays = commands(it).filter((each) => each === 'play')
    expect(plays).toHaveLength(reason === 'replaced' ? 2 : 1)
    expect(heardOf(it)).not.toContain('Tense')
    it.background.close()
  })
})

describe('a question', () => {
  test('pauses the bed and goes on with the same run from the same place', async () => {
    const it = scene()
    await it.background.start()
    const { executionId } = it.background
    await it.player.advance(10_000)
    await it.background.pause({ fadeOutMs: 500 })
    await it.player.advance(20_000)
    expect(it.background.state).toBe('paused')
    await it.background.resume({ fadeInMs: 0 })
    await it.player.advance(1000)
    expect(it.background).toMatchObject({ state: 'playing', executionId })
    const heard = it.player.heard()
    expect(heard.at(-2)).toMatchObject({ toMs: 10_500, mediaToMs: 10_500 })
    expect(heard.at(-1)).toMatchObject({ fromMs: 30_500 - 500, mediaFromMs: 10_500, executionId })
    it.background.close()
  })

  test('asked while the bed ends in its fade: silence stays, then the next bed', async () => {
    const it = scene()
    await it.background.start(1)
    await it.player.advance(59_000)
    await it.background.pause({ fadeOutMs: 3000 })
    await it.player.advance(60_000)
    expect(it.background).toMatchObject({ state: 'paused', executionId: null })
    expect(it.player.heard().at(-1)?.toMs).toBe(60_000)
    await it.background.resume()
    await it.player.advance(100)
    expect(it.background).toMatchObject({ state: 'playing', index: 2 })
    expect(commands(it)).toEqual(['play', 'pause', 'restart'])
    it.background.close()
  })

  test('a resume of a run that was stopped rejects, and starts nothing instead', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    await it.background.pause({ fadeOutMs: 0 })
    await it.client.stop(BED.warm)
    await expect(it.background.resume()).rejects.toMatchObject({ code: 'execution_not_resumable' })
    expect(it.background).toMatchObject({ state: 'halted', reason: 'explicit_stop' })
    await it.player.advance(10_000)
    expect(commands(it)).toEqual(['play', 'pause', 'stop', 'resume'])
    it.background.close()
  })

  test('stop ends it, and what comes after is only what the app asks for', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    await it.background.stop({ fadeOutMs: 0 })
    await it.player.advance(300_000)
    expect(it.background.state).toBe('stopped')
    expect(it.player.heard().at(-1)?.toMs).toBe(1000)
    await it.background.resume()
    await it.player.advance(1000)
    expect(it.player.heard()).toHaveLength(1)
    await it.background.start(1)
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })
})

describe('a service that begins again', () => {
  test('loses the run: the list halts where it is and asks what there is', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(10_000)
    it.player.restart()
    await it.player.advance(10_000)
    expect(it.background).toMatchObject({ state: 'halted', reason: 'lost', index: 0 })
    expect(it.sent).toContain('GET /status')
    expect(commands(it)).toEqual(['play'])
    await it.background.start(it.background.index)
    await it.player.advance(1000)
    expect(it.background.state).toBe('playing')
    it.background.close()
  })

  test('or starts the same bed again where the app wants that', async () => {
    const it = scene({ whenLost: 'start' })
    await it.background.start(1)
    await it.player.advance(10_000)
    it.player.setNetwork('down')
    it.player.restart()
    await it.player.advance(10_000)
    it.player.setNetwork('up')
    await it.player.advance(10_000)
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    expect(heardOf(it)).toEqual(['Tense', 'Tense'])
    it.background.close()
  })

  test('a run that someone started on the bed meanwhile is left alone', async () => {
    const it = scene({ whenLost: 'start' })
    await it.background.start()
    await it.player.advance(1000)
    it.player.restart()
    await it.client.play(BED.warm)
    await it.player.advance(5000)
    expect(it.background).toMatchObject({ state: 'halted', reason: 'superseded' })
    expect(commands(it)).toEqual(['play', 'play'])
    it.background.close()
  })
})

test('a device that is away when the next bed is due: it waits, then plays it', async () => {
  const it = scene()
  await it.background.start()
  await it.player.advance(100_000)
  await it.background.pause({ fadeOutMs: 0 })
  it.player.loseDevice()
  const resumed = it.background.resume()
  await it.player.advance(5000)
  expect(it.background.state).toBe('paused')
  it.player.restoreDevice()
  await it.player.advance(2000)
  await resumed
  expect(it.background.state).toBe('playing')
  it.background.close()
})

test('a start that is refused rejects, and says why', async () => {
  const it = scene()
  it.player.removeFile('warm.mp3')
  await expect(it.background.start()).rejects.toMatchObject({ code: 'media_file_missing' })
  expect(it.background).toMatchObject({ state: 'halted', reason: 'refused' })
  expect(it.background.error?.status).toBe(422)
  it.background.close()
})

test('a bed that plays already is started anew, so that the list owns it (3.3.7)', async () => {
  const it = scene()
  const before = await it.client.play(BED.warm)
  await it.background.start()
  expect(it.background.executionId).not.toBe(before.executionId)
  expect(commands(it)).toEqual(['play', 'restart'])
  it.background.close()
})
