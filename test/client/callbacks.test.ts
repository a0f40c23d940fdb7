// An app's own fault in what it is called back with is told to the app, and stops nothing of ours.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient, DmxSync, watch, type WatchMode } from '../../src/client/client.js'
import { opened, titles } from './app-page.js'
import { BED, GONE, LIT, quiz } from './quiz-show.js'

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

test('a watch whose whileHidden throws keeps the connection of them all', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  const states: string[] = []
  const ends = [
    watch(client, { whileHidden: full }),
    watch(client, { onRun: ({ state }) => states.push(state), whileHidden: true }),
  ]
  player.page.hidden = true
  await player.advance(1_000)
  await client.play(BED.last)
  await player.advance(10_000)
  expect(states.at(-1)).toBe('completed')
  expect(new Set(faults)).toEqual(new Set(['the quota has been exceeded']))
  for (const end of ends) end()
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

describe('an app that starts the next bed as soon as it is told that the list halted', () => {
  const failing = (what: Promise<unknown>): Promise<unknown> =>
    what.then(() => null, (error: unknown) => error)

  /** A page that does so once, and what became of that start. */
  const eager = () => {
    const again: Promise<unknown>[] = []
    const it = opened({
      beds: [BED.warm, BED.tense, GONE],
      onChange: ({ state }) => {
        const isOver = state === 'halted' || state === 'stopped'
        if (isOver && again.length === 0) again.push(failing(it.background.start(1)))
      },
    })
    return { ...it, again }
  }
  const CASES: readonly [string, (it: ReturnType<typeof eager>) => Promise<unknown>][] = [
    ['a start was refused', (it) => failing(it.background.start(2))],
    ['a start came too late', (it) => {
      it.player.setNetwork('down')
      return failing(it.background.start(0, { deadlineMs: 2_000 }))
    }],
    ['a start was taken back', (it) => {
      const caller = new AbortController()
      it.player.setNetwork('slow')
      const outcome = failing(it.background.start(0, { signal: caller.signal }))
      void it.player.advance(100).then(() => caller.abort('no'))
      return outcome
    }],
    ['a resume was refused', async (it) => {
      await it.background.start()
      await it.player.advance(5_000)
      await it.background.pause({ fadeOutMs: 0 })
      it.player.setNetwork('slow')
      const stopped = it.client.stop(BED.warm)
      const outcome = failing(it.background.resume())
      await it.player.advance(3_000)
      await stopped
      return outcome
    }],
  ]

  test.each(CASES)('%s: that fault is not told of the new start', async (_what, fail) => {
    const it = eager()
    const outcome = fail(it)
    await it.player.advance(4_000)
    it.player.setNetwork('up')
    await it.player.advance(4_000)
    expect(await outcome).not.toBeNull()
    expect(it.again).toHaveLength(1)
    expect(await it.again[0]).toBeNull()
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    it.background.close()
  })
})

test('lights follow a clock that had a fault at first, e.g. no player yet', async () => {
  const { player, client } = quiz()
  const { dmxExecutionId } = await client.play(LIT)
  const sync = new DmxSync(client, {
    buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', wait: player.wait,
    clock: () => (player.now() < 1_000 ? full() : { positionMs: player.now(), isPlaying: true }),
  })
  sync.start()
  await player.advance(900)
  expect([sync.end, sync.answer]).toEqual([null, null])
  await player.advance(1_000)
  expect(sync.answer).toMatchObject({ isPlaying: true })
  expect(new Set(faults)).toEqual(new Set(['the quota has been exceeded']))
  sync.stop()
})

test('a page that is opened hidden: a watch answers first', async () => {
  const { player } = quiz()
  player.page.hidden = true
  const told: unknown[] = []
  const over = new AbortController()
  const watching = watch(createClient(player.clientOptions), {
    signal: over.signal,
    onMode: (mode) => {
      told.push([mode, watching.positionMs(BED.warm)])
      over.abort()
    },
  })
  await player.advance(1_000)
  player.page.hidden = false
  await player.advance(5_000)
  expect([told, faults]).toEqual([[['hidden', null]], []])
})

test('the last watch that ends takes its connection and its ear for the page along', async () => {
  const { player } = quiz()
  const page = Object.assign(new EventTarget(), { hidden: false })
  const hear = vi.spyOn(page, 'addEventListener')
  const forget = vi.spyOn(page, 'removeEventListener')
  const open = new Set<object>()
  const webSocket = new Proxy(player.webSocket, {
    construct(Socket, [url, protocol]: [string, string]) {
      const socket = new Socket(url, protocol)
      open.add(socket)
      socket.addEventListener('close', () => open.delete(socket))
      return socket
    },
  })
  const client = createClient({ ...player.clientOptions, webSocket, page })
  const ends = [watch(client, {}), watch(client, {})]
  await player.advance(2_000)
  expect(open.size).toBe(1)
  for (const end of ends) end()
  await player.advance(2_000)
  expect(open.size).toBe(0)
  expect(hear).toHaveBeenCalled()
  expect(forget.mock.calls).toEqual(hear.mock.calls)
})
