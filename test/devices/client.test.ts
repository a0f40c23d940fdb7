// The client and its rules against the real daemon: killed in mid-list, behind a proxy that eats.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Background, createClient, watch, type Client } from '../../src/client/client.js'
import { buttonOf, proxyTo, ServedShow, type Proxy, until } from './client-daemon.js'

const BEDS = [buttonOf(1), buttonOf(2), buttonOf(3)]

/** How many runs the daemon has started, by its log; a repeated answer names the same run. */
const startsOf = (show: ServedShow): number => {
  const lines = show.log.split('\n').filter((line) => /"command":"(play|restart)"/.test(line))
  const ids = lines.map((line) => /"executionId":"([0-9a-f-]+)"/.exec(line)?.[1])
  return new Set(ids.filter((id) => id !== undefined)).size
}

describe('a daemon that is killed in mid-list and begun again', () => {
  const show = new ServedShow([1500, 60_000, 1500])
  let client: Client
  beforeAll(async () => {
    await show.start()
    client = createClient({ baseUrl: show.baseUrl })
  })
  afterAll(() => show.clean())

  test('halts the list there; the app decides, and the list goes on', async () => {
    const story: string[] = []
    const background = new Background(client, {
      beds: BEDS, pollMs: 100, timeoutMs: 1000,
      onChange: ({ state, index, reason }) => story.push(`${index} ${reason ?? state}`),
    })
    await background.start()
    await until(() => background.index === 1 && background.state === 'playing')
    await show.kill()
    await sleep(1000)
    expect(background).toMatchObject({ state: 'playing', index: 1 })
    await show.start()
    await until(() => background.state === 'halted')
    expect(background).toMatchObject({ reason: 'lost', index: 1 })
    expect((await client.status()).active).toEqual([])
    await background.start(2)
    await until(() => background.state === 'finished')
    background.close()
    // That nobody answers is told too, where it takes long enough to be noticed.
    expect(story.filter((told) => told !== '1 away')).toEqual([
      '0 starting', '0 playing', '1 starting', '1 playing', '1 lost', '2 starting', '2 playing',
      '2 finished',
    ])
  })

  test('or the same bed begins again, where the app asked for that', async () => {
    const background = new Background(client, {
      beds: BEDS, pollMs: 100, timeoutMs: 1000, whenLost: 'start',
    })
    await background.start(1)
    const first = background.executionId
    await show.kill()
    await show.start()
    await until(() => background.executionId !== null && background.executionId !== first)
    expect(background).toMatchObject({ state: 'playing', index: 1 })
    expect((await client.status()).active).toHaveLength(1)
    await background.stop({ fadeOutMs: 0 })
    background.close()
  })

  test('is watched across: away, then there again, by the best way there is', async () => {
    // Node has WebSockets since 22.
    const best = 'WebSocket' in globalThis ? 'live' : 'events'
    const modes: string[] = []
    const runs: string[] = []
    const stop = watch(client, {
      pollMs: 100, onMode: (mode) => modes.push(mode), onRun: (run) => runs.push(run.state),
    })
    await until(() => modes.includes(best))
    await show.kill()
    await until(() => modes.includes('away'))
    await show.start()
    await until(() => modes.at(-1) === best)
    await client.play(buttonOf(3))
    await until(() => runs.includes('completed'))
    stop()
  })
})

describe('answers that are lost', () => {
  const show = new ServedShow([60_000, 60_000, 60_000])
  let proxy: Proxy
  let client: Client
  beforeAll(async () => {
    await show.start()
    proxy = await proxyTo(show.port)
    client = createClient({ baseUrl: proxy.baseUrl })
  })
  afterEach(async () => {
    proxy.fate = () => 'pass'
    await client.panic({ fadeOutMs: 0 })
  })
  afterAll(async () => {
    await proxy.close()
    await show.clean()
  })

  test('a retry with the same key finds the first answer: one run', async () => {
    const before = startsOf(show)
    let eaten = 2
    proxy.fate = () => ((eaten -= 1) >= 0 ? 'eat answer' : 'pass')
    const start = () => client.restart(buttonOf(1), null, { idempotencyKey: 'lost-answer' })
    await expect(start()).rejects.toThrow()
    await expect(start()).rejects.toThrow()
    const { executionId } = await start()
    expect((await client.status()).active).toMatchObject([{ executionId }])
    await until(() => startsOf(show) > before)
    expect(startsOf(show) - before).toBe(1)
  })

  test('a timeout and the retry after it: one run', async () => {
    const before = startsOf(show)
    proxy.fate = (n) => (n > 0 ? 'hold answer' : 'pass')
    const call = { idempotencyKey: 'timeout', signal: AbortSignal.timeout(300) }
    await expect(client.restart(buttonOf(2), null, call)).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    proxy.fate = () => 'pass'
    await client.restart(buttonOf(2), null, { idempotencyKey: 'timeout' })
    await until(() => startsOf(show) > before)
    expect(startsOf(show) - before).toBe(1)
  })

  test('a double click: one run, and both clicks hear of the same', async () => {
    const before = startsOf(show)
    const click = () => client.restart(buttonOf(3), null, { idempotencyKey: 'click' })
    const [one, two] = await Promise.all([click(), click()])
    expect(one).toEqual(two)
    await until(() => startsOf(show) > before)
    expect(startsOf(show) - before).toBe(1)
    // Without the key the document holds: a restart is a restart.
    await Promise.all([client.restart(buttonOf(3)), client.restart(buttonOf(3))])
    await until(() => startsOf(show) - before === 3)
  })

  test('a key belongs to one request', async () => {
    await client.play(buttonOf(1), null, { idempotencyKey: 'once' })
    const again = client.play(buttonOf(2), null, { idempotencyKey: 'once' })
    await expect(again).rejects.toMatchObject({ status: 409, code: 'idempotency_conflict' })
  })

  test.each(['eat request', 'eat answer', 'hold answer'] as const)(
    'Background comes through when the first two commands meet: %s',
    async (fate) => {
      const before = startsOf(show)
      let left = 2
      proxy.fate = () => ((left -= 1) >= 0 ? fate : 'pass')
      const background = new Background(client, { beds: BEDS, pollMs: 100, timeoutMs: 400 })
      await background.start()
      expect(background.state).toBe('playing')
      const { executionId } = background
      await background.pause({ fadeOutMs: 0 })
      await background.resume({ fadeInMs: 0 })
      expect((await client.status()).active).toMatchObject([{ executionId }])
      await until(() => startsOf(show) > before)
      expect(startsOf(show) - before).toBe(1)
      background.close()
    },
  )
})
