// A watch in each of its modes while the service is killed, ends in order, or reads its show again:
// within 3 s it tells what there is, and never an end that did not happen.
import { describe, expect, test } from 'vitest'
import { createClient, watch, type WatchMode } from '../../src/client/client.js'
import { leavingsBy } from './app-page.js'
import { BED, quiz, SONG } from './quiz-show.js'

type Way = 'live' | 'events' | 'polling'
const WAYS: readonly Way[] = ['live', 'events', 'polling']

const scene = (way: Way) => {
  const { player } = quiz()
  const all = player.clientOptions
  const client = createClient({
    ...all,
    webSocket: way === 'live' ? player.webSocket : null,
    fetch: (url, init) =>
      player.fetch(way === 'polling' ? url.replace('/events', '/nothing') : url, init),
  })
  const runs: string[] = []
  const modes: WatchMode[] = []
  const resets: string[] = []
  const watching = watch(client, {
    onRun: (run) => runs.push(`${run.buttonId} ${run.endReason ?? run.state}`),
    onMode: (mode) => modes.push(mode),
    onEvent: ({ name, data }) => name === 'reset' && resets.push(data.reason),
  })
  return { player, client, watching, runs, modes, resets }
}
type Scene = ReturnType<typeof scene>

/** What plays when it happens: a bed in each state that a run can be in for long. */
const STATES: readonly (readonly [string, (it: Scene, run: string) => Promise<unknown>])[] = [
  ['playing', async () => undefined],
  ['pausing', ({ client }, executionId) =>
    client.pause(BED.warm, { executionId, fadeOutMs: 20_000 })],
  ['paused', ({ client }, executionId) => client.pause(BED.warm, { executionId, fadeOutMs: 0 })],
  ['fading out', ({ client }, executionId) =>
    client.stop(BED.warm, { executionId, fadeOutMs: 20_000 })],
  ['away', async ({ player }) => {
    player.setNetwork('down')
    await player.advance(4000)
  }],
  ['hidden', async ({ player }) => {
    player.page.hidden = true
    await player.advance(1000)
  }],
]

describe.each(WAYS)('by %s', (way) => {
  describe.each(leavingsBy(way))('$name', (leaving) => {
    test.each(STATES)('%s: right again within 3 s', async (state, come) => {
      const it = scene(way)
      const { player, client, watching, runs, modes, resets } = it
      await player.advance(1000)
      const executionId = (await client.play(BED.warm)).executionId ?? ''
      await player.advance(2000)
      await come(it, executionId)
      await player.advance(500)
      await leaving.happen(player)
      await player.advance(1000)
      if (state === 'hidden') {
        expect(modes.at(-1)).toBe('hidden')
        player.page.hidden = false
      }
      await player.advance(2000)
      expect(modes.at(-1)).toBe(way)
      const live = await client.execution(executionId).catch(() => null)
      expect(live === null).toBe(leaving.isLost)
      const place = watching.positionMs(executionId)
      if (live === null) expect(place).toBeNull()
      else expect(Math.abs((place ?? NaN) - live.positionMs)).toBeLessThan(800)
      // A service that ends in order stops what plays; else nothing has ended.
      const ends = runs.filter((told) => /explicit_stop|natural_end|playback_error/.test(told))
      expect(ends.length).toBeLessThanOrEqual(leaving.name.startsWith('SIGTERM') ? 1 : 0)
      // A service that began again is told as that, once; one that was only away never is.
      expect(resets.filter((reason) => reason === 'restarted')).toHaveLength(leaving.isLost ? 1 : 0)
      await client.play(SONG.first, { allowOverlap: true })
      await player.advance(1000)
      expect(runs.at(-1)).toBe(`${SONG.first} playing`)
      watching()
    })
  })
})
