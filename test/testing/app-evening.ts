// A small app and its evening, for every place in which an app may be tested.
import { setupServer } from 'msw/node'
import { expect, test, vi } from 'vitest'
import { Background, createClient, watch, type CartwallEvent } from '../../src/client/client.js'
import { createTestPlayer, type TestPlayer } from '../../src/testing/test-player.js'
import { BED, MEDIA, SHOW } from '../client/quiz-show.js'

export const appEvening = (): void => {
  test('a background over the live connection: pause, resume, the next bed', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    const client = createClient(player.clientOptions)
    const heard: CartwallEvent[] = []
    const stop = watch(client, { onEvent: (event) => heard.push(event) })
    const background = new Background(client, { beds: [BED.tense, BED.warm] })
    await background.start()
    await player.advance(10_000)
    await background.pause({ fadeOutMs: 500 })
    await player.advance(5_000)
    expect(background.state).toBe('paused')
    await background.resume({ fadeInMs: 0 })
    await player.advance(60_000)
    expect([background.state, background.bed]).toEqual(['playing', BED.warm])
    expect(player.heard().map(({ media }) => media)).toContain('warm.mp3')
    expect(heard.map(({ name }) => name)).toContain('run')
    background.close()
    stop()
  })

  test('by its fetch: a call, its refusal, its abort', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    const client = createClient({ baseUrl: player.baseUrl, fetch: player.fetch })
    expect(await client.play(BED.warm)).toMatchObject({ result: 'accepted' })
    await expect(client.execution('no id')).rejects.toMatchObject({ code: 'invalid_execution_id' })
    const over = new AbortController()
    over.abort(new Error('enough'))
    await expect(client.status({ signal: over.signal })).rejects.toThrow()
  })

  byMsw()
  ofSeveral()
}

const byMsw = (): void => {
  test('by msw and the fetch of the place itself', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    const server = setupServer(...player.handlers)
    server.listen({ onUnhandledRequest: 'error' })
    try {
      const client = createClient({ baseUrl: player.baseUrl, webSocket: null })
      expect((await client.buttons()).buttons).toHaveLength(9)
      expect(await client.play(BED.warm)).toMatchObject({ result: 'accepted' })
    } finally {
      server.close()
    }
  })

  test('by msw and the WebSocket of the place itself, where it has one', async () => {
    const player = createTestPlayer(SHOW, { media: MEDIA })
    const server = setupServer(...player.handlers)
    server.listen({ onUnhandledRequest: 'error' })
    const complaint = vi.spyOn(console, 'error')
    const way = 'WebSocket' in globalThis ? 'live' : 'events'
    try {
      const { client, stop, modes, runs } = watched(player)
      await player.advance(100)
      const executionId = (await client.play(BED.warm)).executionId ?? ''
      await player.advance(5000)
      expect([modes, runs]).toEqual([[way], ['starting', 'playing']])
      expect(Math.abs((stop.positionMs(executionId) ?? NaN) - 5000)).toBeLessThan(100)
      player.restart()
      await player.advance(3000)
      expect(stop.positionMs(executionId)).toBeNull()
      expect(modes.at(-1)).toBe(way)
      stop()
      await player.settled()
      expect(complaint).not.toHaveBeenCalled()
    } finally {
      complaint.mockRestore()
      server.close()
    }
  })
}

/** An app that watches a player: by which way, and what it hears of runs. */
const watched = (player: TestPlayer) => {
  const modes: string[] = []
  const runs: string[] = []
  const client = createClient({ baseUrl: player.baseUrl, wait: player.wait })
  const stop = watch(client, {
    onMode: (mode) => modes.push(mode), onRun: ({ state }) => runs.push(state),
  })
  return { client, stop, modes, runs }
}

const ofSeveral = (): void => {
  test('by msw, of two players that it was handed one after the other the later one', async () => {
    const before = createTestPlayer(SHOW, { media: MEDIA })
    const player = createTestPlayer(SHOW, { media: MEDIA })
    const server = setupServer(...before.handlers)
    server.listen({ onUnhandledRequest: 'error' })
    await createClient({ baseUrl: before.baseUrl }).play(BED.tense)
    server.use(...player.handlers)
    try {
      const { client, stop, modes, runs } = watched(player)
      await player.advance(100)
      await client.play(BED.warm)
      await player.advance(5000)
      await before.advance(5000)
      const way = 'WebSocket' in globalThis ? 'live' : 'events'
      expect([modes, runs]).toEqual([[way], ['starting', 'playing']])
      stop()
      await player.settled()
    } finally {
      server.close()
    }
  })
}
