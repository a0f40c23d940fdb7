// The client on a real WebSocket of the real daemon: where a run is, and a daemon that is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Background, createClient, watch, type Client } from '../../src/client/client.js'
import { buttonOf, ServedShow, until } from './client-daemon.js'

const show = new ServedShow([60_000, 60_000])
let client: Client
beforeAll(async () => {
  await show.start()
  client = createClient({ baseUrl: show.baseUrl, webSocket: WebSocket })
})
afterAll(() => show.clean())

test('is live, knows where a run is, and comes through a kill', async () => {
  const modes: string[] = []
  const watching = watch(client, { onMode: (mode) => modes.push(mode) })
  const background = new Background(client, {
    beds: [buttonOf(1), buttonOf(2)], whenLost: 'start',
  })
  await background.start()
  await until(() => modes.at(-1) === 'live' && background.execution !== null)
  await sleep(1500)
  const first = background.executionId
  const { positionMs } = await client.execution(first ?? '')
  // The reading is as old as what the output took last.
  expect(Math.abs((watching.positionMs(first ?? '') ?? 0) - positionMs)).toBeLessThan(250)
  await show.kill()
  await until(() => background.state === 'away')
  await show.start()
  await until(() => background.state === 'playing' && background.executionId !== first)
  await until(() => modes.at(-1) === 'live')
  expect(modes).toEqual(['live', 'away', 'live'])
  await background.stop({ fadeOutMs: 0 })
  background.close()
  watching()
})
