// The quiz, tested against the real player on virtual time: an evening of it takes milliseconds.
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClient } from 'cartwall/client'
import { createTestPlayer, type TestPlayer } from 'cartwall/testing'
import { Quiz } from './quiz.js'
import show from './show.json' with { type: 'json' }

const warm = 'b0000000-0000-4000-8000-000000000001'
const tense = 'b0000000-0000-4000-8000-000000000002'
const right = 'c0000000-0000-4000-8000-000000000001'
const wrong = 'c0000000-0000-4000-8000-000000000002'

const MEDIA = {
  'media/warm.mp3': { durationMs: 90_000 },
  'media/tense.mp3': { durationMs: 60_000 },
  'media/right.wav': { durationMs: 2000 },
  'media/wrong.wav': { durationMs: 1500 },
}

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const evening = (): { player: TestPlayer; quiz: Quiz } => {
  const player = createTestPlayer(show, { media: MEDIA })
  server.use(...player.handlers)
  const client = createClient({ baseUrl: player.baseUrl })
  const quiz = new Quiz(client, { beds: [warm, tense], right, wrong }, player.wait)
  return { player, quiz }
}

test('a question: the bed fades, the sting sounds alone, the bed goes on', async () => {
  const { player, quiz } = evening()
  await quiz.begin()
  await player.advance(20_000)
  await quiz.ask()
  await player.advance(10_000)
  await quiz.answer(true)
  await player.advance(5000)
  await quiz.goOn()
  await player.advance(5000)
  expect(player.heard()).toMatchObject([
    { media: 'media/warm.mp3', fromMs: 0, toMs: 20_000, gainTo: 1 },
    { media: 'media/warm.mp3', fromMs: 20_000, toMs: 22_000, gainFrom: 1, gainTo: 0 },
    { media: 'media/right.wav', fromMs: 30_000, toMs: 32_000 },
    { media: 'media/warm.mp3', fromMs: 35_000, toMs: 36_000, mediaFromMs: 22_000, gainFrom: 0 },
    { media: 'media/warm.mp3', fromMs: 36_000, gainFrom: 1 },
  ])
  await quiz.end()
})

test('two answers in a row: a sting cuts no other one, and begins anew itself', async () => {
  const { player, quiz } = evening()
  for (const isRight of [true, false, true]) {
    await quiz.answer(isRight)
    await player.advance(500)
  }
  await player.advance(5000)
  expect(player.heard()).toMatchObject([
    { media: 'media/right.wav', fromMs: 0, toMs: 1000 },
    { media: 'media/wrong.wav', fromMs: 500, toMs: 2000 },
    { media: 'media/right.wav', fromMs: 1000, toMs: 3000, mediaFromMs: 0 },
  ])
  quiz.background.close()
})

test('a sting that is played on the wall: the bed waits, and goes on with the quiz', async () => {
  const { player, quiz } = evening()
  await quiz.begin()
  await player.advance(5000)
  await createClient({ baseUrl: player.baseUrl }).play(wrong)
  await player.advance(5000)
  await quiz.goOn()
  expect(quiz.phase).toBe('between')
  await player.advance(5000)
  expect(player.heard()).toMatchObject([
    { media: 'media/warm.mp3', fromMs: 0, toMs: 5000 },
    { media: 'media/wrong.wav', fromMs: 5000 },
    { media: 'media/warm.mp3', fromMs: 10_000, mediaFromMs: 5000 },
    { media: 'media/warm.mp3', fromMs: 11_000, gainFrom: 1 },
  ])
  await quiz.end()
})

test('beds follow one another all evening', async () => {
  const { player, quiz } = evening()
  await quiz.begin()
  await player.advance(240_000)
  const beds = player.heard().map((it) => it.buttonId)
  expect(beds).toEqual([warm, tense, warm])
  await quiz.end()
  expect(quiz.phase).toBe('over')
  await player.advance(10_000)
  expect(player.heard().at(-1)).toMatchObject({ fromMs: 240_000, toMs: 245_000, gainTo: 0 })
})

test('a decoder that fails stops the bed, and the host is told', async () => {
  const { player, quiz } = evening()
  await quiz.begin()
  await player.advance(3000)
  player.fail(warm, 'decoder')
  await player.advance(60_000)
  expect(quiz.trouble).toContain('playback_error')
  expect(player.heard().map((it) => it.buttonId)).toEqual([warm])
  quiz.background.close()
})

test('a sting whose file is missing does not stop the show', async () => {
  const { player, quiz } = evening()
  player.removeFile('media/wrong.wav')
  await quiz.begin()
  await player.advance(1000)
  await quiz.ask()
  await quiz.answer(false)
  expect(quiz.trouble).toContain('missing')
  await quiz.goOn()
  await player.advance(3000)
  expect(quiz.background.state).toBe('playing')
  quiz.background.close()
})

test('the player begins again in the middle: silence and word of it, no wrong bed', async () => {
  const { player, quiz } = evening()
  await quiz.begin()
  await player.advance(10_000)
  player.restart()
  await player.advance(10_000)
  expect(quiz.trouble).toContain('lost')
  await quiz.background.start(quiz.background.index)
  await player.advance(1000)
  expect(quiz.trouble).toBeNull()
  quiz.background.close()
})
