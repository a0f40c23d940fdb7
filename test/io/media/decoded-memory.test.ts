// Memory for decoded sound: V8 does not count it, and collects it where enough was let go.
import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { decodedBytes, ReleasedMemory } from '../../../src/io/media/decoded-memory.js'
import { until } from './preroll-rig.js'

const MEGABYTE = 1024 * 1024

it('is not counted: heads of a large show ask for no collection', () => {
  const before = getHeapStatistics().external_memory
  const held = Array.from({ length: 100 }, () => decodedBytes(MEGABYTE))
  expect(getHeapStatistics().external_memory - before).toBeLessThan(MEGABYTE)
  expect(held.every((bytes) => bytes.length === MEGABYTE && bytes[0] === 0)).toBe(true)
})

it('is collected once so much was let go, with nothing else that would ask for it', async () => {
  let isCollected = false
  const registry = new FinalizationRegistry(() => (isCollected = true))
  const abandon = (): void => registry.register(decodedBytes(32 * MEGABYTE).buffer, null)
  abandon()
  const timers = new VirtualTimers(0)
  const released = new ReleasedMemory(timers)
  for (let n = 0; n < 31; n += 1) released.add(MEGABYTE)
  timers.pass(60_000)
  let turns = 0
  await until(() => (turns += 1) > 2_000)
  expect(isCollected).toBe(false)
  released.add(MEGABYTE)
  timers.pass(1_000)
  await until(() => isCollected)
})
