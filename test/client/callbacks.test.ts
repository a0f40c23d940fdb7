// An app's own fault in what it is called back with is told to the app, and stops nothing of ours.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient, DmxSync, watch, type WatchMode } from '../../src/client/client.js'
import { opened, titles } from './app-page.js'
import { BED, LIT, quiz } from './quiz-show.js'

let faults: string[] = []
beforeEach(() => {
  faults = []
  // As browsers have it; where there is none it is an unhandled rejection.
  vi.stubGlobal('reportError', (error: Error) => faults.push(error.message))
})
afterEach(() => vi.unstubAllGlobals())

const full = (): never => {
  throw new Error('the quota has been exceeded')
}

test.each(['onMemory', 'onChange'] as const)(
  'a background whose %s throws plays its list all the same', async (name) => {
    const it = opened({ [name]: full })
    await it.background.start(1)
    await it.player.advance(70_000)
    expect(titles(it.player)).toEqual(['Tense', 'Last'])
    expect(new Set(faults)).toEqual(new Set(['the quota has been exceeded']))
    it.background.close()
  })

test.each(['onRun', 'onEvent', 'onMode'] as const)(
  'a watch whose %s throws takes nothing from the others of its client', async (name) => {
    for (const how of ['live', 'events', 'polling'] as const) {
      const { player } = quiz()
      const all = player.clientOptions
      const noEvents = (url: string, init: RequestInit) =>
        url.endsWith('/events') ? Promise.resolve(new Response('')) : player.fetch(url, init)
      const client = createClient({
        ...all, ...(how === 'live' ? {} : { webSocket: null }),
        ...(how === 'polling' ? { fetch: noEvents } : {}),
      })
      const ends = [watch(client, { [name]: full })]
      const modes: WatchMode[] = []
      const states: string[] = []
      ends.push(watch(client, {
        onRun: ({ state }) => states.push(state), onMode: (mode) => modes.push(mode),
      }))
      await player.advance(1_000)
      await client.play(BED.last)
      await player.advance(10_000)
      expect(modes).toEqual([how])
      expect(states.at(-1)).toBe('completed')
      if (how !== 'polling' || name !== 'onEvent') expect(faults).not.toEqual([])
      faults = []
      for (const end of ends) end()
    }
  })

test('lights follow on where onSync throws', async () => {
  const { player, client } = quiz()
  const { dmxExecutionId } = await client.play(LIT)
  const sync = new DmxSync(client, {
    buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', wait: player.wait, onSync: full,
    clock: () => ({ positionMs: player.now(), isPlaying: true }),
  })
  const first = sync.sequence
  sync.start()
  await player.advance(2_250)
  expect(sync.sequence - first).toBeGreaterThanOrEqual(10)
  expect(faults.length).toBe(sync.sequence - first)
  sync.stop()
})

test('a page that may open no WebSocket reads the events', async () => {
  const { player } = quiz()
  const webSocket = function open() {
    throw new Error('SecurityError')
  } as unknown as NonNullable<typeof player.clientOptions.webSocket>
  const modes: WatchMode[] = []
  const end = watch(createClient({ ...player.clientOptions, webSocket }), {
    onMode: (mode) => modes.push(mode),
  })
  await player.advance(2_000)
  expect(modes).toEqual(['events'])
  end()
})
