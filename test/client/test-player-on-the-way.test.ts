// The test player: what is on its way between app and service, and when it arrives.
import { expect, test } from 'vitest'
import { createClient, outcomeOf, watch, type WatchMode } from '../../src/client/client.js'
import type { TestPlayer } from '../../src/testing/test-player.js'
import { BED, LOGO, quiz, SONG, STROBE } from './quiz-show.js'

const play = (player: TestPlayer, id: string, init: RequestInit = {}): Promise<Response> =>
  player.fetch(`${player.baseUrl}/buttons/${id}/play`, { method: 'POST', ...init })

/** A live connection by hand, and what it was told of each kind. */
const live = (player: TestPlayer, told: Record<string, unknown>[] = []) => {
  const url = `${player.baseUrl.replace(/^http/, 'ws')}/live`
  const socket = new player.webSocket(url, 'cartwall.live.1')
  const end = { closedAt: NaN }
  socket.addEventListener('message', ({ data }) =>
    told.push(JSON.parse(String(data)) as Record<string, unknown>))
  socket.addEventListener('close', () => (end.closedAt = player.now()))
  return { socket, told, end }
}

test('a command given up before it was sent is not carried out, and loses nothing', async () => {
  const { player, client } = quiz()
  player.loseNext('request')
  await expect(play(player, BED.warm, { signal: AbortSignal.abort() })).rejects.toThrow()
  await player.advance(1_000)
  expect(player.heard()).toEqual([])
  await expect(client.play(BED.warm)).rejects.toThrow(TypeError)
})

test('an answer over a slow network is there after 400 ms also where nobody watches', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  player.setNetwork('slow')
  let answeredAt = NaN
  void client.play(BED.warm).then(() => (answeredAt = player.now()))
  await player.advance(2_000)
  expect(answeredAt).toBe(400)
})

test('what was held back comes behind what is still on its way', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  const states: string[] = []
  const end = watch(client, { onRun: ({ state }) => states.push(state) })
  await player.advance(1_000)
  player.setNetwork('slow')
  void play(player, BED.warm)
  await player.advance(100)
  player.setNetwork('hanging')
  player.fail(BED.warm)
  await player.advance(100)
  player.setNetwork('up')
  await player.advance(1_000)
  expect(states).toEqual(['starting', 'playing', 'failed'])
  end()
})

test('commands that are late arrive to the millisecond, whichever was sent first', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  player.loseNext('late', 2_250)
  player.loseNext('late', 1_125)
  player.loseNext('late')
  const sent = [SONG.first, STROBE, LOGO].map(async (id) => {
    await client.play(id)
    return player.now()
  })
  await player.advance(5_000)
  expect(await Promise.all(sent)).toEqual([2_250, 1_125, 400])
  expect(player.heard()).toMatchObject([{ title: 'One', fromMs: 2_250 }])
})

test('one that is late for a service that has ended finds nobody', async () => {
  const { player } = quiz()
  player.loseNext('late', 5_000)
  const sent = play(player, BED.warm).catch((error: unknown) => error)
  await player.advance(1_000)
  await player.shutDown()
  await player.advance(10_000)
  const error = await sent
  expect([error instanceof TypeError, outcomeOf(error)]).toEqual([true, 'not_sent'])
})

test('the sender of a late one that gives it up hears so at once', async () => {
  const { player } = quiz()
  player.loseNext('late', 5_000)
  const over = new AbortController()
  const sent = play(player, BED.warm, { signal: over.signal }).catch((error: unknown) => error)
  await player.advance(1_000)
  over.abort('enough')
  expect(await sent).toBe('enough')
})

test('a network that is mute carries what an app asks, and holds what it is told', async () => {
  const { player } = quiz()
  const { socket, told } = live(player)
  await player.advance(1_000)
  expect(told.map(({ kind }) => kind)).toEqual(['hello', 'state'])
  player.setNetwork('mute')
  await player.advance(1_000)
  socket.send(JSON.stringify({ kind: 'time', id: 7 }))
  await player.settled()
  player.loseDevice()
  await player.advance(3_000)
  expect(told).toHaveLength(2)
  player.setNetwork('up')
  await player.advance(1_000)
  expect(told.slice(2)).toMatchObject([{ kind: 'time', id: 7, frame: 96_000 }, { kind: 'change' }])
})

test('a live connection may ask for as long as it likes, fifty times a second', async () => {
  const { player } = quiz()
  const { socket, told, end } = live(player)
  const ask = (): void => socket.send(JSON.stringify({ kind: 'time', id: told.length }))
  for (let second = 0; second < 20; second += 1) {
    for (let n = 0; n < 10; n += 1) ask()
    await player.advance(1_000)
  }
  expect([told.filter(({ kind }) => kind === 'time').length, end.closedAt]).toEqual([200, NaN])
  for (let n = 0; n <= 50; n += 1) ask()
  await player.advance(1_000)
  expect(end.closedAt).toBe(20_000)
})

test('a live connection on which nothing is said stands all evening', async () => {
  const { player } = quiz()
  const { told, end } = live(player)
  await player.advance(600_000)
  expect([told.map(({ kind }) => kind), end.closedAt]).toEqual([['hello', 'state'], NaN])
})

test('a service that has ended takes no live connection, one that began again all', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  await player.shutDown()
  const modes: WatchMode[] = []
  const end = watch(client, { onMode: (mode) => modes.push(mode) })
  await player.advance(5_000)
  expect([modes, live(player).told]).toEqual([['away'], []])
  player.restart()
  await player.advance(10_000)
  expect(modes).toEqual(['away', 'live'])
  expect(await client.play(BED.warm)).toMatchObject({ result: 'accepted' })
  end()
})

test('a live connection that is back is told whether it missed anything', async () => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  const told: string[] = []
  const end = watch(client, {
    onEvent: ({ name, data }) => told.push('reason' in data ? `${name} ${data.reason}` : name),
  })
  await player.advance(1_000)
  player.cutConnections()
  await player.advance(1_000)
  expect(told).toEqual([])
  player.cutConnections()
  await play(player, STROBE)
  await player.advance(1_000)
  expect(told).toEqual(['reset gap'])
  end()
})

test('readers of events that went away make room for others', async () => {
  const { player } = quiz()
  for (let n = 0; n < 300; n += 1) {
    const over = new AbortController()
    const { status } = await player.fetch(`${player.baseUrl}/events`, { signal: over.signal })
    expect([n, status]).toEqual([n, 200])
    over.abort()
    await player.settled()
  }
})

test('a connection that was cut brings nothing that was still on its way', async () => {
  const { player } = quiz()
  const { told, end } = live(player)
  await player.advance(1_000)
  player.setNetwork('slow')
  player.loseDevice()
  await player.advance(100)
  player.cutConnections()
  await player.advance(1_000)
  expect([told.length, end.closedAt]).toEqual([2, 1_100])
})

test('a stage that closes its connection is told to the others as gone', async () => {
  const { player } = quiz()
  const [{ told }, { socket }] = [live(player), live(player)]
  await player.advance(1_000)
  socket.send(JSON.stringify({ kind: 'stage', report: {
    name: 'left', pace: 'idle', on: [], p50: null, p95: null, framesDropped: 0, seeks: 0,
    visible: true, offsetMs: 0, errors: [],
  } }))
  await player.advance(1_000)
  const stages = () => told.findLast((one) => 'stages' in one)?.['stages']
  expect(stages()).toMatchObject([{ gone: false, report: { name: 'left' } }])
  socket.close()
  await player.advance(1_000)
  expect(stages()).toMatchObject([{ gone: true, report: { name: 'left' } }])
})
