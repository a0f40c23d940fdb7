// A request that the service did not get in time (408) did nothing: it is asked again, and is no
// end of a list or of lights.
import { describe, expect, test } from 'vitest'
import { Background, createClient, DmxSync } from '../../src/client/client.js'
import { BED, LIT, quiz } from './quiz-show.js'

/** A client; from `arm` on, the next of its requests to such an address is answered by 408. */
const scene = () => {
  const { player } = quiz()
  const it = { awaited: '', met: 0 }
  const late = { error: 'request_timeout', message: 'the request did not arrive in time' }
  const client = createClient({
    ...player.clientOptions, webSocket: null,
    fetch: async (url, init) => {
      if (it.awaited === '' || !url.includes(it.awaited)) return player.fetch(url, init)
      it.awaited = ''
      it.met += 1
      return new Response(JSON.stringify(late), { status: 408 })
    },
  })
  const arm = (address: string): void => void (it.awaited = address)
  const background = new Background(client, { beds: [BED.warm], events: false })
  return { player, client, background, arm, met: () => it.met }
}

describe('408 to a background', () => {
  test.each(['/buttons', '/play'])('on %s: its start is carried out', async (address) => {
    const { player, background, arm, met } = scene()
    arm(address)
    const start = background.start()
    await player.advance(2_000)
    await start
    expect([met(), background.state]).toEqual([1, 'playing'])
    expect(player.heard()).toHaveLength(1)
    background.close()
  })

  test('that looks at its bed: it plays on', async () => {
    const { player, background, arm, met } = scene()
    await background.start()
    await player.advance(2_000)
    arm('/executions/')
    await player.advance(5_000)
    expect([met(), background.state, background.reason]).toEqual([1, 'playing', null])
    background.close()
  })

  test('that pauses, resumes and stops: all of it is carried out', async () => {
    const { player, background, arm, met } = scene()
    await background.start()
    for (const [wish, state] of [
      ['pause', 'paused'], ['resume', 'playing'], ['stop', 'stopped'],
    ] as const) {
      await player.advance(2_000)
      arm(`/${wish}`)
      const done = background[wish]()
      await player.advance(2_000)
      await done
      expect(background.state).toBe(state)
    }
    expect(met()).toBe(3)
    await player.advance(3_000)
    expect((await background.client.status()).active).toEqual([])
    background.close()
  })
})

test('408 to a message of lights: they follow on', async () => {
  const { player, client, arm, met } = scene()
  const { dmxExecutionId } = await client.play(LIT)
  const sync = new DmxSync(client, {
    buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '',
    clock: () => ({ positionMs: player.now(), isPlaying: true }),
  })
  sync.start()
  await player.advance(1_000)
  arm('/dmx/sync')
  await player.advance(2_000)
  expect([met(), sync.end]).toEqual([1, null])
  expect(sync.answer?.sequence).toBe(sync.sequence)
  sync.stop()
})
