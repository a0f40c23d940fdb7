// Lamps in the daemon: whether anything is sent to them, what the log says, how a page sees them.
import { beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { liveSource, type LiveSourceOptions } from '../../src/daemon/live-source.js'
import { openLights } from '../../src/daemon/lights-start.js'
import type { Config } from '../../src/io/config.js'
import type { LightsOptions } from '../../src/io/lights/lights.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

const opened: LightsOptions[] = []
vi.mock('../../src/io/lights/lights.js', () => ({
  Lights: function open(options: LightsOptions) {
    opened.push(options)
  },
}))
beforeEach(() => {
  opened.length = 0
})

const lines: unknown[] = []
const open = (enabled: boolean, entitled: boolean): LightsOptions | undefined => {
  const config = {
    dmx: { enabled, output: 'artnet', host: '10.0.0.9', port: 6454 },
    entitlements: { api: true, dmx: entitled },
  } as unknown as Config
  const log = {
    info: (line: string) => lines.push(line),
    error: (facts: object, line: string) => lines.push([facts, line]),
  }
  openLights({ config, timers: new VirtualTimers(0) }, new SharedArrayBuffer(8), log as never)
  return opened[0]
}

it.each([
  [true, true, 'artnet'], [false, true, 'none'], [true, false, 'none'], [false, false, 'none'],
])('switched on %s, entitled %s: they are sent by %s', (enabled, entitled, output) => {
  expect(open(enabled, entitled)).toMatchObject({ output, host: '10.0.0.9' })
})

it('why they are not sent is an error in the log, and that they are again is none', () => {
  const lights = open(true, true)
  lights?.changed({ state: 'failing', message: 'no route', universes: 1 })
  lights?.changed({ state: 'ok', message: null, universes: 1 })
  expect(lines).toEqual([[{ detail: 'no route' }, 'lights are not sent'], 'lights ok'])
})

it('a page sees them at the moment, as late as the sound that they go with', () => {
  const asked: unknown[] = []
  const source = liveSource({
    player: {
      present: () => ({ frame: 48_000, latency: 4_800 }), readModel: { lamps: ['of a run'] },
    },
    lights: { at: (...about: readonly unknown[]) => asked.push(about) },
  } as unknown as LiveSourceOptions)
  expect(source.look().frame).toBe(48_000)
  expect(asked).toEqual([[48_000, ['of a run'], 4_800]])
})
