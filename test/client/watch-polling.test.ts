// What a watch tells where no WebSocket is, how often it asks, and when it asks no more.
import { describe, expect, test, vi } from 'vitest'
import { createClient, watch, type WatchMode } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { scene } from './no-socket-scene.js'
import { BED, quiz, SONG } from './quiz-show.js'

describe.each(['none', 'some'] as const)('where a run is (events: %s)', (have) => {
  test('stands while it is paused, and is never beyond its end', async () => {
    const { player, client, events } = scene()
    events.have = have
    const watching = watch(client, {})
    expect(watching.positionMs('unknown')).toBeNull()
    const executionId = (await client.play(BED.warm)).executionId ?? ''
    await player.advance(10_000)
    await client.pause(BED.warm, { executionId, fadeOutMs: 0 })
    await player.advance(60_000)
    expect(watching.positionMs(executionId)).toBe(10_000)
    await client.resume(BED.warm, { executionId, fadeInMs: 0 })
    await player.advance(20_000)
    const { positionMs } = await client.execution(executionId)
    expect(Math.abs((watching.positionMs(executionId) ?? NaN) - positionMs)).toBeLessThan(800)
    // Nobody tells that it has ended.
    player.setNetwork('down')
    await player.advance(300_000)
    expect(watching.positionMs(executionId)).toBe(180_000)
    player.setNetwork('up')
    await player.advance(3_000)
    expect(watching.positionMs(executionId)).toBeNull()
    watching()
  })
})

test('a length that becomes another one moves no position of a run with an End', async () => {
  const button = { id: BED.warm, title: 'Warm', kind: 'audio', media: 'a.wav', endMs: 60_000 }
  const lengths = { 'a.wav': { durationMs: 100_000 } }
  const list = { id: SONG.first, title: 'Beds', buttons: [button] }
  const own = createTestPlayer({ title: 'Quiz', playlists: [list] }, { media: lengths })
  const client = createClient({ ...own.clientOptions, webSocket: null })
  const watching = watch(client, {})
  await own.advance(100)
  const executionId = (await client.play(BED.warm)).executionId ?? ''
  await own.advance(10_000)
  own.addFile('a.wav', { durationMs: 99_000 })
  await own.advance(1_000)
  expect(Math.abs((watching.positionMs(executionId) ?? NaN) - 11_000)).toBeLessThan(800)
  watching()
})

test('a look behind events that came back says nothing of what was told since', async () => {
  const { player } = quiz()
  let deliver: (() => void) | null = null
  let isHeld = false
  const client = createClient({
    ...player.clientOptions,
    webSocket: null,
    fetch: async (url, init) => {
      const answer = await player.fetch(url, init)
      if (isHeld && url.endsWith('/status')) {
        isHeld = false
        await new Promise<void>((resolve) => (deliver = resolve))
      }
      return answer
    },
  })
  const told: string[] = []
  let isBack = false
  const watching = watch(client, {
    onRun: ({ state }) => told.push(state),
    onMode: (mode) => (isHeld = isBack && mode === 'events'),
  })
  await player.advance(1_000)
  const executionId = (await client.play(BED.warm)).executionId ?? ''
  await player.advance(10_000)
  isBack = true
  player.cutConnections()
  await player.advance(2_000)
  expect(deliver).not.toBeNull()
  await client.pause(BED.warm, { executionId, fadeOutMs: 0 })
  deliver!()
  await player.advance(20_000)
  expect(told).toEqual(['starting', 'playing', 'paused'])
  expect(watching.positionMs(executionId)).toBe(12_000)
  watching()
})

test('of several watches the one that asks most often says how often', async () => {
  const { player, client, count } = scene()
  const ends = [watch(client, { pollMs: 3_000 }), watch(client, {})]
  await player.advance(30_000)
  const before = count('/status')
  expect(before).toBeGreaterThan(35)
  expect(before).toBeLessThan(45)
  ends.push(watch(client, { pollMs: 300 }))
  await player.advance(30_000)
  const quick = count('/status') - before
  expect(quick).toBeGreaterThan(90)
  ends.pop()?.()
  ends.pop()?.()
  await player.advance(30_000)
  expect(count('/status') - before - quick).toBeLessThan(15)
  for (const end of ends) end()
})

test('a service that had no place is asked again, now and then', async () => {
  const { player, client, events, count } = scene()
  events.have = 'full'
  const modes: WatchMode[] = []
  const end = watch(client, { onMode: (mode) => modes.push(mode) })
  await player.advance(60_000)
  expect(modes).toEqual(['polling'])
  const asked = count('/events')
  expect(asked).toBeGreaterThanOrEqual(2)
  expect(asked).toBeLessThan(10)
  events.have = 'some'
  await player.advance(60_000)
  expect(modes).toEqual(['polling', 'events'])
  expect(count('/events')).toBe(asked + 1)
  end()
})

test.each(['its signal', 'the function that it answered'])('%s ends it', async (how) => {
  const { player, client, events, asked } = scene()
  events.have = 'some'
  const caller = new AbortController()
  const told: string[] = []
  const watching = watch(client, {
    signal: caller.signal, onRun: ({ state }) => told.push(state),
    onMode: (mode) => told.push(mode), onEvent: ({ name }) => told.push(name),
  })
  await player.advance(1_000)
  expect(told).toEqual(['events'])
  if (how === 'its signal') caller.abort()
  else watching()
  const { length } = asked
  const { executionId } = await client.play(BED.warm)
  await player.advance(60_000)
  expect(told).toEqual(['events'])
  // Nothing is asked any more beside what the app asks itself.
  expect(asked.slice(length).map(({ path }) => path)).toEqual([`/buttons/${BED.warm}/play`])
  expect(watching.positionMs(executionId ?? '')).toBeNull()
  // Harmless a second time.
  watching()
  caller.abort()
})

test('with a signal that is over it never begins', async () => {
  const { player, client, asked } = scene()
  const watching = watch(client, { signal: AbortSignal.abort(), onMode: () => expect.fail() })
  await player.advance(5_000)
  expect([asked, watching.positionMs('x')]).toEqual([[], null])
})

test('one that wants no polling hears nothing where there are no events', async () => {
  const { player, client } = scene()
  const told: string[] = []
  const ends = [
    watch(client, { poll: false, onRun: ({ state }) => told.push(state) }),
    watch(client, { onRun: ({ state }) => told.push(`polled ${state}`) }),
  ]
  await player.advance(1_000)
  await client.play(SONG.first)
  await player.advance(5_000)
  await client.stop(SONG.first)
  await player.advance(5_000)
  expect(told).toEqual(['polled playing', 'polled stopped'])
  for (const end of ends) end()
})

test.each([[9_000, ['polling']], [undefined, ['away']]] as const)(
  'a service that takes 6 s to answer, for a watch that waits %j ms: %j',
  async (timeoutMs, modes) => {
    const { player } = quiz()
    const client = createClient({
      ...player.clientOptions,
      webSocket: null,
      fetch: async (url, init) => {
        if (url.endsWith('/events')) return new Response('')
        await player.wait(6_000, init.signal)
        return player.fetch(url, init)
      },
    })
    const told: WatchMode[] = []
    const end = watch(client, { timeoutMs, onMode: (mode) => told.push(mode) })
    await player.advance(60_000)
    expect(told).toEqual(modes)
    end()
  })

test('a client with a fetch of its own opens no WebSocket past it', async () => {
  const { player } = quiz()
  const opened: string[] = []
  vi.stubGlobal('WebSocket', function open(url: string) {
    opened.push(url)
    throw new Error('the network itself')
  })
  const { baseUrl, fetch, wait } = player.clientOptions
  const modes: WatchMode[] = []
  const end = watch(createClient({ baseUrl, fetch, wait }), { onMode: (mode) => modes.push(mode) })
  await player.advance(2_000)
  expect([opened, modes]).toEqual([[], ['events']])
  end()
  vi.unstubAllGlobals()
})

test('one that comes later is told the mode, and what plays, and only that', async () => {
  const { player, client, events } = scene()
  events.have = 'some'
  const ends = [watch(client, {})]
  await client.play(SONG.first)
  await player.advance(12_000)
  const told: string[] = []
  ends.push(watch(client, {
    onMode: (mode) => told.push(mode),
    onRun: ({ buttonId, state }) => told.push(`${buttonId} ${state}`),
  }))
  expect(told).toEqual([])
  await player.advance(100)
  expect(told).toEqual(['events', `${SONG.second} playing`])
  for (const end of ends) end()
})

test('an end in a gap is told, though the request for it fails once; each run once', async () => {
  const { player } = quiz()
  let fails = 0
  const client = createClient({
    ...player.clientOptions,
    fetch: (url, init) => {
      if (!url.includes('/executions/') || fails === 0) return player.fetch(url, init)
      fails -= 1
      return Promise.reject(new TypeError('network changed'))
    },
  })
  const told: string[] = []
  const watching = watch(client, {
    onRun: ({ buttonId, endReason, state }) =>
      told.push(`${buttonId === BED.warm ? 'warm' : 'song'} ${endReason ?? state}`),
  })
  await player.advance(1_000)
  const other = createClient({ baseUrl: player.baseUrl, fetch: player.fetch })
  const { executionId } = await client.play(BED.warm)
  await player.advance(1_000)
  player.setNetwork('down')
  player.setNetwork('up')
  fails = 2
  await other.stop(BED.warm, { fadeOutMs: 0 })
  await player.advance(500)
  await client.play(SONG.first)
  await player.advance(5_000)
  expect(told.filter((it) => it.startsWith('warm')).at(-1)).toBe('warm explicit_stop')
  expect(told.filter((it) => it === 'song playing')).toHaveLength(1)
  expect(watching.positionMs(executionId ?? '')).toBeNull()
  watching()
})

test('a page that is hidden while it looks whether the service is back asks no more', async () => {
  for (let hideAt = 0; hideAt < 1_500; hideAt += 50) {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const modes: string[] = []
    const end = watch(client, { onMode: (mode) => modes.push(mode) })
    await player.advance(1_000)
    player.setNetwork('down')
    await player.advance(4_000)
    player.setNetwork('slow')
    await player.advance(hideAt)
    player.page.hidden = true
    await player.advance(10_000)
    expect([hideAt, modes.at(-1)]).toEqual([hideAt, 'hidden'])
    end()
  }
})

test('where a run is goes on while nobody knows how long it is', async () => {
  const { player } = quiz()
  const client = createClient({
    ...player.clientOptions,
    webSocket: null,
    fetch: async (url, init) => {
      const answer = await player.fetch(url.replace('/events', '/nothing'), init)
      const text = await answer.text()
      const { status, headers } = answer
      return new Response(text.replace(/"durationMs":\d+/g, '"durationMs":0'), { status, headers })
    },
  })
  const watching = watch(client, {})
  const { executionId } = await client.play(BED.warm)
  await player.advance(10_000)
  expect(watching.positionMs(executionId ?? '')).toBe(10_000)
  watching()
})
