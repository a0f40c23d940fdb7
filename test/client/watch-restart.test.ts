// A service that began again is told by a reset, however it is followed before and after.
import { describe, expect, test } from 'vitest'
import { createClient, watch, type WatchMode } from '../../src/client/client.js'
import { scene } from './no-socket-scene.js'
import { BED, quiz, SONG } from './quiz-show.js'

/** WebSockets, while there is a place for one. */
const socketsOf = (player: ReturnType<typeof quiz>['player'], hasPlace: () => boolean) =>
  class extends player.webSocket {
    constructor(url: string, protocol: string) {
      if (!hasPlace()) throw new Error('no place')
      super(url, protocol)
    }
  }

describe('a service that began again is told by a reset', () => {
  const following = (it: ReturnType<typeof scene>, poll = true) => {
    const told: string[] = []
    const end = watch(it.client, {
      poll,
      onRun: ({ state }) => told.push(state),
      onEvent: ({ name, data }) => told.push(name === 'reset' ? data.reason : name),
    })
    return { told, end }
  }

  test('before what plays now, though it is up for longer by then than it was before', async () => {
    const it = scene()
    const { told, end } = following(it)
    await it.player.advance(2_000)
    await it.client.play(BED.warm)
    await it.player.advance(2_000)
    it.player.setNetwork('down')
    it.player.restart()
    await it.player.advance(60_000)
    it.player.setNetwork('up')
    await it.client.play(SONG.first)
    await it.player.advance(2_000)
    expect(told).toEqual(['playing', 'restarted', 'playing'])
    end()
  })

  test('also where a connection stood once, and there is no place for it any more', async () => {
    const it = scene()
    it.events.have = 'some'
    const { told, end } = following(it)
    const noPolling = following(it, false)
    await it.player.advance(1_000)
    it.events.have = 'full'
    it.player.cutConnections()
    await it.player.advance(5_000)
    it.player.restart()
    await it.player.advance(5_000)
    expect([told, noPolling.told]).toEqual([['restarted'], []])
    noPolling.end()
    end()
  })

  test.each([
    ['live', 'events'], ['live', 'polling'], ['events', 'polling'], ['events', 'live'],
  ] as const)(
    'also where it was followed by %s before, and is by %s since', async (before, since) => {
      const { player } = quiz()
      let way: WatchMode = before
      const client = createClient({
        ...player.clientOptions,
        webSocket: socketsOf(player, () => way === 'live'),
        fetch: (url, init) =>
          player.fetch(way === 'polling' ? url.replace('/events', '/nothing') : url, init),
      })
      const told: string[] = []
      const end = watch(client, {
        onMode: (mode) => told.push(mode),
        onEvent: ({ name, data }) => name === 'reset' && told.push(data.reason),
      })
      await player.advance(60_000)
      way = since
      player.restart()
      await player.advance(5_000)
      expect(told.filter((it) => it === 'restarted' || it === 'gap')).toEqual(['restarted'])
      expect([told[0], told.filter((it) => it !== 'restarted').at(-1)]).toEqual([before, since])
      // And one whose connection broke is not.
      player.cutConnections()
      await player.advance(60_000)
      expect(told.filter((it) => it === 'restarted')).toHaveLength(1)
      end()
    })

  test('once, where it is followed by live again that was by events over the restart', async () => {
    const { player } = quiz()
    let hasPlace = true
    const client = createClient({
      ...player.clientOptions,
      webSocket: socketsOf(player, () => hasPlace),
    })
    const told: string[] = []
    const end = watch(client, {
      onMode: (mode) => told.push(mode),
      onEvent: ({ name, data }) => name === 'reset' && told.push(data.reason),
    })
    await player.advance(10_000)
    hasPlace = false
    player.restart()
    await player.advance(10_000)
    hasPlace = true
    player.cutConnections()
    await player.advance(10_000)
    expect(told.filter((it) => it === 'restarted')).toHaveLength(1)
    expect([told[0], told.at(-1)]).toEqual(['live', 'live'])
    expect(told).toContain('events')
    end()
  })

  test('and one whose connection breaks is not, nor a gap, where nothing was missed', async () => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const told: string[] = []
    const end = watch(client, {
      onMode: (mode) => told.push(mode),
      onEvent: ({ name }) => name === 'reset' && told.push(name),
    })
    await player.advance(2_000)
    for (const bed of [BED.warm, BED.warm, SONG.first]) {
      await client.restart(bed)
      await player.advance(2_000)
      player.cutConnections()
      await player.advance(2_000)
    }
    expect(told).not.toContain('reset')
    expect(told.at(-1)).toBe('live')
    end()
  })

  test('and one that only was away for an hour, or answers slowly, is not', async () => {
    const it = scene()
    const { told, end } = following(it)
    await it.player.advance(2_000)
    it.player.setNetwork('down')
    await it.player.advance(3_600_000)
    it.player.setNetwork('slow')
    await it.player.advance(20_000)
    it.player.setNetwork('up')
    await it.player.advance(2_000)
    expect(told).toEqual([])
    end()
  })
})

test('a service whose clock is slow did not begin again, be it a day later', async () => {
  const { player } = quiz()
  let isThere = true
  const client = createClient({
    ...player.clientOptions,
    webSocket: null,
    // As a crystal is that makes a tenth of a thousandth less of each second.
    fetch: async (url, init) => {
      if (!isThere) throw new TypeError('fetch failed')
      const answer = await player.fetch(url.replace('/events', '/nothing'), init)
      if (!url.endsWith('/status')) return answer
      const status = (await answer.json()) as { readonly uptimeMs: number }
      return Response.json({ ...status, uptimeMs: status.uptimeMs * 0.9999 })
    },
  })
  const told: string[] = []
  const stop = watch(client, {
    pollMs: 10_000,
    onEvent: ({ name, data }) => told.push(JSON.stringify([name, data])),
  })
  await player.advance(20_000)
  for (const hours of [12, 24]) {
    isThere = false
    await player.advance(hours * 3_600_000)
    isThere = true
    await player.advance(20_000)
  }
  expect(told).toEqual([])
  player.restart()
  await player.advance(20_000)
  expect(told).toEqual(['["reset",{"reason":"restarted"}]'])
  stop()
})

test('a connection that breaks right behind a reset misses nothing of what follows', async () => {
  const { player, client, events } = scene()
  events.have = 'some'
  const told: string[] = []
  const stop = watch(client, {
    onEvent: ({ name, data }) => told.push(name === 'run' ? data.state : name),
  })
  await player.advance(1_000)
  player.restart()
  await player.advance(3_000)
  expect(told).toEqual(['reset'])
  player.cutConnections()
  await client.play(BED.warm)
  await player.advance(3_000)
  expect(told).toEqual(['reset', 'starting', 'playing'])
  stop()
})
