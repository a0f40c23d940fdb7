// A background behind a proxy that drops, doubles and delays a third of all answers and cuts
// connections, for an hour of the player's time: every bed once, in order.
import { expect, test } from 'vitest'
import { Background, createClient, type Fetch } from '../../src/client/client.js'
import { createPrng } from '../../src/engine/prng.js'
import { createTestPlayer, type TestPlayer } from '../../src/testing/test-player.js'

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const LENGTHS = [47_000, 61_500, 30_250, 95_000, 15_000]
const BEDS = LENGTHS.map((_ms, n) => id(n + 1))
const MINUTE_MS = 60_000

const playerOf = (): TestPlayer => {
  const buttons = BEDS.map((bed, n) => ({
    id: bed, title: `Bed ${n}`, kind: 'audio', media: `${n}.mp3`,
  }))
  const media = Object.fromEntries(LENGTHS.map((durationMs, n) => [`${n}.mp3`, { durationMs }]))
  return createTestPlayer({ title: 'x', playlists: [{ id: id(90), title: 'Beds', buttons }] }, {
    media,
  })
}

/** Of three requests one meets a fate; delays are in the player's time. */
const badProxy = (player: TestPlayer, draw: () => number): Fetch => async (url, init) => {
  const fate = draw() < 1 / 3 ? Math.floor(draw() * 4) : -1
  const isStream = url.endsWith('/events')
  const signal = init.signal ?? new AbortController().signal
  if (fate === 0) throw new TypeError('fetch failed')
  if (fate === 1 && !isStream) void player.fetch(url, { ...init, signal: null }).catch(() => null)
  // It arrives late, whether anybody waits for it or not.
  if (fate === 2) await player.wait(draw() * 4000)
  const answer = await player.fetch(url, fate === 2 ? { ...init, signal: null } : init)
  if (fate === 3) throw new TypeError('fetch failed')
  if (signal.aborted) throw signal.reason
  return answer
}

test.each([
  [1, 'live', 60], [3, 'events', 15], [4, 'polling', 15],
] as const)('seed %i, by %s, %i minutes', async (seed, how, minutes) => {
  const player = playerOf()
  const prng = createPrng(seed)
  const draw = (): number => prng.next()
  const all = player.clientOptions
  const client = createClient({
    ...all, fetch: badProxy(player, draw), webSocket: how === 'live' ? player.webSocket : null,
  })
  const reasons: (string | null)[] = []
  const background = new Background(client, {
    beds: BEDS, wrap: true, events: how !== 'polling',
    onChange: ({ reason }) => reasons.push(reason),
  })
  let started = background.start()
  started.catch(() => undefined)
  await player.advance(15_000)
  await started
  let pauses = 0
  while (player.now() < minutes * MINUTE_MS) {
    await player.advance(5000 + draw() * 60_000)
    if (draw() < 0.3) player.cutConnections()
    if (draw() > 0.5) continue
    pauses += 1
    started = background.pause({ fadeOutMs: 500 })
    await player.advance(12_000)
    await started
    expect(['paused', 'away']).toContain(background.state)
    started = background.resume({ fadeInMs: 500 })
    await player.advance(12_000)
    await started
  }
  background.close()
  expect(reasons.filter((reason) => reason !== null)).toEqual([])
  expect(pauses).toBeGreaterThan(minutes / 4)
  // Each run is one bed from its start to its end, without a gap and without a frame twice.
  const runs = new Map<string, ReturnType<TestPlayer['heard']>>()
  for (const it of player.heard()) {
    runs.set(it.executionId, [...(runs.get(it.executionId) ?? []), it])
  }
  const beds = [...runs.values()]
  expect(beds.length).toBeGreaterThan(minutes / 2)
  for (const [n, pieces] of beds.entries()) {
    const bed = n % BEDS.length
    expect(pieces[0]).toMatchObject({ title: `Bed ${bed}`, mediaFromMs: 0 })
    for (const [m, piece] of pieces.entries()) {
      if (m > 0) expect(piece.mediaFromMs).toBe(pieces[m - 1]!.mediaToMs)
    }
    if (n < beds.length - 1) expect(pieces.at(-1)!.mediaToMs).toBe(LENGTHS[bed])
  }
})
