// The test player: what an app hears of it, by msw and by its own fetch, is what the service says.
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CartwallError, createClient, outcomeOf, watch } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { createPrng } from '../../src/engine/prng.js'
import { BED, GONE, LIT, LOGO, MEDIA, quiz, SHOW, SONG, STROBE } from './quiz-show.js'

/** CARTWALL_EVENINGS=1000 tries as many as you like. */
const EVENINGS = Number(process.env['CARTWALL_EVENINGS'] ?? 20)

const startOf = async (client: ReturnType<typeof quiz>['client'], id: string): Promise<string> =>
  (await client.play(id)).executionId ?? ''

describe('by msw', () => {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  test('an app plays, waits, pauses and resumes', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    server.use(...player.handlers)
    const client = createClient({ baseUrl: player.baseUrl })
    const start = await client.play(BED.warm, { externalSequencing: true })
    expect(start).toMatchObject({ result: 'accepted', id: BED.warm, dmxExecutionId: null })
    const executionId = start.executionId ?? ''
    void player.advance(30_000)
    expect(await client.execution(executionId)).toMatchObject({
      state: 'playing', positionMs: 30_000, durationMs: 180_000,
    })
    expect(await client.pause(BED.warm, { executionId, fadeOutMs: 0 })).toMatchObject({
      state: 'paused',
    })
    await player.advance(5000)
    await client.resume(BED.warm, { executionId, fadeInMs: 0 })
    await player.advance(150_000)
    expect(await client.execution(executionId)).toMatchObject({
      state: 'completed', endReason: 'natural_end', positionMs: 180_000,
    })
    expect(player.heard()).toMatchObject([
      { media: 'warm.mp3', fromMs: 0, toMs: 30_000, mediaFromMs: 0, mediaToMs: 30_000 },
      { media: 'warm.mp3', fromMs: 35_000, toMs: 185_000, mediaFromMs: 30_000, mediaToMs: 180_000 },
    ])
  })

  test('a refusal is the service’s own, with status, code and words', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    server.use(...player.handlers)
    const client = createClient({ baseUrl: player.baseUrl })
    const error: unknown = await client.play(GONE).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(CartwallError)
    expect(error).toMatchObject({ status: 422, code: 'media_file_missing', name: 'CartwallError' })
    expect((await fetch(`${player.baseUrl}/nowhere`)).status).toBe(404)
    expect((await fetch(`${player.baseUrl}/status`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${player.baseUrl}/status`, { method: 'OPTIONS' })).status).toBe(204)
    player.setNetwork('down')
    await expect(client.status()).rejects.toThrow(TypeError)
  })

  test.each([['down', 'not_sent'], ['lossy', 'not_answered']] as const)(
    'over a network that is %s a command is told as %s', async (network, told) => {
      const player = createTestPlayer(SHOW, { media: MEDIA })
      server.use(...player.handlers)
      const client = createClient({ baseUrl: player.baseUrl })
      player.setNetwork(network)
      const error: unknown = await client.play(BED.warm).catch((it: unknown) => it)
      expect([error instanceof TypeError, outcomeOf(error)]).toEqual([true, told])
      const over = AbortSignal.abort(new Error('enough'))
      await expect(client.status({ signal: over })).rejects.toThrow('enough')
    })
})

describe('what sounded', () => {
  test('a crossfade: both beds over two seconds, with gains that add up to one', async () => {
    const { player, client } = quiz()
    await client.play(BED.warm)
    void player.advance(10_000)
    await client.play(BED.last)
    void player.advance(10_000)
    expect(player.heard()).toMatchObject([
      { title: 'Warm', fromMs: 0, toMs: 10_000, gainFrom: 1, gainTo: 1 },
      { title: 'Warm', fromMs: 10_000, toMs: 12_000, gainFrom: 1, gainTo: 0 },
      { title: 'Last', fromMs: 10_000, toMs: 12_000, mediaFromMs: 1000, gainFrom: 0, gainTo: 1 },
      { title: 'Last', fromMs: 12_000, toMs: 14_000, mediaToMs: 5000, gainFrom: 1, gainTo: 1 },
    ])
    expect(player.heard()).toHaveLength(4)
  })

  test('a sequence goes on by itself without a gap, each button at its level', async () => {
    const { player, client } = quiz()
    await client.play(SONG.first)
    void player.advance(60_000)
    expect(player.heard()).toMatchObject([
      { title: 'One', fromMs: 0, toMs: 10_000, gainFrom: 1 },
      { title: 'Two', fromMs: 10_000, toMs: 30_000, gainFrom: 0.1, gainTo: 0.1 },
    ])
  })

  test('a loop with a crossfade: the tail and the head of one run', async () => {
    const { player, client } = quiz()
    const { executionId } = await client.play(SONG.first, { loop: true, loopCrossfadeMs: 1000 })
    await player.advance(12_000)
    const heard = player.heard()
    expect(new Set(heard.map((it) => it.executionId))).toEqual(new Set([executionId]))
    expect(heard).toMatchObject([
      { fromMs: 0, toMs: 9000, gainTo: 1 },
      { fromMs: 9000, toMs: 10_000, mediaToMs: 10_000, gainFrom: 1, gainTo: 0 },
      { fromMs: 9000, toMs: 10_000, mediaFromMs: 0, mediaToMs: 1000, gainFrom: 0, gainTo: 1 },
      { fromMs: 10_000, toMs: 12_000, mediaFromMs: 1000, mediaToMs: 3000, gainFrom: 1 },
    ])
  })

  test('a loop that blends into itself for half of its range: what rises falls next', async () => {
    const { player, client } = quiz()
    await client.play(SONG.first, { loop: true, loopCrossfadeMs: 60_000 })
    await player.advance(20_000)
    const lines = player.heard().map((it) => [it.fromMs, it.toMs, it.gainFrom, it.gainTo])
    expect(lines).toEqual([
      [0, 5000, 1, 1], [5000, 10_000, 1, 0], [5000, 10_000, 0, 1],
      [10_000, 15_000, 1, 0], [10_000, 15_000, 0, 1],
      [15_000, 20_000, 1, 0], [15_000, 20_000, 0, 1],
    ])
  })

  test('is the same for any cutting of the time', async () => {
    const story = async (cut: (left: number) => number): Promise<unknown> => {
      const { player, client } = quiz()
      await client.play(SONG.first)
      for (let left = 40_000; left > 0; ) {
        const ms = Math.min(left, cut(left))
        void player.advance(ms)
        left -= ms
      }
      return player.heard()
    }
    const whole = await story((left) => left)
    expect(await story(() => 7)).toEqual(whole)
    expect(await story((left) => 1 + (left % 333))).toEqual(whole)
  })
})

describe('faults', () => {
  test('a decoder that fails ends its run at once, wherever it is', async () => {
    const { player, client } = quiz()
    const executionId = await startOf(client, BED.warm)
    void player.advance(1234)
    player.fail(BED.warm, 'decoder')
    expect(await client.execution(executionId)).toMatchObject({
      state: 'failed', endReason: 'playback_error', positionMs: 1234,
    })
    expect(() => player.fail(BED.warm, 'decoder')).toThrow('no run')
    void player.advance(1000)
    expect(player.heard()).toMatchObject([{ fromMs: 0, toMs: 1234 }])
  })

  test('a device that is lost fails what sounds and refuses starts until it is back', async () => {
    const { player, client } = quiz()
    const executionId = await startOf(client, BED.warm)
    void player.advance(1000)
    player.loseDevice()
    expect(await client.execution(executionId)).toMatchObject({ state: 'failed' })
    await expect(client.play(BED.tense)).rejects.toMatchObject({ code: 'playback_unavailable' })
    expect((await client.status()).audio.state).toBe('unavailable')
    player.restoreDevice()
    await expect(client.play(BED.tense)).resolves.toMatchObject({ result: 'accepted' })
  })

  test('a service that begins again knows no run, and its clock begins again', async () => {
    const { player, client } = quiz()
    const executionId = await startOf(client, BED.warm)
    void player.advance(5000)
    player.restart()
    // Nor has it anything open that could fail.
    expect(() => player.fail(BED.warm)).toThrow()
    await expect(client.execution(executionId)).rejects.toMatchObject({
      status: 404, code: 'execution_not_found',
    })
    expect((await client.status()).uptimeMs).toBe(0)
    void player.advance(5000)
    expect(await startOf(client, BED.warm)).not.toBe(executionId)
    void player.advance(1000)
    expect(player.heard().map((it) => [it.fromMs, it.toMs])).toEqual([[0, 5000], [10_000, 11_000]])
  })

  test('what sounded is kept, however often the service begins again', async () => {
    const { player, client } = quiz()
    for (let n = 0; n < 3; n += 1) {
      await client.play(BED.warm)
      void player.advance(1000)
      player.restart()
    }
    expect(player.heard().map((it) => [it.fromMs, it.toMs]))
      .toEqual([[0, 1000], [1000, 2000], [2000, 3000]])
  })

  test('a service that begins again has looked into its files', async () => {
    const { player, client } = quiz()
    const lengths = async (): Promise<readonly number[]> =>
      (await client.buttons()).buttons.map(({ durationMs }) => durationMs)
    const before = await lengths()
    expect(Math.max(...before)).toBeGreaterThan(0)
    player.restart()
    expect(await lengths()).toEqual(before)
  })

  test('a network that is slow no more brings nothing before what is on its way', async () => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const told: string[] = []
    watch(client, { onEvent: ({ name }) => told.push(name) })
    await player.advance(1000)
    player.setNetwork('slow')
    void client.play(BED.warm)
    await player.advance(100)
    player.setNetwork('up')
    player.loseDevice()
    await player.advance(100)
    expect(told).toEqual([])
    await player.advance(3000)
    expect(told).toEqual(['run', 'run', 'run', 'audio'])
  })

  test('slow, failing and missing files', async () => {
    const { player, client } = quiz()
    player.addFile('gone.mp3', { durationMs: 9000, readyAfterMs: 400, failsAtMs: 2500 })
    const executionId = await startOf(client, GONE)
    void player.advance(399)
    expect(await client.execution(executionId)).toMatchObject({ state: 'starting' })
    void player.advance(1)
    expect(await client.execution(executionId)).toMatchObject({ state: 'playing' })
    void player.advance(2500)
    expect(await client.execution(executionId)).toMatchObject({ state: 'failed', positionMs: 2500 })
    player.removeFile('gone.mp3')
    await expect(client.restart(GONE)).rejects.toMatchObject({ status: 422 })
  })

  test('answers that get lost were carried out; those that hang can be aborted', async () => {
    const { player, client } = quiz()
    player.setNetwork('lossy')
    await expect(client.play(BED.warm)).rejects.toThrow('fetch failed')
    player.setNetwork('hanging')
    const call = client.play(BED.tense, null, { signal: AbortSignal.timeout(5) })
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
    player.setNetwork('up')
    expect((await client.status()).active.map((it) => it.id)).toEqual([BED.warm])
  })

  test('a show that is wrong is refused by place', () => {
    const show = { title: 'x', playlists: [{ id: 'nonsense', title: 'y' }] }
    expect(() => createTestPlayer(show, { media: {} })).toThrow('playlists[0].id')
  })
})

test('images and lights are there too', async () => {
  const { player, client } = quiz()
  await client.play(LOGO)
  await client.play(STROBE)
  const { dmxExecutionId } = await client.play(LIT)
  void player.advance(1500)
  const sync = { executionId: dmxExecutionId ?? '', sequence: 1, positionMs: 900, isPlaying: true }
  expect(await client.dmxSync(LIT, sync)).toMatchObject({
    corrected: true, positionMs: 900, driftMs: 600,
  })
  expect((await client.status()).active.map((it) => it.id)).toEqual([LIT, LOGO, STROBE])
  expect(await client.panic()).toMatchObject({ result: 'stopped' })
  expect((await client.buttons()).buttons.filter((it) => it.isPlaying)).toEqual([])
})

test('fifty players follow one another, each with an evening of its own', async () => {
  for (let n = 0; n < 50; n += 1) {
    const { player, client } = quiz()
    const executionId = await startOf(client, BED.warm)
    void player.advance(180_000)
    expect((await client.execution(executionId)).state).toBe('completed')
  }
})

describe('exact, however the time is cut', () => {
  const fade = { ...SHOW.playlists![0]!.buttons![0]!, fadeInMs: 1500, fadeOutMs: 700 }
  const show = {
    ...SHOW,
    playlists: SHOW.playlists!.map((list, n) => ({
      ...list,
      ...(n === 0 ? { crossfadeCurve: 'equal-power' as const } : {}),
      buttons: list.buttons!.map((button) => (button.id === BED.warm ? fade : button)),
    })),
  }

  test('a fade-in of 1500 ms is one stretch', async () => {
    const player = createTestPlayer(show, { media: MEDIA })
    const client = createClient({ baseUrl: player.baseUrl, fetch: player.fetch })
    await client.play(BED.warm)
    void player.advance(4000)
    expect(player.heard()).toMatchObject([
      { fromMs: 0, toMs: 1500, gainFrom: 0, gainTo: 1 },
      { fromMs: 1500, toMs: 4000, gainFrom: 1, gainTo: 1 },
    ])
  })

  /** An evening by chance; `cut` says in which pieces the time between its commands passes. */
  const evening = async (seed: number, cut: (left: number) => number) => {
    const player = createTestPlayer(show, { media: MEDIA })
    const client = createClient({ baseUrl: player.baseUrl, fetch: player.fetch })
    const prng = createPrng(seed)
    const ids = [BED.warm, BED.tense, BED.last, SONG.first, SONG.second, LIT]
    const draw = (n: number): number => Math.floor(prng.next() * n)
    for (let n = 0; n < 6; n += 1) {
      const id = ids[draw(ids.length)]!
      const { buttons } = await client.buttons()
      const executionId = buttons.find((it) => it.id === id)?.executionId ?? null
      const fadeMs = draw(2500)
      const options = { loop: draw(2) === 0, loopCrossfadeMs: draw(3000) }
      const act = draw(5)
      if (executionId === null || act === 0) await client.restart(id, options)
      else if (act < 3) await client.pause(id, { executionId, fadeOutMs: fadeMs }).catch(() => null)
      else if (act === 3) {
        await client.resume(id, { executionId, fadeInMs: fadeMs }).catch(() => null)
      } else await client.stop(id, { executionId, fadeOutMs: fadeMs })
      for (let left = 500 + draw(9000); left > 0;) {
        const ms = Math.min(left, Math.max(1, Math.round(cut(left))))
        void player.advance(ms)
        left -= ms
      }
    }
    return player.heard()
  }

  const CUTS: readonly ((left: number) => number)[] = [
    () => 137, () => 1000, () => 999, (left) => left / 2, (left) => left / 3, () => 250,
    (left) => 1 + (left % 997), () => 3333, (left) => left - 1,
  ]

  test('evenings by chance, cut in ten ways, are heard alike', async () => {
    for (let seed = 1; seed <= EVENINGS; seed += 1) {
      const whole = await evening(seed, (left) => left)
      for (const [n, cut] of CUTS.entries()) {
        expect(await evening(seed, cut), `seed ${seed}, cut ${n}`).toEqual(whole)
      }
    }
  })
})
