// The test player: what lies between an app and its service, and what a test may do to either.
import { describe, expect, test } from 'vitest'
import { createClient, watch, type WatchMode } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { BED, GONE, MEDIA, quiz, SHOW, SONG, STROBE } from './quiz-show.js'

describe('a network', () => {
  test('that is slow takes 400 ms for an answer, and for a message of a live one', async () => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const heardAt: number[] = []
    const end = watch(client, { onRun: () => heardAt.push(player.now()) })
    await player.advance(1_000)
    player.setNetwork('slow')
    let answeredAt = NaN
    void client.play(BED.warm).then(() => (answeredAt = player.now()))
    await player.advance(2_000)
    expect([answeredAt, heardAt[0]]).toEqual([1_400, 1_400])
    player.setNetwork('up')
    await player.advance(1_000)
    const askedAt = player.now()
    await client.status()
    expect(player.now()).toBe(askedAt)
    end()
  })

  test.each(['down', 'lossy'] as const)('that is %s breaks live connections, and new ones', async (
    network,
  ) => {
    const { player } = quiz()
    const closed: string[] = []
    const open = (name: string): void => {
      const url = `${player.baseUrl.replace(/^http/, 'ws')}/live`
      new player.webSocket(url, 'cartwall.v1').addEventListener('close', () => closed.push(name))
    }
    open('before')
    await player.advance(1_000)
    expect(closed).toEqual([])
    player.setNetwork(network)
    await player.advance(1_000)
    expect(closed).toEqual(['before'])
    open('after')
    await player.advance(1_000)
    expect(closed).toEqual(['before', 'after'])
  })

  test('that hangs after it was slow holds back what is sent from then on', async () => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const heard: string[] = []
    const end = watch(client, { onEvent: ({ data }) => heard.push(JSON.stringify(data)) })
    await player.advance(1_000)
    player.setNetwork('slow')
    void player.fetch(`${player.baseUrl}/buttons/${BED.warm}/play`, { method: 'POST' })
    await player.advance(100)
    // What was sent before is still on its way.
    player.setNetwork('hanging')
    player.fail(BED.warm)
    await player.advance(2_000)
    const states = () => heard.map((data) => (JSON.parse(data) as { state?: string }).state)
    expect(states()).toEqual(['starting', 'playing'])
    player.setNetwork('up')
    await player.advance(1_000)
    expect(states()).toEqual(['starting', 'playing', 'failed'])
    end()
  })

  test.each([
    ['down', false, 'rejects'], ['lossy', true, 'rejects'], ['mute', true, 'waits'],
    ['hanging', false, 'waits'],
  ] as const)('that is %s: carried out %j, its sender %s', async (network, isDone, sender) => {
    const { player } = quiz()
    player.setNetwork(network)
    const signal = new AbortController()
    let told = 'waits'
    const call = player.fetch(`${player.baseUrl}/buttons/${BED.warm}/play`, {
      method: 'POST', signal: signal.signal,
    }).then(() => 'answers', (error: unknown) => {
      told = 'rejects'
      return error
    })
    await player.settled()
    await player.advance(60_000)
    expect(told).toBe(sender)
    expect(player.heard().length > 0).toBe(isDone)
    // What got lost does not come later.
    player.setNetwork('up')
    await player.advance(60_000)
    expect(told).toBe(sender)
    expect(player.heard().length > 0).toBe(isDone)
    signal.abort(new Error('enough'))
    expect(await call).toBeInstanceOf(Error)
  })

  test.each(['up', 'mute', 'slow', 'hanging'] as const)(
    'that is %s: what is aborted while it is carried out rejects at once', async (network) => {
      const { player } = quiz()
      player.setNetwork(network)
      const over = new AbortController()
      const call = player.fetch(`${player.baseUrl}/status`, { signal: over.signal })
      const told = call.then(() => null, (error: unknown) => error)
      over.abort('enough')
      expect(await told).toBe('enough')
    })

  test('loses exactly what it is told to: of one command after the other, of no read', async () => {
    const { player, client } = quiz()
    player.loseNext()
    player.loseNext('request')
    await client.status()
    await expect(client.play(BED.warm)).rejects.toThrow(TypeError)
    await client.buttons()
    await expect(client.play(STROBE)).rejects.toThrow(TypeError)
    expect((await client.status()).active.map(({ id }) => id)).toEqual([BED.warm])
    expect(await client.play(STROBE)).toMatchObject({ result: 'accepted' })
  })

  test.each([{}, { webSocket: null }])('brings a command late, given up or not', async (how) => {
    const { player } = quiz()
    const client = createClient({ ...player.clientOptions, ...how })
    const stop = watch(client, {})
    await player.advance(1_000)
    player.loseNext('late', 5_000)
    const givenUp = client.play(BED.warm, null, { timeoutMs: 2_000 })
      .catch((error: unknown) => error)
    await player.advance(2_000)
    expect(await givenUp).toMatchObject({ name: 'TimeoutError' })
    await player.advance(4_000)
    expect(player.heard()).toMatchObject([{ title: 'Warm', fromMs: 6_000, toMs: 7_000 }])
    player.loseNext('late', 2_000)
    const waitedFor = client.stop(BED.warm, { fadeOutMs: 0 })
    await player.advance(2_000)
    expect(await waitedFor).toMatchObject({ result: 'stopped' })
    stop()
  })

  test.each(['live', 'events'] as const)(
    'whose connections are cut has others at once: %s', async (how) => {
      const { player } = quiz()
      const opened: string[] = []
      const all = player.clientOptions
      const Socket = player.webSocket
      const client = createClient({
        ...all,
        fetch: (url, init) => {
          if (url.endsWith('/events')) opened.push('events')
          return player.fetch(url, init)
        },
        webSocket: how === 'events' ? null : function open(url: string, protocol: string) {
          opened.push('live')
          return new Socket(url, protocol)
        } as unknown as typeof Socket,
      })
      const modes: WatchMode[] = []
      const end = watch(client, { onMode: (mode) => modes.push(mode) })
      for (let n = 1; n <= 3; n += 1) {
        await player.advance(2_000)
        expect([n, opened.length]).toEqual([n, n])
        player.cutConnections()
      }
      await player.advance(2_000)
      expect(new Set(opened)).toEqual(new Set([how]))
      expect(modes.at(-1)).toBe(how)
      end()
    })
})

test.each(['up', 'slow'] as const)(
  'a service that ends is heard to the last, over a network that is %s', async (network) => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const told: string[] = []
    const end = watch(client, {
      onEvent: ({ name, data }) => told.push('state' in data ? `${name} ${data.state}` : name),
    })
    await client.play(BED.warm)
    await player.advance(1_000)
    told.length = 0
    player.setNetwork(network)
    await player.shutDown()
    await player.advance(1_000)
    expect(told).toEqual(['run stopped', 'service shutting_down'])
    end()
  })

describe('time', () => {
  test.each([-1, NaN, -0.001])('does not go back: %d', async (ms) => {
    const { player } = quiz()
    expect(() => player.advance(ms)).toThrow(RangeError)
    await player.advance(0)
    expect(player.now()).toBe(0)
  })

  test('passes by all calls together, waited for or not', async () => {
    const { player, client } = quiz()
    await client.play(BED.warm)
    void player.wait(1)
    void player.advance(1_000)
    void player.advance(500.25)
    await player.advance(0.75)
    expect(player.now()).toBe(1_501)
    expect(player.heard()).toMatchObject([{ fromMs: 0, toMs: 1_501 }])
  })
})

test('an app that believes the service elsewhere finds it there, and nowhere else', async () => {
  const baseUrl = 'http://192.168.1.20:5000/api/v1'
  const player = createTestPlayer(SHOW, { media: MEDIA, baseUrl })
  const client = createClient(player.clientOptions)
  expect([player.baseUrl, client.baseUrl]).toEqual([baseUrl, baseUrl])
  expect((await client.status()).show).toBe('Quiz')
  await expect(player.fetch('http://127.0.0.1:47831/api/v1/status')).rejects.toThrow(TypeError)
})

describe('files', () => {
  test('one that is removed plays on where it plays, and is missing from then on', async () => {
    const { player, client } = quiz()
    await client.play(SONG.first)
    await player.advance(2_000)
    player.removeFile('one.flac')
    await player.advance(5_000)
    const again = client.restart(SONG.first)
    await expect(again).rejects.toMatchObject({ code: 'media_file_missing' })
    await player.advance(60_000)
    expect(player.heard()).toMatchObject([
      { title: 'One', toMs: 10_000 }, { title: 'Two', toMs: 30_000 },
    ])
  })

  test('one that comes, or comes back with another length, has it at once', async () => {
    const { player, client } = quiz()
    const lengths = async (id: string) =>
      (await client.buttons()).buttons.find((one) => one.id === id)?.durationMs
    expect(await lengths(GONE)).toBe(0)
    player.addFile('gone.mp3', { durationMs: 9_000 })
    player.addFile('warm.mp3', { durationMs: 2_000 })
    expect([await lengths(GONE), await lengths(BED.warm)]).toEqual([9_000, 2_000])
    await client.play(BED.warm)
    await player.advance(5_000)
    expect(player.heard()).toMatchObject([{ fromMs: 0, toMs: 2_000, mediaToMs: 2_000 }])
  })

  test('a timeline that nobody named is missing', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    const client = createClient(player.clientOptions)
    await expect(client.play(STROBE)).rejects.toMatchObject({ code: 'media_file_missing' })
  })
})

describe('another show', () => {
  const renamed = { ...SHOW, title: 'Late quiz', playlists: SHOW.playlists!.slice(0, 1) }

  test('takes the place of the first, which is told, and of what plays nothing ends', async () => {
    const { player } = quiz()
    const client = createClient(player.clientOptions)
    const told: unknown[] = []
    const end = watch(client, {
      onEvent: ({ name, data }) => told.push(name === 'catalogue' ? data.change : name),
    })
    await player.advance(100)
    await client.play(SONG.first)
    await player.advance(1_000)
    player.replaceShow(renamed)
    await player.advance(20_000)
    // Its button is gone, so that nothing will follow it: that is the notice.
    expect(told.filter((one) => one !== 'run')).toEqual(['busy', 'notice', 'replaced'])
    expect((await client.status()).show).toBe('Late quiz')
    expect((await client.buttons()).buttons).toHaveLength(4)
    expect(player.heard()).toMatchObject([{ title: 'One', fromMs: 100, toMs: 10_100 }])
    end()
  })

  test('is the one that a service reads which begins again', async () => {
    const { player, client } = quiz()
    player.replaceShow(renamed)
    player.restart()
    expect((await client.status()).show).toBe('Late quiz')
    await player.shutDown()
    await expect(client.status()).rejects.toThrow(TypeError)
    player.restart()
    expect((await client.status()).show).toBe('Late quiz')
  })

  test('that is wrong is refused by place, and changes nothing', async () => {
    const { player, client } = quiz()
    const wrong = { title: 'x', playlists: [{ id: 'nonsense', title: 'y' }] }
    expect(() => player.replaceShow(wrong)).toThrow('playlists[0].id')
    expect((await client.status()).show).toBe('Quiz')
  })
})

test('behind a proxy whose address has a path, with or without a slash at its end', async () => {
  const at = 'https://venue.example/player/api/v1'
  for (const baseUrl of [at, `${at}/`]) {
    const player = createTestPlayer(SHOW, { media: MEDIA, baseUrl })
    const client = createClient(player.clientOptions)
    const modes: WatchMode[] = []
    const end = watch(client, { onMode: (mode) => modes.push(mode) })
    expect((await client.status()).show).toBe('Quiz')
    expect(await client.play(BED.warm)).toMatchObject({ result: 'accepted' })
    await player.advance(1_000)
    expect([player.baseUrl, modes]).toEqual([at, ['live']])
    end()
  }
})

test('a key of a command is forgotten after ten minutes, as by the daemon', async () => {
  const { player, client } = quiz()
  const sting = () => client.restart(SONG.second, null, { idempotencyKey: 'sting' })
  const { executionId } = await sting()
  await player.advance(599_000)
  expect((await sting()).executionId).toBe(executionId)
  await player.advance(2_000)
  expect((await sting()).executionId).not.toBe(executionId)
})
