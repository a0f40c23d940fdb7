// Section 6: what a reader of events sees over real connections, and what it is told again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVENTS, type EventName } from '../../src/contract/schemas.js'
import { LIMITS } from '../../src/contract/limits.js'
import { frame } from '../../src/clock/frame.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { closeServer } from '../../src/api/shutdown.js'
import { BUTTON, LIGHT_RUN, RUN } from '../api/fake-player.js'
import { EventStream } from '../api/event-stream.js'
import { API, errorOf, listen, serve, type Served } from '../api/served.js'

let served: Served
let port = 0
const streams: EventStream[] = []
beforeEach(async () => {
  served = serve(null)
  port = await listen(served)
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  await closeServer(served.app, served.timers, 200)
})

const open = async (headers: Record<string, string> = {}, reads = true): Promise<EventStream> => {
  const stream = await EventStream.open(port, headers, reads)
  streams.push(stream)
  return stream
}

const at = frame(48_000)
const runAt = (positionMs: number): EngineEvent => ({
  kind: 'run', at, executionId: RUN, buttonId: BUTTON, state: 'playing', endReason: null,
  positionMs, durationMs: 60_000, startMs: 0, endMs: null, cause: 'command', message: null,
  birth: null,
})
const positions = (stream: EventStream): unknown[] =>
  stream.events.map((event) => (event.data as { positionMs?: number }).positionMs)
const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)
const tellRuns = (from: number, to: number): void => {
  for (const n of upTo(from, to)) served.player.tell(runAt(n))
}

describe('a stream', () => {
  it('is server-sent events that any page may read, and nothing may keep or hold up', async () => {
    const stream = await open()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream', 'access-control-allow-origin': '*',
      // nginx collects what it passes on, and proxies that compress do, until they are told not to.
      'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no',
    })
    await stream.until(() => stream.retryMs > 0, 1_000)
    expect(stream.events).toEqual([])
  })

  it('tells every kind of change as the contract has it', async () => {
    const stream = await open()
    const message = 'x'.repeat(5_000)
    const happened: EngineEvent[] = [
      {
        ...runAt(7), state: 'failed', endReason: 'playback_error', cause: 'decoder', message,
      } as EngineEvent,
      { kind: 'wrap', at, executionId: RUN, buttonId: BUTTON, positionMs: 250, passes: 3 },
      {
        kind: 'duration', at, executionId: RUN, buttonId: BUTTON, durationMs: 60_000, startMs: 250,
        endMs: 59_000,
      },
      { kind: 'image', at, buttonId: BUTTON, shown: true },
      {
        kind: 'dmx', at, dmxExecutionId: LIGHT_RUN, buttonId: BUTTON, change: 'chasing',
        positionMs: 1.5,
      },
      { kind: 'output', at, available: false, message: 'unplugged\nand gone' },
      { kind: 'catalogue', at, change: 'replaced', message: null },
      { kind: 'catalogue', at, change: 'kept', message },
      { kind: 'notice', at, buttonId: null, executionId: null, message: 'passed over' },
    ]
    for (const event of happened) served.player.tell(event)
    await stream.until(() => stream.events.length >= happened.length, 2_000)
    for (const { name, data } of stream.events) {
      expect(EVENTS[name as EventName].strict().parse(data)).toEqual(data)
    }
    const run = {
      executionId: RUN, buttonId: BUTTON, state: 'failed', positionMs: 7, durationMs: 60_000,
      endReason: 'playback_error', startMs: 0, endMs: null, cause: 'decoder',
      message: message.slice(0, 1_000),
    }
    expect(stream.events.map(({ name, data }) => [name, data])).toEqual([
      ['run', run],
      ['wrap', { executionId: RUN, buttonId: BUTTON, positionMs: 250, passes: 3 }],
      ['duration', {
        executionId: RUN, buttonId: BUTTON, durationMs: 60_000, startMs: 250, endMs: 59_000,
      }],
      ['image', { buttonId: BUTTON, isShown: true }],
      ['dmx', { dmxExecutionId: LIGHT_RUN, buttonId: BUTTON, change: 'chasing', positionMs: 1.5 }],
      ['audio', { state: 'unavailable', message: 'unplugged\nand gone' }],
      ['catalogue', { change: 'replaced', message: null }],
      ['catalogue', { change: 'kept', message: message.slice(0, 1_000) }],
      ['notice', { buttonId: null, executionId: null, message: 'passed over' }],
    ])
  })

  it('stands behind every guard, and answers HEAD', async () => {
    const ask = (method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS', host = served.daemon.authority) =>
      served.app.inject({ method, url: `${API}/events`, headers: { host } })
    expect(errorOf(await ask('GET', 'evil.example'))).toBe('host_rejected')
    const wrong = await ask('POST')
    expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, 'GET, HEAD'])
    const preflight = await ask('OPTIONS')
    expect(preflight.headers['access-control-allow-headers']).toContain('Last-Event-ID')
    const head = await ask('HEAD')
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200, 'text/event-stream', '',
    ])
    served.daemon.entitled = false
    expect(errorOf(await ask('GET'))).toBe('license_restricted')
  })

  it('is refused where too many read already, and again given when one has gone', async () => {
    // HEAD takes no place, and needs none.
    const head = () => served.app.inject({
      method: 'HEAD', url: `${API}/events`, headers: { host: served.daemon.authority },
    })
    expect((await head()).statusCode).toBe(200)
    const all = await Promise.all(Array.from({ length: LIMITS.eventReaders }, () => open()))
    expect(all.filter((stream) => stream.status !== 200)).toEqual([])
    expect((await head()).statusCode).toBe(200)
    const refused = await open()
    await refused.until(() => refused.over === 'end', 1_000)
    expect([refused.status, errorOf({ body: refused.text })]).toEqual([503, 'too_many_readers'])
    all[3]?.close()
    let status = 0
    for (let n = 0; n < 100 && status !== 200; n += 1) status = (await open()).status
    expect(status).toBe(200)
  })
})

describe('a reader that comes back', () => {
  it('is told what it missed, once and in order, and then what happens', async () => {
    const first = await open()
    tellRuns(1, 5)
    await first.until(() => first.events.length === 5, 1_000)
    expect(new Set(first.events.map((event) => event.id)).size).toBe(5)
    first.close()
    tellRuns(6, 300)
    const again = await open({ 'last-event-id': first.lastId })
    tellRuns(301, 310)
    await again.until(() => again.events.length >= 305, 2_000)
    expect(positions(again)).toEqual(upTo(6, 310))
  })

  it('goes on from an id that it got before anything happened', async () => {
    const first = await open()
    await first.until(() => first.lastId !== '', 1_000)
    first.close()
    tellRuns(1, 3)
    const again = await open({ 'last-event-id': first.lastId })
    await again.until(() => again.events.length >= 3, 1_000)
    expect(positions(again)).toEqual([1, 2, 3])
  })

  it('is told to start over after a gap, and only then', async () => {
    const first = await open()
    tellRuns(1, 1)
    await first.until(() => first.events.length === 1, 1_000)
    first.close()
    tellRuns(2, LIMITS.eventsKept + 1)
    const whole = await open({ 'last-event-id': first.lastId })
    await whole.until(() => whole.events.length >= LIMITS.eventsKept, 5_000)
    expect(positions(whole)).toEqual(upTo(2, LIMITS.eventsKept + 1))
    served.player.tell(runAt(9))
    const torn = await open({ 'last-event-id': first.lastId })
    served.player.tell(runAt(10))
    await torn.until(() => torn.events.length >= 2, 1_000)
    expect(torn.events.map(({ name, data }) => [name, data])).toEqual([
      ['reset', { reason: 'gap' }], ['run', expect.objectContaining({ positionMs: 10 })],
    ])
    // After it, its place is known again.
    const place = torn.events[0]!.id
    const next = await open({ 'last-event-id': place })
    await next.until(() => next.events.length >= 1, 1_000)
    expect(positions(next)).toEqual([10])
  })

  it.each(['0123456789ab-3', 'x', 'nonsense-7', '-', '1, 2'])('starts over from %j', async (id) => {
    const stream = await open({ 'last-event-id': id })
    await stream.until(() => stream.events.length >= 1, 1_000)
    const reason = id === '0123456789ab-3' ? 'restarted' : 'unknown_id'
    expect(stream.events[0]).toMatchObject({ name: 'reset', data: { reason } })
  })

  it('starts over from an id of this service that was never given', async () => {
    const first = await open()
    await first.until(() => first.lastId !== '', 1_000)
    const ahead = await open({ 'last-event-id': first.lastId.replace(/\d+$/, '99') })
    await ahead.until(() => ahead.events.length >= 1, 1_000)
    expect(ahead.events[0]).toMatchObject({ name: 'reset', data: { reason: 'unknown_id' } })
  })
})

describe('many readers', () => {
  it('100 of them hear 1000 events each, none lost, with memory to spare', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => open()))
    const before = process.memoryUsage().rss
    for (let n = 1; n <= 1_000; n += 20) {
      tellRuns(n, n + 19)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(all.map((one) => one.until(() => one.events.length >= 1_000, 20_000)))
    for (const one of all) expect(positions(one)).toEqual(upTo(1, 1_000))
    // Readers and their parsed events are in this process too.
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400)
  })

  it('one that never reads is cut, comes back to all it missed, and the rest go on', async () => {
    const good = await Promise.all([open(), open(), open()])
    const stuck = await open({}, false)
    let told = 0
    const notice = (): void => {
      told += 1
      const message = String(told).padEnd(1_000, '.')
      served.player.tell({ kind: 'notice', at, buttonId: null, executionId: null, message })
    }
    const connections = (): Promise<number> =>
      new Promise((resolve) => served.app.server.getConnections((_error, count) => resolve(count)))
    while ((await connections()) === 4) {
      for (let n = 0; n < 50; n += 1) notice()
      await Promise.all(good.map((one) => one.until(() => one.events.length === told, 5_000)))
      if (told > 60_000) throw new Error('it was never cut')
    }
    stuck.resume()
    await stuck.until(() => stuck.over !== null, 5_000)
    expect(stuck.over).toBe('cut')
    const numbers = (stream: EventStream): number[] =>
      stream.events.map(({ data }) => parseInt((data as { message: string }).message, 10))
    for (const one of good) expect(numbers(one)).toEqual(upTo(1, told))
    const back = await open({ 'last-event-id': stuck.lastId })
    const heard = numbers(stuck).length
    await back.until(() => back.events.length >= told - heard, 5_000)
    expect([...numbers(stuck), ...numbers(back)]).toEqual(upTo(1, told))
  })
})

describe('the end of the service', () => {
  it('comes after the last runs have ended, in order, and soon', async () => {
    const stream = await open()
    served.daemon.shuttingDown = true
    const closed = closeServer(served.app, served.timers, 20_000)
    const begun = performance.now()
    // Some answers of the player later, its last run has ended.
    const { state } = served.player
    let asked = 0
    served.player.status = () => {
      asked += 1
      if (asked < 4) return state
      if (asked === 4) served.player.tell(runAt(1))
      return { ...state, state: 'shutting_down' }
    }
    await closed
    // Nobody waited for the deadline.
    expect(performance.now() - begun).toBeLessThan(10_000)
    await stream.until(() => stream.over !== null, 1_000)
    expect(stream.over).toBe('end')
    expect(stream.events.map(({ name }) => name)).toEqual(['run', 'service'])
  })

  it('waits for no player that has stopped to answer', async () => {
    const stream = await open()
    served.daemon.shuttingDown = true
    const begun = performance.now()
    await closeServer(served.app, served.timers, 800)
    expect(performance.now() - begun).toBeLessThan(5_000)
    await stream.until(() => stream.over !== null, 1_000)
    const last = { name: 'service', data: { state: 'shutting_down' } }
    expect(stream.events.at(-1)).toMatchObject(last)
    expect(served.player.listeners.size).toBe(0)
  })
})
