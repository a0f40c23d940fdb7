// The engine's time on another thread: read on between the writes, and never back.
import { expect, it, vi } from 'vitest'
import { createTimeMemory, SharedEngineTime, TimeWriter } from '../../src/clock/shared-time.js'

it('is what was written, and reads on from there until the next write', () => {
  const memory = createTimeMemory()
  const [writer, time] = [new TimeWriter(memory), new SharedEngineTime(memory)]
  expect([time.nowFrame(), time.written().frame]).toEqual([0, 0])
  writer.write(48_000)
  expect(time.written().frame).toBe(48_000)
  while (time.nowFrame() < 48_048) expect(time.written().frame).toBe(48_000)
})

it('never steps back, though the next write is behind what was read on', () => {
  const memory = createTimeMemory()
  const [writer, time] = [new TimeWriter(memory), new SharedEngineTime(memory)]
  writer.write(48_000)
  let before = time.nowFrame()
  while (before < 48_480) before = time.nowFrame()
  writer.write(48_001)
  expect(time.nowFrame()).toBeGreaterThanOrEqual(before)
  expect(time.written().frame).toBe(48_001)
})

it('stands 200 ms after the last write: lights hold with a sound that has stalled', () => {
  let ns = 5_000_000_000n
  const clock = vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => ns)
  try {
    const memory = createTimeMemory()
    const [writer, time] = [new TimeWriter(memory), new SharedEngineTime(memory)]
    writer.write(48_000)
    const after = [0, 1, 100, 199, 200, 201, 5_000, 3_600_000].map((ms) => {
      ns = 5_000_000_000n + BigInt(ms) * 1_000_000n
      return time.nowFrame() - 48_000
    })
    expect(after).toEqual([0, 1, 100, 199, 200, 200, 200, 200].map((ms) => ms * 48))
    // It goes on from where the sound does, and not before.
    writer.write(48_480)
    expect(time.nowFrame()).toBe(48_000 + 9_600)
    ns += 300_000_000n
    writer.write(96_000)
    ns += 10_000_000n
    expect([time.nowFrame(), time.written().frame]).toEqual([96_480, 96_000])
  } finally {
    clock.mockRestore()
  }
})

it('is the write before while another one is under way, however long that takes', () => {
  const memory = createTimeMemory()
  const [writer, time] = [new TimeWriter(memory), new SharedEngineTime(memory)]
  writer.write(47_000)
  writer.write(48_000)
  const read: number[] = []
  let isWriting = false
  const readFirst = (): void => {
    if (!isWriting) return
    isWriting = false
    read.push(time.written().frame)
    isWriting = true
  }
  const bigint = process.hrtime.bigint.bind(process.hrtime)
  const store = Atomics.store.bind(Atomics)
  // The writing thread may lose its processor at each of these steps.
  const spies = [
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => {
      readFirst()
      return bigint()
    }),
    vi.spyOn(Atomics, 'store').mockImplementation((...args) => {
      readFirst()
      return store(...args)
    }),
  ]
  isWriting = true
  writer.write(48_100)
  isWriting = false
  for (const spy of spies) spy.mockRestore()
  expect(read.length).toBeGreaterThan(1)
  expect(new Set(read)).toEqual(new Set([48_000]))
  expect(time.written().frame).toBe(48_100)
})
