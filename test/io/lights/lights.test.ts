// A lights thread that died is replaced, and the next one lights what is lit by then.
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { createTimeMemory } from '../../../src/clock/shared-time.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import { Lights, type LightsStatus } from '../../../src/io/lights/lights.js'
import type { ToLights } from '../../../src/io/lights/lights-messages.js'
import { DmxRig, ms } from '../../engine/dmx/dmx-rig.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of threads: each keeps what it was told. */
class Thread extends EventEmitter {
  readonly told: ToLights[] = []
  isTerminated = false

  constructor() {
    super()
    threads.push(this)
  }

  postMessage(message: ToLights): void {
    this.told.push(message)
  }

  terminate(): Promise<void> {
    this.isTerminated = true
    return Promise.resolve()
  }
}
const threads: Thread[] = []
/** What each was begun with. */
const setups: unknown[] = []
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: function open(_program: URL, { workerData }: { workerData: unknown }) {
    setups.push(workerData)
    return new Thread()
  },
}))

beforeEach(() => {
  threads.length = 0
  setups.length = 0
})

it('with the timelines and the runs of the moment, not of its own beginning', () => {
  const timers = new VirtualTimers(0)
  const states: LightsStatus['state'][] = []
  const lights = new Lights({
    timers, output: 'artnet', host: '127.0.0.1', port: 6454, onStop: 'blackout', offsetMs: 0,
    time: createTimeMemory(), changed: ({ state }) => states.push(state),
  })
  const timeline = buildTimeline(frame(48_000), [{
    universe: 0, slot: 0, wide: false, at: [0], value: [9], curve: ['step'],
  }])
  const dmx = new DmxRig()
  lights.setTimelines(new Map([['timeline of a', timeline]]))
  lights.update(dmx.runs.views(), 0)
  dmx.run(ms(0), 'a', { durationMs: 60_000, loop: false })
  threads[0]!.emit('exit')
  // It starts while no thread is there.
  lights.update(dmx.runs.views(), 960)
  // The show is read anew; what runs goes on.
  const timelines = new Map([['timeline of a', timeline], ['timeline of b', timeline]])
  lights.setTimelines(timelines)
  timers.pass(1_000)
  expect(threads).toHaveLength(2)
  expect(threads[1]!.told).toEqual([
    { kind: 'timelines', timelines },
    { kind: 'update', views: dmx.runs.views(), latencyFrames: 960 },
  ])
  expect(dmx.runs.views()).toHaveLength(1)
  threads[1]!.emit('message', { kind: 'state', state: 'ok', message: null })
  expect(states).toEqual(['failing', 'ok'])
})

it.each([0, 40, -20, 0.5])('they go by the configuration, with an offset of %d ms', (offsetMs) => {
  const [timers, time] = [new VirtualTimers(0), createTimeMemory()]
  new Lights({
    timers, time, output: 'artnet', host: '10.0.0.9', port: 6_455, onStop: 'hold', offsetMs,
    changed: () => undefined,
  })
  const asked = {
    host: '10.0.0.9', port: 6_455, onStop: 'hold', offsetFrames: offsetMs * 48, time,
  }
  expect(setups).toEqual([asked])
  threads[0]!.emit('exit')
  timers.pass(1_000)
  expect(setups).toEqual([asked, asked])
})

it('the status says what is wrong by now, and each change of it is told once', () => {
  const told: (string | null)[] = []
  const lights = new Lights({
    timers: new VirtualTimers(0), output: 'artnet', host: '127.0.0.1', port: 6454,
    onStop: 'blackout', offsetMs: 0, time: createTimeMemory(),
    changed: ({ message }) => told.push(message),
  })
  const [thread] = threads
  const failing = (message: string) => {
    thread!.emit('message', { kind: 'state', state: 'failing', message })
    return lights.status()
  }
  for (const message of ['no route', 'no route', 'no more packets']) {
    expect(failing(message)).toEqual({ state: 'failing', message, universes: 0 })
  }
  const died = 'the lights thread died: out of memory'
  thread!.emit('error', new Error('out of memory'))
  // What it said before may be read after its error: that is of another channel.
  thread!.emit('message', { kind: 'state', state: 'ok', message: null })
  thread!.emit('exit')
  expect(lights.status()).toEqual({ state: 'failing', message: died, universes: 0 })
  expect(told).toEqual(['no route', 'no more packets', died])
})

it('one that ends when it is told to is not replaced, and nothing more is told of it', async () => {
  const timers = new VirtualTimers(0)
  const states: LightsStatus['state'][] = []
  const lights = new Lights({
    timers, output: 'artnet', host: '127.0.0.1', port: 6454, onStop: 'blackout', offsetMs: 0,
    time: createTimeMemory(), changed: ({ state }) => states.push(state),
  })
  const closed = lights.close()
  expect(threads[0]!.told).toEqual([{ kind: 'close' }])
  threads[0]!.emit('message', { kind: 'closed' })
  threads[0]!.emit('exit')
  await closed
  timers.pass(10_000)
  expect([threads.length, states]).toEqual([1, []])
})

/** Lights that send, and what they told of their state. */
const opened = () => {
  const timers = new VirtualTimers(0)
  const told: (string | null)[] = []
  const lights = new Lights({
    timers, output: 'artnet', host: '127.0.0.1', port: 6454, onStop: 'blackout', offsetMs: 0,
    time: createTimeMemory(), changed: ({ message }) => told.push(message),
  })
  return { timers, told, lights }
}

describe('a lights thread that hangs', () => {
  const pong = (thread: Thread) => thread.emit('message', { kind: 'pong' })

  it('is told and replaced; what it says later counts no more', () => {
    const { timers, told, lights } = opened()
    lights.update([], 0)
    pong(threads[0]!)
    timers.pass(10_999)
    expect([threads.length, told]).toEqual([1, []])
    timers.pass(1)
    expect(lights.status().state).toBe('failing')
    expect([threads[0]!.isTerminated, told]).toEqual([true, ['the lights thread hangs']])
    timers.pass(1_000)
    threads[1]!.emit('message', { kind: 'state', state: 'ok', message: null })
    expect(threads[1]!.told).toContainEqual({ kind: 'update', views: [], latencyFrames: 0 })
    // The system lets go of it in the end.
    threads[0]!.emit('message', { kind: 'state', state: 'failing', message: 'no route' })
    threads[0]!.emit('error', new Error('out of memory'))
    threads[0]!.emit('exit')
    timers.pass(5_000)
    expect([threads.length, lights.status().state]).toEqual([2, 'ok'])
  })

  it('is none that answers, that still loads, or that ends', async () => {
    const { timers, told, lights } = opened()
    timers.pass(60_000)
    for (let n = 0; n < 60; n += 1) {
      pong(threads[0]!)
      timers.pass(1_000)
    }
    const closed = lights.close()
    threads[0]!.emit('message', { kind: 'closed' })
    await closed
    timers.pass(60_000)
    expect([threads.length, told]).toEqual([1, []])
  })
})

describe('lights that end', () => {
  const timeline = buildTimeline(frame(48_000), [{
    universe: 0, slot: 0, wide: false, at: [0], value: [9], curve: ['step'],
  }])
  const lit = () => {
    const all = opened()
    all.lights.setTimelines(new Map([['timeline of a', timeline]]))
    all.lights.update([], 0)
    return all
  }
  const over = (closed: Promise<void>) => {
    const state = { isOver: false }
    void closed.then(() => (state.isOver = true))
    return state
  }
  const settled = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) await Promise.resolve()
  }

  it('are waited for until their last look is out, for 1.5 s at most', async () => {
    for (const ends of ['closed', 'exit', 'late'] as const) {
      threads.length = 0
      const { timers, lights } = lit()
      const close = over(lights.close())
      timers.pass(1_499)
      await settled()
      expect([close.isOver, threads[0]!.isTerminated]).toEqual([false, false])
      if (ends === 'closed') threads[0]!.emit('message', { kind: 'closed' })
      else if (ends === 'exit') threads[0]!.emit('exit')
      else timers.pass(1)
      await settled()
      expect([close.isOver, threads[0]!.isTerminated]).toEqual([true, true])
      // Who closes twice closes once.
      await lights.close()
      expect(threads[0]!.told.filter(({ kind }) => kind === 'close')).toHaveLength(1)
    }
  })

  it('after their thread died go dark by another one, which is told of no run', async () => {
    const { timers, told, lights } = lit()
    threads[0]!.emit('exit')
    const close = over(lights.close())
    expect(threads[1]!.told).toEqual([
      { kind: 'timelines', timelines: new Map([['timeline of a', timeline]]) }, { kind: 'close' },
    ])
    threads[1]!.emit('message', { kind: 'closed' })
    await settled()
    expect([close.isOver, threads[1]!.isTerminated]).toEqual([true, true])
    timers.pass(10_000)
    expect([threads.length, told]).toEqual([2, ['the lights thread died']])
  })

  it('by a fault of their thread come back after a second', () => {
    const { timers } = lit()
    threads[0]!.emit('exit')
    timers.pass(999)
    expect(threads).toHaveLength(1)
    timers.pass(1)
    expect(threads).toHaveLength(2)
  })
})

it('without an output nothing is begun, and the universes are counted all the same', async () => {
  const lights = new Lights({
    timers: new VirtualTimers(0), output: 'none', host: null, port: 6454, onStop: 'blackout',
    offsetMs: 0, time: createTimeMemory(), changed: () => undefined,
  })
  const lamps = (...universes: readonly number[]) =>
    buildTimeline(frame(48_000), universes.map((universe) => ({
      universe, slot: 0, wide: false, at: [0], value: [9], curve: ['step'],
    })))
  lights.setTimelines(new Map([['a', lamps(1, 2)], ['b', lamps(2, 3)]]))
  lights.setTimelines(new Map([['c', lamps(7)]]))
  lights.update([], 0)
  expect(lights.status()).toEqual({ state: 'off', message: null, universes: 4 })
  await lights.close()
  expect(threads).toEqual([])
})
