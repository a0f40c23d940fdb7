// The engine's time on another thread: read on between the writes, and never back.
import { expect, it } from 'vitest'
import { createTimeMemory, SharedEngineTime, TimeWriter } from '../../src/clock/shared-time.js'

it('is what was written, and reads on from there until the next write', () => {
  const memory = createTimeMemory()
  const [writer, time] = [new TimeWriter(memory), new SharedEngineTime(memory)]
  expect([time.nowFrame(), time.writtenFrame()]).toEqual([0, 0])
  writer.write(48_000)
  expect(time.writtenFrame()).toBe(48_000)
  while (time.nowFrame() < 48_048) expect(time.writtenFrame()).toBe(48_000)
})

it('never steps back, though the next write is behind what was read on', () => {
  const memory = createTimeMemory()
  const [writer, time] = [new TimeWriter(memory), new SharedEngineTime(memory)]
  writer.write(48_000)
  let before = time.nowFrame()
  while (before < 48_480) before = time.nowFrame()
  writer.write(48_001)
  expect(time.nowFrame()).toBeGreaterThanOrEqual(before)
  expect(time.writtenFrame()).toBe(48_001)
})
