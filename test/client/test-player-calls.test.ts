// The test player as the tests of an app call it: its fetch, its ids and its waits.
import { expect, test } from 'vitest'
import { createClient, watch } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { version } from '../../src/daemon/package.js'
import { BED, LIT, MEDIA, quiz, SHOW, SONG, STROBE } from './quiz-show.js'

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

test('a service that has just begun tells so: nothing plays, nothing is wrong', async () => {
  const { player, client } = quiz()
  await player.advance(1_234)
  expect(await client.status()).toEqual({
    state: 'ready', version: version(), uptimeMs: 1_234, show: 'Quiz', showError: null,
    audio: {
      state: 'ok', sink: 'test', latencyMs: 0, underruns: 0, starvations: 0, armedHeads: 0,
    },
    dmx: { enabled: true, universes: 0, activeTimelines: 0 },
    lights: { output: { state: 'off', message: null }, timelines: [] },
    log: { state: 'ok', message: null, lost: 0 },
    active: [], paused: [],
  })
})

test('each run has an id of its own, those that begin together too', async () => {
  const { client } = quiz()
  const starts = [await client.play(LIT), await client.play(BED.warm), await client.play(STROBE)]
  const ids = starts.flatMap((start) => [start.executionId, start.dmxExecutionId])
    .filter((id) => id !== null)
  expect(new Set(ids).size).toBe(4)
})

test('an app that waits again and again is waited for each time', async () => {
  const { player } = quiz()
  const { wait } = player
  const times: number[] = []
  const waiting = (async () => {
    await wait(0)
    times.push(player.now())
    for (let n = 0; n < 3; n += 1) {
      await wait(1_000)
      times.push(player.now())
    }
  })()
  await player.advance(0)
  expect(times).toEqual([0])
  await player.advance(5_000)
  await waiting
  expect(times).toEqual([0, 1_000, 2_000, 3_000])
  await wait(1_000, AbortSignal.abort())
})

test('a page tells those who listen once that it is hidden, or seen again', () => {
  const { page } = quiz().player
  const told: boolean[] = []
  const hear = (): void => void told.push(page.hidden)
  page.addEventListener('visibilitychange', hear)
  for (const hidden of [false, true, true, false]) page.hidden = hidden
  expect(told).toEqual([true, false])
  page.removeEventListener('visibilitychange', hear)
  page.hidden = true
  expect(told).toEqual([true, false])
})

test('a level is told to a ten-thousandth', async () => {
  const button = { id: BED.warm, title: 'Warm', kind: 'audio', media: 'warm.mp3', gainDb: -6 }
  const show = { title: 'x', playlists: [{ id: SONG.first, title: 'p', buttons: [button] }] }
  const player = createTestPlayer(show, { media: MEDIA })
  const client = createClient(player.clientOptions)
  await client.play(BED.warm)
  await player.advance(1_000)
  expect(player.heard()).toMatchObject([{ gainFrom: 0.5012, gainTo: 0.5012 }])
})
