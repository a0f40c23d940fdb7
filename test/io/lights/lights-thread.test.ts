// The lights thread from its port to the wire: what is sent again, and the last look three times.
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { TimeWriter, createTimeMemory } from '../../../src/clock/shared-time.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import type { CompiledTimeline } from '../../../src/engine/lighting/timeline.js'
import type { ArtnetState } from '../../../src/io/lights/artnet.js'
import type { FromLights, LightsSetup, ToLights } from '../../../src/io/lights/lights-messages.js'
import { DmxRig, ms } from '../../engine/dmx/dmx-rig.js'

/** The thread's world: its port, its time, its socket; and what came of them. */
class World extends EventEmitter {
  readonly timers = new VirtualTimers(0)
  readonly told: FromLights[] = []
  readonly sent: (readonly [universe: number, first: number])[] = []
  state: ArtnetState = { state: 'ok', message: null }
  isPortClosed = false
  isSocketClosed = false
  changed: (state: ArtnetState) => void = () => undefined
  opened: () => void = () => undefined

  postMessage(message: FromLights): void {
    this.told.push(message)
  }

  close(): void {
    this.isPortClosed = true
  }

  say(message: ToLights): void {
    this.emit('message', message)
  }
}

const setup: LightsSetup = {
  host: '127.0.0.1', port: 6_454, onStop: 'blackout', offsetFrames: 0, time: createTimeMemory(),
}
let world: World
vi.mock('node:worker_threads', () => ({
  workerData: setup,
  get parentPort() {
    return world
  },
}))
vi.mock('../../../src/io/thread-priority.js', () => ({ hurryLights: () => undefined }))
vi.mock('../../../src/clock/real.js', () => ({ realTimers: () => world.timers }))
vi.mock('../../../src/io/lights/artnet.js', () => ({
  ArtnetOutput: class {
    constructor(
      _options: unknown, _timers: unknown, changed: (state: ArtnetState) => void,
      opened: () => void,
    ) {
      world.changed = changed
      world.opened = opened
    }

    get state(): ArtnetState {
      return world.state
    }

    send(universe: number, slots: Uint8Array): void {
      world.sent.push([universe, slots[0] ?? -1])
    }

    flush(): Promise<void> {
      return Promise.resolve()
    }

    close(): void {
      world.isSocketClosed = true
    }
  },
}))

const lit = (value: number, ...universes: readonly number[]): CompiledTimeline =>
  buildTimeline(frame(48_000), universes.map((universe) => ({
    universe, slot: 0, wide: false, at: [0], value: [value], curve: ['step' as const],
  })))

/** Messages that came together are one frame: it is sent in the next turn. */
const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

const sentIn = async (act: () => void): Promise<readonly (readonly number[])[]> => {
  world.sent.length = 0
  act()
  await turn()
  return [...world.sent]
}

beforeEach(async () => {
  world = new World()
  vi.resetModules()
  await import('../../../src/io/lights/lights-thread.js')
  const timelines = new Map([['timeline of a', lit(9, 3, 4)]])
  expect(await sentIn(() => world.say({ kind: 'timelines', timelines }))).toEqual([[3, 0], [4, 0]])
  const dmx = new DmxRig()
  dmx.run(ms(0), 'a', { durationMs: 60_000, loop: true })
  const update = { kind: 'update', views: dmx.runs.views(), latencyFrames: 0 } as const
  expect(await sentIn(() => world.say(update))).toEqual([[3, 9], [4, 9]])
})

describe('the lights thread', () => {
  it('sends all anew where what was sent may not have arrived', async () => {
    expect(await sentIn(() => world.opened())).toEqual([[3, 9], [4, 9]])
    const failing: ArtnetState = { state: 'failing', message: 'no route' }
    expect(await sentIn(() => world.changed(failing))).toEqual([])
    expect(await sentIn(() => world.changed({ state: 'ok', message: null })))
      .toEqual([[3, 9], [4, 9]])
    expect(world.told.slice(1)).toEqual([
      { kind: 'state', ...failing }, { kind: 'state', state: 'ok', message: null },
    ])
  })

  it('sends a look that travels no sooner for news that are nothing to the lamps', async () => {
    const time = new TimeWriter(setup.time)
    time.write(0)
    const travels = buildTimeline(frame(48_000), [{
      universe: 3, slot: 0, wide: false, at: [0, 48_000], value: [100, 255],
      curve: ['linear', 'step'],
    }])
    await sentIn(() => {
      world.say({ kind: 'timelines', timelines: new Map([['timeline of b', travels]]) })
    })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'b', { durationMs: 1_000, loop: true })
    const news = (): void => {
      world.say({ kind: 'update', views: dmx.runs.views(), latencyFrames: 0 })
    }
    expect((await sentIn(news)).length).toBeGreaterThan(0)
    time.write(ms(400))
    expect(await sentIn(news)).toEqual([])
    dmx.runs.end(ms(410), 'button-a')
    expect(await sentIn(news)).toContainEqual([3, 0])
  })

  it.each([
    ['three times, a frame of DMX apart', 'ok', 3], ['once where it cannot leave', 'failing', 1],
  ] as const)('sends the last look %s; then it is over', async (_what, state, times) => {
    world.state = { state, message: null }
    world.sent.length = 0
    world.say({ kind: 'close' })
    for (let n = 1; n < times; n += 1) {
      await turn()
      world.timers.pass(24)
      await turn()
      expect([world.sent.length, world.isSocketClosed]).toEqual([2 * n, false])
      world.timers.pass(1)
    }
    await turn()
    expect(world.sent).toEqual(Array.from({ length: times }, () => [[3, 0], [4, 0]]).flat())
    expect(world.told.at(-1)).toEqual({ kind: 'closed' })
    expect([world.isSocketClosed, world.isPortClosed]).toEqual([true, true])
    // Whatever comes now comes too late: the lamps stay dark.
    expect(await sentIn(() => {
      world.opened()
      world.timers.pass(5_000)
    })).toEqual([])
  })
})
