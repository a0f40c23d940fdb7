// The test player as the tests of an app call it: its fetch, its ids and its waits.
import { expect, test } from 'vitest'
import { createClient, watch } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { BED, MEDIA, quiz, SHOW, SONG, STROBE } from './quiz-show.js'

test('what was aborted on its way rejects, as of a real fetch', async () => {
  const { client } = quiz()
  const over = new AbortController()
  const call = client.status({ signal: over.signal })
  over.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
})

test('its fetch is called as the platform’s is', async () => {
  const { player } = quiz()
  const url = `${player.baseUrl}/status`
  const { signal } = new AbortController()
  const answers = [
    player.fetch(url), player.fetch(new URL(url)), player.fetch(new Request(url, { signal })),
  ]
  for (const answer of answers) expect((await answer).status).toBe(200)
  await expect(player.fetch(new Request(url, { signal: AbortSignal.abort() }))).rejects.toThrow()
  await expect(player.fetch('http://127.0.0.1:1/')).rejects.toThrow('fetch failed')
})

test('a button is broken by its id in either case', async () => {
  const id = 'ABCDEFAB-0000-4000-8000-00000000000A'
  const playlist = { title: 'p', buttons: [{ id, title: 'x', kind: 'audio', media: 'one.flac' }] }
  const show = { title: 'x', playlists: [{ ...playlist, id: SONG.first }] }
  const player = createTestPlayer(show, { media: MEDIA })
  const client = createClient({ baseUrl: player.baseUrl, fetch: player.fetch })
  const executionId = (await client.play(id)).executionId ?? ''
  player.fail(id)
  expect(await client.execution(executionId)).toMatchObject({ state: 'failed' })
})

test('what waits for ever does so on its clock too', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  const states: string[] = []
  const end = watch(client, { timeoutMs: Infinity, onRun: ({ state }) => states.push(state) })
  await player.advance(60_000)
  player.cutConnections()
  await player.advance(10_000)
  await client.play(BED.warm)
  await player.advance(1_000)
  expect(states.at(-1)).toBe('playing')
  end()
})

test('lights alone need no media', async () => {
  const timelines = { 'strobe.json': { durationMs: 1_000 } }
  const player = createTestPlayer(SHOW, { timelines })
  const client = createClient(player.clientOptions)
  expect((await client.play(STROBE)).dmxExecutionId).not.toBeNull()
})
