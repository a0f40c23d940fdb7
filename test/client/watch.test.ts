// Watching the service: by events, by polling, and across its absence, nothing told wrongly.
import { describe, expect, test, vi } from 'vitest'
import { Background, createClient, watch, type WatchOptions } from '../../src/client/client.js'
import { BED, quiz, SONG } from './quiz-show.js'

type How = 'live' | 'events' | 'polling'

const scene = (options: WatchOptions, how: How = 'events') => {
  const { player } = quiz()
  const sent: string[] = []
  const refuseEvents = how === 'polling'
  const client = createClient({
    ...player.clientOptions,
    webSocket: how === 'live' ? player.webSocket : null,
    fetch: (url, init) => {
      sent.push(url.slice(player.baseUrl.length))
      return player.fetch(refuseEvents ? url.replace('/events', '/nothing') : url, init)
    },
  })
  const runs: string[] = []
  const modes: string[] = []
  const stop = watch(client, {
    onRun: (run) => runs.push(`${run.buttonId.slice(-2)} ${run.endReason ?? run.state}`),
    onMode: (mode) => modes.push(mode),
    ...options,
  })
  return { player, client, runs, modes, stop, sent }
}

const STORY = ['21 playing', '21 natural_end', '22 playing', '22 natural_end']

describe.each(['live', 'events', 'polling'] as const)('by %s', (how) => {
  test('tells each run from its start to its end', async () => {
    const { player, client, runs, modes, stop } = scene({}, how)
    await player.advance(1000)
    await client.play(SONG.first)
    await player.advance(40_000)
    stop()
    expect(modes).toEqual([how])
    const told = runs.filter((it) => !it.endsWith('starting'))
    expect(new Set(told)).toEqual(new Set(STORY))
    expect(told.filter((it) => it.endsWith('natural_end'))).toHaveLength(2)
  })

  test('tells what is there already', async () => {
    const { player, client } = quiz()
    await client.play(BED.warm)
    const runs: string[] = []
    const stop = watch(client, { onRun: (run) => runs.push(run.state), wait: player.wait })
    await player.advance(10)
    expect(runs).toEqual(['playing'])
    stop()
  })

  test('tells where it is by now', async () => {
    const { player, client } = quiz()
    await client.play(BED.warm)
    await player.advance(60_000)
    const told: number[] = []
    const live = { ...player.clientOptions, webSocket: how === 'live' ? player.webSocket : null }
    const stop = watch(createClient(live), {
      onRun: (run) => told.push(run.positionMs), wait: player.wait,
    })
    await player.advance(10)
    expect(told).toHaveLength(1)
    expect(Math.abs((told[0] ?? 0) - 60_000)).toBeLessThan(20)
    stop()
  })

  test('comes through a restart: what is lost is not told to have ended', async () => {
    const { player, client, runs, modes, stop } = scene({}, how)
    await player.advance(1000)
    await client.play(BED.warm)
    await player.advance(5000)
    player.setNetwork('down')
    player.restart()
    await player.advance(5000)
    player.setNetwork('up')
    await player.advance(5000)
    await client.play(BED.tense)
    await player.advance(2000)
    stop()
    expect(modes).toEqual([how, 'away', how])
    expect(runs.filter((it) => !it.endsWith('starting'))).toEqual(['11 playing', '12 playing'])
  })
})

test('events carry everything else as well', async () => {
  const names: string[] = []
  const { player, client, stop } = scene({ onEvent: ({ name }) => names.push(name) })
  await player.advance(100)
  await client.play(BED.warm)
  player.loseDevice()
  await player.advance(100)
  expect(names).toEqual(['run', 'run', 'run', 'audio'])
  stop()
})

test('with a stream that stands, it does not poll', async () => {
  const { player, sent, stop } = scene({})
  await player.advance(60_000)
  expect(sent).toEqual(['/events', '/status'])
  stop()
})

const livePlayer = () => {
  const { player } = quiz()
  const opened: string[] = []
  const Socket = player.webSocket
  const client = createClient({
    ...player.clientOptions,
    webSocket: function open(url: string, protocol: string) {
      opened.push(url.slice(player.baseUrl.replace('http', 'ws').length))
      return new Socket(url, protocol)
    } as unknown as typeof Socket,
  })
  return { player, client, opened }
}

test('a WebSocket that is put in place after the client was made is used', async () => {
  const { player } = quiz()
  const refused = (): never => {
    throw new Error('the network itself')
  }
  // As an app's module makes its client when it is loaded, and msw comes with the first test.
  vi.stubGlobal('WebSocket', refused)
  const client = createClient({ baseUrl: player.baseUrl, wait: player.wait })
  vi.stubGlobal('WebSocket', player.webSocket)
  vi.stubGlobal('fetch', player.fetch)
  const modes: string[] = []
  const end = watch(client, { onMode: (mode) => modes.push(mode) })
  await player.advance(2_000)
  expect(modes).toEqual(['live'])
  end()
  vi.unstubAllGlobals()
})

test.each(['null', '{"kind":"state","n":1}'])(
  'where something else answers at /live, by %s, the events are read', async (data) => {
    const { player } = quiz()
    const stranger = class extends EventTarget {
      send(): void {}
      close(): void {}
      constructor() {
        super()
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
      }
    }
    const webSocket = stranger as unknown as typeof player.webSocket
    const modes: string[] = []
    const end = watch(createClient({ ...player.clientOptions, webSocket }), {
      onMode: (mode) => modes.push(mode),
    })
    await player.advance(5_000)
    expect(modes.at(-1)).toBe('events')
    end()
  })

describe('one connection', () => {
  test('serves every watch and background of a client, and is given up with the last', async () => {
    const { player, client, opened } = livePlayer()
    const told: string[] = []
    const stops = [0, 1, 2].map((n) =>
      watch(client, { onRun: ({ state }) => told.push(`${n} ${state}`) }))
    const background = new Background(client, { beds: [BED.warm, BED.tense] })
    await background.start()
    await player.advance(1000)
    const late = watch(client, { onRun: ({ state }) => told.push(`late ${state}`) })
    await player.advance(10)
    expect(opened).toEqual(['/live'])
    expect(told.toSorted()).toEqual([
      '0 playing', '0 starting', '1 playing', '1 starting', '2 playing', '2 starting',
      'late playing',
    ])
    for (const stop of [...stops, late]) stop()
    background.close()
    await player.advance(5000)
    const modes: string[] = []
    watch(client, { onMode: (mode) => modes.push(mode) })
    await player.advance(1000)
    expect(opened).toHaveLength(2)
    expect(modes).toEqual(['live'])
  })

  test('is given up while the page is hidden, unless something depends on it', async () => {
    const { player, client, opened } = livePlayer()
    const modes: string[] = []
    watch(client, { onMode: (mode) => modes.push(mode) })
    await player.advance(1000)
    player.page.hidden = true
    await player.advance(60_000)
    expect(modes).toEqual(['live', 'hidden'])
    const background = new Background(client, { beds: [BED.warm, BED.tense] })
    await background.start()
    await player.advance(185_000)
    expect(background).toMatchObject({ state: 'playing', index: 1 })
    expect(modes).toEqual(['live', 'hidden', 'live'])
    await background.stop()
    await player.advance(10_000)
    expect(modes.at(-1)).toBe('hidden')
    player.page.hidden = false
    await player.advance(1000)
    expect(modes.at(-1)).toBe('live')
    expect(opened).toHaveLength(3)
    background.close()
  })

  test('that breaks comes back, and says whether anything was missed', async () => {
    const { player, client } = livePlayer()
    const names: string[] = []
    watch(client, { onEvent: ({ name, data }) => {
      names.push(name === 'reset' ? `reset ${data.reason}` : name)
    } })
    await player.advance(1000)
    player.cutConnections()
    await player.advance(1000)
    expect(names).toEqual([])
    player.setNetwork('down')
    player.setNetwork('up')
    await client.play(BED.warm)
    await player.advance(1000)
    expect(names).toContain('reset gap')
    player.restart()
    await player.advance(3000)
    expect(names.at(-1)).toBe('reset restarted')
  })

  test('that is lost, back and lost again tells nothing twice over the events', async () => {
    const { player } = quiz()
    const Socket = player.webSocket
    let isRefused = true
    const client = createClient({
      ...player.clientOptions,
      webSocket: function open(url: string, protocol: string) {
        const socket = new Socket(url, protocol)
        if (isRefused) socket.close()
        return socket
      } as unknown as typeof Socket,
    })
    const modes: string[] = []
    const told: string[] = []
    watch(client, {
      onMode: (mode) => modes.push(mode),
      onEvent: ({ name, data }) => told.push(name === 'run' ? data.state : name),
    })
    await player.advance(1000)
    await client.play(BED.warm)
    await player.advance(1000)
    isRefused = false
    player.cutConnections()
    await player.advance(1000)
    await client.stop(BED.warm)
    await player.advance(3000)
    isRefused = true
    player.cutConnections()
    await player.advance(3000)
    expect(modes.filter((mode) => mode !== 'polling')).toEqual(['events', 'live', 'events'])
    expect(told.filter((it) => it === 'stopped')).toHaveLength(1)
    expect(told.at(-1)).toBe('reset')
  })

  test('tells a letter whole that the network cut in two', async () => {
    const { player } = quiz()
    const message = 'Größe unbekannt: Frühstück ☕.mp3'
    const data = JSON.stringify({ buttonId: null, executionId: null, message })
    const bytes = new TextEncoder().encode(`event: notice\ndata: ${data}\n\n`)
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        for (const byte of bytes) stream.enqueue(Uint8Array.of(byte))
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    const client = createClient({
      ...player.clientOptions,
      webSocket: null,
      fetch: (url, init) => url.endsWith('/events')
        ? Promise.resolve(new Response(body, { headers })) : player.fetch(url, init),
    })
    const told: unknown[] = []
    const stop = watch(client, { onEvent: (event) => told.push(event) })
    await player.advance(1000)
    expect(told).toEqual([{ name: 'notice', data: JSON.parse(data) as unknown }])
    stop()
  })

  test('that hangs without a word is left within seconds', async () => {
    const { player, client } = livePlayer()
    const modes: string[] = []
    watch(client, { onMode: (mode) => modes.push(mode) })
    await player.advance(1000)
    player.setNetwork('hanging')
    await player.advance(15_000)
    expect(modes).toEqual(['live', 'away'])
    player.setNetwork('up')
    await player.advance(3000)
    expect(modes.at(-1)).toBe('live')
  })

  test.each(['live', 'events', 'polling'] as const)(
    'tells where a run is, to be drawn: by %s', async (how) => {
      const it = scene({}, how)
      const watching = watch(it.client, {})
      const { executionId } = await it.client.play(BED.warm)
      await it.player.advance(10_500)
      const slack = how === 'live' ? 1 : 800
      const at = watching.positionMs(executionId ?? '') ?? 0
      expect(Math.abs(at - 10_500)).toBeLessThan(slack)
      it.stop()
      watching()
    },
  )

  test('tells it after a wrap, by the event of that', async () => {
    const it = scene({})
    const watching = watch(it.client, {})
    const { executionId } = await it.client.play(SONG.first, { loop: true })
    for (let ms = 0; ms < 30_000; ms += 700) {
      const { positionMs } = await it.client.execution(executionId ?? '')
      const told = watching.positionMs(executionId ?? '') ?? 0
      expect(Math.abs(told - positionMs)).toBeLessThan(100)
      await it.player.advance(700)
    }
    it.stop()
    watching()
  })

  test('tells it through a loop, where no event is', async () => {
    const { player, client } = livePlayer()
    const watching = watch(client, {})
    const options = { loop: true, loopCrossfadeMs: 1000 }
    const { executionId } = await client.play(SONG.first, options)
    for (let ms = 0; ms < 30_000; ms += 700) {
      const { positionMs } = await client.execution(executionId ?? '')
      expect(Math.abs((watching.positionMs(executionId ?? '') ?? 0) - positionMs)).toBeLessThan(2)
      await player.advance(700)
    }
    watching()
  })
})
