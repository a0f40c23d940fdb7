// Commands of a background that were given up: those that arrive after all are never carried out,
// and of one that was carried out exactly what it did is undone.
import { describe, expect, test } from 'vitest'
import { failing, HOW, opened, titles } from './app-page.js'
import { BED } from './quiz-show.js'

type Page = ReturnType<typeof opened>

/** It is lost on its way, or its answer is, and the network is away past its deadline. */
const unanswered = async (
  it: Page, lost: 'request' | 'answer', ask: () => Promise<unknown>,
  network: 'hanging' | 'down' = 'hanging',
): Promise<void> => {
  it.player.loseNext(lost)
  const outcome = failing(ask())
  await it.player.settled()
  it.player.setNetwork(network)
  await it.player.advance(3_000)
  expect(await outcome).toMatchObject({ outcome: 'not_answered' })
}

/** What sounds at this moment. */
const sounding = async ({ client }: Page): Promise<string[]> =>
  (await client.status()).active.map(({ title }) => title)

describe.each(HOW)('arrives after another bed was started (%s)', (how) => {
  const SHOWS = [{}, { pauseWhenReplaced: true }]

  test.each(SHOWS)('a start that was taken back: that bed plays on', async (runOptions) => {
    const it = opened({ runOptions }, how)
    it.player.loseNext('late', 6_000)
    const caller = new AbortController()
    const outcome = failing(it.background.start(0, { signal: caller.signal }))
    await it.player.advance(500)
    caller.abort('no')
    expect(await outcome).toBe('no')
    const started = failing(it.background.start(1))
    await it.player.advance(5_000)
    expect(await started).toBeNull()
    await it.player.advance(10_000)
    expect(titles(it.player)).toEqual(['Tense'])
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })

  test.each(SHOWS)('a resume past its deadline: that bed plays on', async (runOptions) => {
    const it = opened({ runOptions }, how)
    await it.background.start()
    await it.player.advance(2_000)
    await it.background.pause({ fadeOutMs: 0 })
    it.player.loseNext('late', 6_000)
    const outcome = failing(it.background.resume({ deadlineMs: 600 }))
    await it.player.advance(1_000)
    expect(await outcome).toMatchObject({ outcome: 'not_answered' })
    await it.background.start(1)
    await it.player.advance(10_000)
    expect(titles(it.player)).toEqual(['Warm', 'Tense'])
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })
})

describe('what others do meanwhile is theirs', () => {
  test('a press of the button whose start was given up', async () => {
    const it = opened()
    await unanswered(it, 'request', () => it.background.start(0, { deadlineMs: 2_000 }))
    it.player.setNetwork('up')
    await it.client.play(BED.warm)
    await it.player.advance(20_000)
    expect(await sounding(it)).toEqual(['Warm'])
    expect(it.background).toMatchObject({ state: 'halted', reason: 'late' })
    it.background.close()
  })

  test('a bed that an operator resumes, whose resume was given up', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(2_000)
    await it.background.pause({ fadeOutMs: 0 })
    it.player.loseNext('request')
    const outcome = failing(it.background.resume({ deadlineMs: 600 }))
    await it.player.advance(5_000)
    expect(await outcome).toMatchObject({ outcome: 'not_answered' })
    await it.client.resume(BED.warm, { executionId: it.background.executionId ?? '' })
    await it.player.advance(10_000)
    expect(await sounding(it)).toEqual(['Warm'])
    expect(it.background.state).toBe('playing')
    it.background.close()
  })
})

describe('was carried out, and its answer was lost', () => {
  test('a start, for minutes: it is stopped as soon as the service answers', async () => {
    const it = opened({}, 'polling')
    await unanswered(it, 'answer', () => it.background.start(0, { deadlineMs: 2_000 }))
    await it.player.advance(120_000)
    it.player.setNetwork('up')
    await it.player.advance(4_000)
    expect(await sounding(it)).toEqual([])
    expect(it.background).toMatchObject({ state: 'halted', reason: 'late' })
    it.background.close()
  })

  test('a start in the place of another bed: that one is not told to play', async () => {
    const it = opened({}, 'polling')
    await it.background.start()
    await it.player.advance(2_000)
    it.story.length = 0
    await unanswered(it, 'answer', () => it.background.start(1, { deadlineMs: 1_000 }))
    it.player.setNetwork('up')
    await it.player.advance(4_000)
    expect(it.story).toEqual(['1 starting', '0 away', '0 late'])
    expect(await sounding(it)).toEqual([])
    it.background.close()
  })

  test('a start in the place of one that is kept in pause: a resume brings that', async () => {
    const it = opened({ runOptions: { pauseWhenReplaced: true } }, 'polling')
    await it.background.start()
    await it.player.advance(2_000)
    await unanswered(it, 'answer', () => it.background.start(1, { deadlineMs: 1_000 }))
    it.player.setNetwork('up')
    await it.player.advance(4_000)
    expect(await sounding(it)).toEqual([])
    await it.background.resume({ fadeInMs: 0 })
    await it.player.advance(1_000)
    expect(await sounding(it)).toEqual(['Warm'])
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    it.background.close()
  })

  test('a resume: the bed is paused again', async () => {
    const it = opened({}, 'polling')
    await it.background.start()
    await it.player.advance(2_000)
    await it.background.pause({ fadeOutMs: 0 })
    await unanswered(it, 'answer', () => it.background.resume({ deadlineMs: 1_000 }))
    it.player.setNetwork('up')
    await it.player.advance(4_000)
    expect(it.background.state).toBe('paused')
    expect(await sounding(it)).toEqual([])
    it.background.close()
  })
})

test('given up, and the service begins again: the next start is not held back', async () => {
  const it = opened()
  await unanswered(it, 'request', () => it.background.start(0, { deadlineMs: 1_000 }), 'down')
  const started = failing(it.background.start(1))
  await it.player.advance(2_000)
  it.player.restart()
  it.player.setNetwork('up')
  await it.player.advance(3_000)
  expect(await started).toBeNull()
  expect(await sounding(it)).toEqual(['Tense'])
  it.background.close()
})
