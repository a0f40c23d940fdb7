// A background list against the real service: its rules through ends, pauses and every fault.
import { describe, expect, test } from 'vitest'
import { Background, createClient } from '../../src/client/client.js'
import { BED, quiz, type Quiz } from './quiz-show.js'

const BEDS = [BED.warm, BED.tense, BED.last]

interface Scene extends Quiz {
  readonly background: Background
  readonly story: string[]
  /** Every request that was sent, in order. */
  readonly sent: string[]
  /** What is lost of the next commands, one after the other: the request, or only its answer. */
  readonly losses: ('request' | 'answer')[]
}

const scene = (options: Partial<ConstructorParameters<typeof Background>[1]> = {}): Scene => {
  const { player } = quiz()
  const sent: string[] = []
  const losses: Scene['losses'] = []
  const client = createClient({
    baseUrl: player.baseUrl,
    fetch: async (url, init) => {
      sent.push(`${init.method ?? 'GET'} ${url.slice(player.baseUrl.length)}`)
      const loss = init.method === 'POST' ? losses.shift() : undefined
      if (loss === 'request') throw new TypeError('fetch failed')
      const answer = await player.fetch(url, init)
      if (loss === 'answer') throw new TypeError('fetch failed')
      return answer
    },
  })
  const story: string[] = []
  const background = new Background(client, {
    beds: BEDS, wait: player.wait, timeoutMs: 40, events: false,
    onChange: ({ state, index, reason }) => story.push(`${index} ${reason ?? state}`),
    ...options,
  })
  return { player, client, background, story, sent, losses }
}

const commands = ({ sent }: Scene): string[] =>
  sent.filter((it) => it.startsWith('POST')).map((it) => it.split('/').at(-1) ?? '')

const heardOf = ({ player }: Scene): string[] => player.heard().map((it) => it.title)

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

describe('lost answers', () => {
  test('a start whose answer is lost is found on its button, and not sent again', async () => {
    const it = scene()
    it.losses.push('answer')
    const started = it.background.start()
    await it.player.advance(3000)
    await started
    expect(it.background.state).toBe('playing')
    expect(heardOf(it)).toEqual(['Warm'])
    expect(commands(it)).toEqual(['play'])
    it.background.close()
  })

  test('also where the button played before: the old run is told from the new one', async () => {
    const it = scene()
    await it.client.play(BED.warm)
    it.losses.push('request', 'answer')
    const started = it.background.start()
    await it.player.advance(5000)
    await started
    const now = (await it.client.buttons()).buttons.find(({ id }) => id === BED.warm)
    expect(it.background.executionId).toBe(now?.executionId)
    expect(commands(it)).toEqual(['play', 'restart', 'restart'])
    it.background.close()
  })

  test('a service that takes commands and never answers is asked what became of them', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    it.player.setNetwork('mute')
    const paused = it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(60)
    it.player.setNetwork('up')
    await it.player.advance(3000)
    await paused
    expect(it.background.state).toBe('paused')
    it.background.close()
  })

  test('a pause while a start is in the air: nothing starts until it is over', async () => {
    const it = scene()
    it.losses.push('request')
    const started = it.background.start()
    await it.player.settled()
    const paused = it.background.pause()
    await it.player.advance(5000)
    await Promise.all([started, paused])
    expect(commands(it)).toEqual(['play'])
    expect(it.background.state).toBe('paused')
    await it.background.resume()
    await it.player.advance(1000)
    expect(heardOf(it)).toEqual(['Warm'])
    it.background.close()
  })

  test('a start that never arrived is sent again, once the service has said so', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(179_000)
    it.player.setNetwork('down')
    await it.player.advance(30_000)
    expect(it.background).toMatchObject({ state: 'away', index: 0 })
    it.player.setNetwork('up')
    await it.player.advance(2000)
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    expect(commands(it)).toEqual(['play', 'restart'])
    it.background.close()
  })

  test('polls that hang or fail never move it on', async () => {
    const it = scene()
    await it.background.start()
    it.player.setNetwork('down')
    await it.player.advance(100_000)
    expect(it.background).toMatchObject({ state: 'away', index: 0 })
    it.player.setNetwork('up')
    await it.player.advance(1000)
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    expect(it.background.execution?.positionMs).toBeGreaterThan(100_000)
    it.background.close()
  })

  test('a pause whose answer was lost is sent again for the same run', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    it.player.setNetwork('lossy')
    const paused = it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(5000)
    it.player.setNetwork('up')
    await it.player.advance(2000)
    await paused
    expect(it.background.state).toBe('paused')
    expect(it.player.heard().at(-1)?.toMs).toBe(1000)
    it.background.close()
  })

  test('a pause that was asked for while a start hangs in the air keeps it silent', async () => {
    const it = scene()
    it.player.setNetwork('down')
    const started = it.background.start()
    await it.player.advance(2000)
    const paused = it.background.pause()
    await it.player.advance(2000)
    it.player.setNetwork('up')
    await it.player.advance(5000)
    await Promise.all([started, paused])
    expect(it.player.heard()).toEqual([])
    await it.background.resume()
    await it.player.advance(1000)
    expect(heardOf(it)).toEqual(['Warm'])
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
