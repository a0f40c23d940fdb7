// A small app and its evening, for every place in which an app may be tested.
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { Background, createClient, watch, type CartwallEvent } from '../../src/client/client.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
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
}
