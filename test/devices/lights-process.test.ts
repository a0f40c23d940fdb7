// Lights beside the rest of a daemon: threads that die, large files, an output that is none.
import { realTimers } from '../../src/clock/real.js'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { DmxRuns } from '../../src/engine/dmx/dmx-runs.js'
import { Lights, type LightsStatus } from '../../src/io/lights/lights.js'
import { createTimeMemory, SharedEngineTime, TimeWriter } from '../../src/clock/shared-time.js'
import { compileText, timelineCompiler } from '../../src/io/timeline/timeline-file.js'
import { pause, until } from './lights-network.js'
import { mayAllBeUrgent, realtimeOf } from './thread-priorities.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-lights-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const small = (value: number): string => JSON.stringify({
  format: 'dmx-timeline', version: 1, durationMs: 1_000,
  tracks: [{ target: { universe: 5, channel: 1 }, keyframes: [[0, value]] }],
})

it('a lights thread that dies is said, survived and tried again; closing still works', async () => {
  const told: LightsStatus[] = []
  const lights = new Lights({
    timers: realTimers(),
    output: 'artnet', host: '127.0.0.1', port: 47_655, onStop: 'blackout', offsetMs: 0,
    // Memory that is too small: the thread cannot even start.
    time: new SharedArrayBuffer(8),
    changed: (status) => {
      told.push(status)
    },
  })
  // What its socket says first, e.g. that nobody listens, may be told before.
  const death = await until('the death is told', 5_000, () =>
    told.find(({ message }) => message?.startsWith('the lights thread died: ')) ?? null)
  expect(death.state).toBe('failing')
  lights.update([], 0)
  await pause(1_300)
  await lights.close()
})

it('a lights thread that died a moment before the end: the lamps go dark', async () => {
  const result = compileText(small(255))
  if (!result.ok) throw new Error('a good file')
  const slots: number[] = []
  const node = createSocket('udp4').on('message', (packet) => slots.push(packet[18] ?? -1))
  await new Promise<void>((bound) => node.bind(0, '127.0.0.1', bound))
  const time = createTimeMemory()
  new TimeWriter(time).write(48_000)
  const lights = new Lights({
    timers: realTimers(), output: 'artnet', host: '127.0.0.1', port: node.address().port,
    onStop: 'blackout', offsetMs: 0, time, changed: () => undefined,
  })
  lights.setTimelines(new Map([['a', result.timeline]]))
  const dmx = new DmxRuns(() => undefined, frame(0))
  const { durationFrames } = result.timeline
  const timeline = { timelineId: 'a', loop: true, durationFrames, error: null }
  const button = { id: 'a', title: '' }
  dmx.start(frame(0), { dmxExecutionId: '1', button, follows: 'itself', timeline })
  lights.update(dmx.views(), 0)
  await until('the lamp is lit', 5_000, () => slots.at(-1) === 255 ? true : null)
  // No list of views: it dies.
  lights.update(null as never, 0)
  await until('the thread died', 5_000, () => lights.status().state === 'failing' ? true : null)
  expect(slots.at(-1)).toBe(255)
  await lights.close()
  await until('the lamp is dark', 1_000, () => slots.at(-1) === 0 ? true : null)
  node.close()
})

// Beside a browser that opened pages a fade stood still for 0.19 s.
it.runIf(mayAllBeUrgent)('lights are sent before what other programs do', async () => {
  expect(realtimeOf(process.pid)).not.toContain(1)
  const lights = new Lights({
    timers: realTimers(), output: 'artnet', host: '127.0.0.1', port: 47_655, onStop: 'hold',
    offsetMs: 0, time: createTimeMemory(), changed: () => undefined,
  })
  await until('one thread is urgent', 5_000, () =>
    realtimeOf(process.pid).filter((priority) => priority === 1).length === 1 ? true : null)
  await lights.close()
})

it('with no output timelines count and nothing is sent', async () => {
  const result = compileText(small(1))
  if (!result.ok) throw new Error('a good file')
  const lights = new Lights({
    timers: realTimers(),
    output: 'none', host: null, port: 6454, onStop: 'blackout', offsetMs: 0,
    time: createTimeMemory(), changed: () => undefined,
  })
  lights.setTimelines(new Map([['a', result.timeline]]))
  lights.update([], 0)
  expect(lights.status()).toEqual({ state: 'off', message: null, universes: 1 })
  await lights.close()
})

it('time is read on between writes, holds when the engine stalls, never steps back', async () => {
  const memory = createTimeMemory()
  const time = new SharedEngineTime(memory)
  expect(time.nowFrame()).toBe(0)
  const writer = new TimeWriter(memory)
  writer.write(48_000)
  await pause(50)
  const soon = time.nowFrame()
  expect(soon).toBeGreaterThan(48_000 + 48 * 40)
  await pause(500)
  const stalled = time.nowFrame()
  expect(stalled).toBe(48_000 + 9_600)
  writer.write(50_000)
  expect(time.nowFrame()).toBe(stalled)
  writer.write(60_000)
  expect(time.nowFrame()).toBeGreaterThanOrEqual(60_000)
})

it('a show\'s timelines are resolved one by one, and read again where they changed', async () => {
  const good = join(folder, 'good.json')
  const bad = join(folder, 'bad.json')
  writeFileSync(good, small(1))
  writeFileSync(bad, '{')
  const { compile } = timelineCompiler(realTimers())
  const first = await compile([good, bad, good, join(folder, 'none.json')])
  expect(first.get(good)).toMatchObject({ ok: true, timeline: { durationFrames: 48_000 } })
  expect(first.get(bad)).toMatchObject({ ok: false })
  expect(first.get(join(folder, 'none.json')))
    .toEqual({ ok: false, message: 'the file is missing' })
  const again = await compile([good])
  expect(again.get(good)).toBe(first.get(good))
  writeFileSync(good, small(100))
  const changed = (await compile([good])).get(good)
  expect(changed?.ok === true ? changed.timeline.value[0] : null).toBe(100)
})

it('a million keyframes do not keep requests waiting; a larger file is refused', async () => {
  const large = join(folder, 'large.json')
  const keyframes = Array.from({ length: 1_000_000 }, (_, index) =>
    `[${String(index)},${String(index % 256)},"linear"]`)
  const text = small(1).replace('[0,1]', keyframes.join())
  writeFileSync(large, text)
  const huge = join(folder, 'huge.json')
  writeFileSync(huge, Buffer.alloc(32 * 1024 * 1024 + 1, 32))
  const begun = performance.now()
  let last = begun
  let longest = 0
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const results = await timelineCompiler(realTimers()).compile([large, huge])
  clearInterval(watch)
  const took = performance.now() - begun
  const result = results.get(large)
  expect(result?.ok === true ? result.timeline.value.length : result).toBe(1_000_000)
  const refused = results.get(huge)
  expect(refused?.ok === false ? refused.message : '').toContain('too large')
  expect(longest).toBeLessThan(Math.max(100, took / 3))
  console.log(`a million keyframes: ${took.toFixed(0)} ms, longest wait ${longest.toFixed(0)} ms`)
})
