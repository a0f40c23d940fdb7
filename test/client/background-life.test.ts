// A background through what an evening does to it: reloads of the page, deadlines, restarts.
import { describe, expect, test } from 'vitest'
import { Background, createClient, NotStartedError } from '../../src/client/client.js'
import { HOW, opened, pageOf, titles } from './app-page.js'
import { BED, quiz, SONG, type Quiz } from './quiz-show.js'

/** The sound without what lies between two looks: titles, each with where it began in its file. */
const sounded = (player: Quiz['player']): string[] =>
  player.heard().map((it) => `${it.title} ${it.mediaFromMs}-${it.mediaToMs}`)

describe('a page that is loaded again', () => {
  /** Each state with how to get there from a bed that has played for 5 s. */
  const STATES: readonly [string, (it: ReturnType<typeof opened>) => Promise<unknown>][] = [
    ['playing', async () => undefined],
    ['pausing', (it) => it.background.pause({ fadeOutMs: 4000 })],
    ['paused', async (it) => {
      await it.background.pause({ fadeOutMs: 0 })
      await it.player.advance(2000)
    }],
    ['resumed', async (it) => {
      await it.background.pause({ fadeOutMs: 0 })
      await it.background.resume({ fadeInMs: 500 })
    }],
    ['put aside by another start', (it) => it.client.play(SONG.first)],
    ['away', async (it) => {
      it.player.setNetwork('down')
      await it.player.advance(4000)
    }],
  ]

  test.each(STATES)('%s: takes over the run, place and all', async (_state, go) => {
    for (const withMemory of [true, false]) {
      const it = opened({ runOptions: { pauseWhenReplaced: true } })
      await it.background.start()
      const { executionId } = it.background
      await it.player.advance(5000)
      await go(it)
      it.background.close()
      const next = pageOf(it.player)
      const adopted = next.background.adopt(withMemory ? it.kept.memory : null)
      await it.player.advance(1000)
      it.player.setNetwork('up')
      await it.player.advance(2000)
      expect(await adopted).toBe(true)
      expect(next.background).toMatchObject({ index: 0, executionId })
      const warm = it.player.heard().filter(({ title }) => title === 'Warm')
      expect(new Set(warm.map((each) => each.executionId))).toEqual(new Set([executionId]))
      await next.background.resume()
      await it.player.advance(10_000)
      expect(next.background).toMatchObject({ state: 'playing', executionId })
      const { positionMs } = await next.client.execution(executionId ?? '')
      expect(Math.abs((next.background.positionMs ?? 0) - positionMs)).toBeLessThan(2)
      // The list goes on from there.
      await it.player.advance(180_000)
      expect(next.background.index).toBe(1)
      next.background.close()
    }
  })

  /** The page after it, which took the bed over. */
  const reloadedWhileStarting = async (
    { player, background, kept }: ReturnType<typeof opened>, loss: 'request' | 'answer',
  ) => {
    player.loseNext(loss)
    void background.start().catch(() => undefined)
    await player.settled()
    background.close()
    const next = pageOf(player)
    const adopted = next.background.adopt(kept.memory)
    await player.advance(3000)
    expect(await adopted).toBe(true)
    return next
  }

  test('starting: the request that was under way and the new one are one start', async () => {
    for (const loss of ['request', 'answer'] as const) {
      const it = opened()
      const next = await reloadedWhileStarting(it, loss)
      await it.player.advance(60_000)
      expect(next.background).toMatchObject({ state: 'playing', index: 0 })
      expect(titles(it.player)).toEqual(['Warm'])
      next.background.close()
    }
  })

  test('starting: the same bed goes on where it cannot be started anew', async () => {
    const it = opened()
    await it.background.start(0)
    await it.player.advance(2000)
    const { executionId } = it.background
    it.player.loseNext('request')
    void it.background.start().catch(() => undefined)
    await it.player.settled()
    it.background.close()
    it.player.removeFile('warm.mp3')
    const next = pageOf(it.player)
    const refused = next.background.adopt(it.kept.memory).catch((error: unknown) => error)
    await it.player.advance(5000)
    expect(await refused).toMatchObject({ code: 'media_file_missing' })
    expect(next.background).toMatchObject({ state: 'playing', executionId })
    next.background.close()
  })

  test('starting: an older run of its button, which rests, is not taken for it', async () => {
    const it = opened()
    const { executionId: old } = await it.client.play(BED.warm)
    await it.player.advance(1000)
    await it.client.pause(BED.warm, { executionId: old ?? '', fadeOutMs: 0 })
    await it.player.advance(1000)
    const next = await reloadedWhileStarting(it, 'request')
    await it.player.advance(5000)
    expect(next.background.state).toBe('playing')
    expect(next.background.executionId).not.toBe(old)
    next.background.close()
  })

  // However long the bed was: what counts is how long nobody has looked after it.
  test.each(HOW)('between two beds, within a minute the next one comes (%s)', async (how) => {
    for (const [awayMs, state] of [[3000, 'playing'], [100_000, 'halted']] as const) {
      const it = opened({}, how)
      await it.background.start(0)
      await it.player.advance(179_900)
      it.background.close()
      await it.player.advance(awayMs)
      const next = pageOf(it.player, {}, how)
      const adopted = next.background.adopt(it.kept.memory)
      await it.player.advance(2000)
      await adopted
      expect(next.background.state).toBe(state)
      expect(titles(it.player)).toEqual(state === 'playing' ? ['Warm', 'Tense'] : ['Warm'])
      next.background.close()
    }
  })

  test('in the silence of a question whose bed has ended: resume brings the next', async () => {
    const it = opened()
    await it.background.start(1)
    await it.player.advance(59_000)
    await it.background.pause({ fadeOutMs: 3000 })
    await it.player.advance(5000)
    it.background.close()
    const next = pageOf(it.player)
    expect(await next.background.adopt(it.kept.memory)).toBe(true)
    await it.player.advance(90_000)
    expect(next.background.state).toBe('paused')
    await next.background.resume()
    await it.player.advance(1000)
    expect([...new Set(titles(it.player))]).toEqual(['Tense', 'Last'])
    next.background.close()
  })

  test('without a memory the bed that plays comes before one that rests', async () => {
    const it = opened()
    const { executionId } = await it.client.play(BED.warm)
    await it.player.advance(1000)
    await it.client.pause(BED.warm, { executionId: executionId ?? '', fadeOutMs: 0 })
    await it.client.play(BED.tense, { allowOverlap: true })
    await it.player.advance(1000)
    const next = pageOf(it.player)
    expect(await next.background.adopt()).toBe(true)
    expect(next.background).toMatchObject({ index: 1, bed: BED.tense, state: 'playing' })
    it.background.close()
    next.background.close()
  })

  test.each([true, false])('a memory of a longer list, paused %s: no bed of another place', async (
    isPaused,
  ) => {
    const it = opened()
    await it.background.start(2)
    await it.player.advance(1000)
    if (isPaused) await it.background.pause({ fadeOutMs: 0 })
    it.background.close()
    const next = pageOf(it.player, { beds: [BED.warm, BED.tense] })
    const { memory } = it.kept
    expect(await next.background.adopt(memory && { ...memory, isDue: true })).toBe(false)
    expect(next.background).toMatchObject({ state: 'idle', index: 0, executionId: null })
    await next.background.start(1)
    await it.player.advance(1000)
    expect(next.background).toMatchObject({ state: 'playing', bed: BED.tense })
    next.background.close()
  })

  test('halted, stopped, idle: nothing to take over, and nothing sounds', async () => {
    const it = opened()
    await it.background.start()
    await it.player.advance(1000)
    await it.background.stop({ fadeOutMs: 0 })
    it.background.close()
    const next = pageOf(it.player)
    expect(await next.background.adopt(it.kept.memory)).toBe(false)
    expect(await next.background.adopt()).toBe(false)
    await it.player.advance(60_000)
    expect(titles(it.player)).toEqual(['Warm'])
    expect(next.background.state).toBe('idle')
    next.background.close()
  })

  test('of a resume whose bed is due: its own', async () => {
    const it = opened()
    await it.background.start(1)
    await it.player.advance(59_000)
    await it.background.pause({ fadeOutMs: 3_000 })
    await it.player.advance(5_000)
    it.player.setNetwork('hanging')
    const from = it.player.now()
    let told = NaN
    const outcome = it.background.resume({ deadlineMs: 2_000 })
      .catch((error: unknown) => error).finally(() => (told = it.player.now()))
    await it.player.advance(20_000)
    expect(told - from).toBe(2_000)
    expect(await outcome).toBeInstanceOf(NotStartedError)
    it.background.close()
  })

  test('of a bed that comes by itself: nothing that was said to an earlier start', async () => {
    const { player } = quiz()
    let isBusy = true
    const client = createClient({
      ...player.clientOptions,
      fetch: (url, init) => {
        const isRefused = isBusy && url.endsWith('/play')
        isBusy &&= !isRefused
        return isRefused
          ? Promise.resolve(new Response('{"error":"app_busy"}', { status: 409 }))
          : player.fetch(url, init)
      },
    })
    const background = new Background(client, { beds: [BED.last, BED.warm], events: false })
    const started = background.start()
    await player.advance(2_000)
    await started
    player.setNetwork('down')
    await player.advance(100_000)
    player.setNetwork('up')
    await player.advance(2_000)
    expect(background).toMatchObject({ state: 'halted', reason: 'late', error: null })
    background.close()
  })
})

describe('a start with a deadline', () => {
  test('that comes first: rejected, and no music a minute later', async () => {
    const networks = ['down', 'hanging', 'mute', 'lossy', 'after it was sent'] as const
    for (const network of networks) {
      const it = opened()
      await it.player.advance(500)
      const isSent = network === 'after it was sent'
      if (isSent) it.player.loseNext('answer')
      else it.player.setNetwork(network)
      const started = it.background.start(0, { deadlineMs: 4000 })
      const outcome = started.then(() => null, (error: unknown) => error)
      if (isSent) {
        await it.player.settled()
        it.player.setNetwork('hanging')
      }
      await it.player.advance(5000)
      const error = await outcome
      expect(error).toBeInstanceOf(NotStartedError)
      expect(error).toMatchObject({ outcome: isSent ? 'not_answered' : 'not_sent' })
      expect(it.background).toMatchObject({ state: 'halted', reason: 'late' })
      await it.player.advance(20_000)
      it.player.setNetwork('up')
      await it.player.advance(3000)
      const { active } = await it.client.status()
      expect(active).toEqual([])
      const before = it.player.heard().length
      await it.player.advance(120_000)
      expect(it.player.heard()).toHaveLength(before)
      it.background.close()
    }
  })

  test('a signal takes it back, and rejects with its reason', async () => {
    const it = opened()
    it.player.setNetwork('mute')
    const caller = new AbortController()
    const started = it.background.start(0, { signal: caller.signal })
    const outcome = started.then(() => null, (error: unknown) => error)
    await it.player.advance(1000)
    caller.abort('the host went on')
    expect(await outcome).toBe('the host went on')
    it.player.setNetwork('up')
    await it.player.advance(5000)
    expect((await it.client.status()).active).toEqual([])
    expect(it.background.state).toBe('stopped')
    it.background.close()
  })

  test('the next bed of the list has its minute, and then starts no more', async () => {
    for (const [awayMs, state] of [[30_000, 'playing'], [90_000, 'halted']] as const) {
      const it = opened()
      await it.background.start(1)
      await it.player.advance(59_000)
      it.player.setNetwork('down')
      await it.player.advance(5000)
      expect(it.background.state).toBe('away')
      it.player.setNetwork('up')
      it.player.loseDevice()
      await it.player.advance(awayMs)
      it.player.restoreDevice()
      await it.player.advance(60_000)
      expect([state, 'finished']).toContain(it.background.state)
      expect(titles(it.player)).toEqual(state === 'playing' ? ['Tense', 'Last'] : ['Tense'])
      it.background.close()
    }
  })
})

test('what waits for a deadline ends with what it was for', async () => {
  const { player } = quiz()
  const open = new Set<number>()
  let waits = 0
  const wait = Object.assign(async (ms: number, signal: AbortSignal) => {
    const number = (waits += 1)
    open.add(number)
    await player.wait(ms, signal)
    open.delete(number)
  }, { now: player.wait.now })
  const { background } = pageOf(player, { wait, events: false })
  await background.start()
  await player.advance(1000)
  // The rest until the next look.
  expect(open.size).toBe(1)
  background.close()
  await player.settled()
  expect(open.size).toBe(0)
})

// The second one goes by a fade.
test.each([[0, 'Warm'], [1, 'Tense']] as const)(
'put aside by another start is told apart from a pause: bed %d', async (bed, title) => {
  const it = opened({ runOptions: { pauseWhenReplaced: true } })
  await it.background.start(bed)
  await it.player.advance(5000)
  await it.client.play(SONG.first)
  await it.player.advance(3000)
  await it.background.resume()
  await it.player.advance(100)
  await it.background.pause({ fadeOutMs: 0 })
  await it.player.advance(100)
  expect(it.story).toEqual(['starting', 'playing', 'replaced', 'playing', 'paused']
    .map((state) => `${bed} ${state}`))
  expect(sounded(it.player).filter((told) => told.startsWith(title)).length).toBeGreaterThan(1)
  it.background.close()
})
