// A background and a watch while the real daemon is killed, ends in order, or reads its show again.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { Background, createClient, watch, type Client } from '../../src/client/client.js'
import { buttonOf, ServedShow, until } from './client-daemon.js'

/** From the moment at which the daemon answers again. */
const RIGHT_MS = 3_000

const show = new ServedShow([60_000, 60_000])
let client: Client
beforeAll(async () => {
  await show.start()
  client = createClient({ baseUrl: show.baseUrl, webSocket: WebSocket })
})
afterAll(() => show.clean())

const ended = async (): Promise<void> => {
  process.kill(show.pid, 'SIGTERM')
  await until(async () => client.status().then(() => false, () => true), 5_000)
  await show.kill()
  await show.start()
}
const killed = async (): Promise<void> => {
  await show.kill()
  await show.start()
}
const reloaded = async (): Promise<void> => {
  appendFileSync(join(show.folder, 'show.json'), ' ')
  process.kill(show.pid, 'SIGHUP')
  await sleep(300)
}

describe.each([
  ['kill -9', killed, true], ['SIGTERM', ended, true], ['a reload of the show', reloaded, false],
] as const)('after %s', (_how, happens, isLost) => {
  test.each(['playing', 'paused'] as const)('a bed that is %s is right again', async (state) => {
    const runs: string[] = []
    const stop = watch(client, { onRun: (run) => runs.push(run.state) })
    const background = new Background(client, {
      beds: [buttonOf(1)], pollMs: 100, timeoutMs: 1_000, whenLost: 'start',
    })
    await background.start()
    if (state === 'paused') await background.pause({ fadeOutMs: 0 })
    const first = background.executionId
    await happens()
    const again = performance.now()
    const left = (): number => RIGHT_MS - (performance.now() - again)
    const isNew = (): boolean => (background.executionId !== first) === isLost
    if (state === 'playing') {
      await until(() => background.state === 'playing' && isNew(), left())
      const { active } = await client.status()
      expect(active.map(({ executionId }) => executionId)).toEqual([background.executionId])
    } else {
      // The app wanted silence: none begins by itself, and it comes with the resume.
      expect((await client.status()).active).toEqual([])
      await background.resume({ fadeInMs: 0 }).catch(() => undefined)
      if (!isLost) await until(() => background.state === 'playing' && isNew(), left())
    }
    await until(() => runs.length > 0, RIGHT_MS)
    background.close()
    stop()
    await client.panic({ fadeOutMs: 0 })
  }, 40_000)
})
