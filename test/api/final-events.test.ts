// The end of the service: the ends of the last runs are waited for, whatever it did before.
import { expect, it } from 'vitest'
import { finalEvents } from '../../src/api/final-events.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { SERVICE_STATES } from '../../src/contract/vocabulary.js'
import { FakePlayer } from './fake-player.js'
import { API, serve } from './served.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** After how long they are waited for no more, with an engine that ends everything after `ms`. */
const waitedMs = async (before: (typeof SERVICE_STATES)[number], ms: number): Promise<number> => {
  const timers = new VirtualTimers(0)
  const player = new FakePlayer()
  const { state: status } = player
  player.status = () => ({ ...status, state: timers.nowMs() < ms ? before : 'shutting_down' })
  const ends: number[] = []
  void finalEvents(player, timers).then(() => ends.push(timers.nowMs()))
  await settled()
  while (ends.length === 0 && timers.nowMs() < 1_000) {
    timers.pass(5)
    await settled()
  }
  expect(timers.size).toBe(0)
  return ends[0] ?? Infinity
}

it.each(SERVICE_STATES.filter((state) => state !== 'shutting_down'))(
  'of a service that was %s are waited for, and not much longer', async (before) => {
    expect(await waitedMs(before, 0)).toBe(0)
    for (const ms of [5, 100, 250]) {
      const waited = await waitedMs(before, ms)
      expect([waited >= ms, waited <= ms + 20]).toEqual([true, true])
    }
  },
)

it('of an engine that says nothing any more are waited for a third of a second', async () => {
  const waited = await waitedMs('ready', Infinity)
  expect([waited >= 300, waited <= 320]).toEqual([true, true])
})

it('are for whoever listens: without anybody a service that ends waits for none', async () => {
  const closedAfter = async (listens: boolean): Promise<number> => {
    const timers = new VirtualTimers(0)
    const { app, daemon } = serve(null, timers)
    const headers = { host: daemon.authority }
    const url = `${API}/events`
    if (listens) await app.inject({ url, headers, payloadAsStream: true })
    daemon.shuttingDown = true
    const ends: number[] = []
    void app.close().then(() => ends.push(timers.nowMs()))
    // A server that closes takes some turns of Node's own.
    for (let n = 0; n < 20; n += 1) await settled()
    while (ends.length === 0 && timers.nowMs() < 1_000) {
      timers.pass(5)
      for (let n = 0; n < 20; n += 1) await settled()
    }
    return ends[0] ?? Infinity
  }
  expect(await closedAfter(false)).toBe(0)
  expect(await closedAfter(true)).toBeGreaterThanOrEqual(300)
})
