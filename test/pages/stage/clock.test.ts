// A page's reading of the engine's clock: from time messages with round trips, over stalls.
import { describe, expect, test } from 'vitest'
import { createPrng } from '../../../src/engine/prng.js'
import { EngineClock, FRAMES_PER_MS, median, TIMING } from '../../../src/pages/shared/clock.js'

/** The engine is 5 s ahead of the page and its output 37 ms behind itself. */
const AHEAD_MS = 5_000
const LATENCY = 37 * FRAMES_PER_MS

const sample = (sentAt: number, thereMs: number, backMs: number, jumpMs: number) => ({
  sentAt,
  receivedAt: sentAt + thereMs + backMs,
  frame: (sentAt + thereMs + AHEAD_MS + jumpMs) * FRAMES_PER_MS,
  latencyFrames: LATENCY,
})

const errorMs = (clock: EngineClock, at: number): number =>
  ((clock.heardFrameAt(at) ?? Number.NaN) + LATENCY) / FRAMES_PER_MS - at - AHEAD_MS

describe('the clock', () => {
  test('says nothing before the first sample, and all after it', () => {
    const clock = new EngineClock()
    expect(clock.heardFrameAt(1)).toBeNull()
    expect(clock.heardAt(1)).toBeNull()
    clock.note(sample(100, 1, 1, 0))
    expect(errorMs(clock, 2_000)).toBeCloseTo(0)
    expect(clock.heardFrameAt(2_000)).toBeCloseTo((2_000 + AHEAD_MS) * FRAMES_PER_MS - LATENCY)
    expect(clock.heardAt(clock.heardFrameAt(2_000) ?? 0)).toBeCloseTo(2_000)
  })

  test('believes quick answers, not the slow ones', () => {
    const clock = new EngineClock()
    for (let n = 0; n < 8; n += 1) clock.note(sample(n * 50, 0.3, 0.3, 0))
    for (let n = 0; n < 20; n += 1) clock.note(sample(1_000 + n * 1_000, 0.3, 40, 0))
    expect(Math.abs(errorMs(clock, 22_000))).toBeLessThan(0.1)
  })

  test('holds within 2 ms where trips are uneven and the engine drifts', () => {
    const prng = createPrng(3)
    const clock = new EngineClock()
    let worst = 0
    for (let second = 0; second < 300; second += 1) {
      const at = second * 1_000
      const drift = at * 1e-4
      const slow = prng.next() < 0.3 ? 30 * prng.next() : 0
      clock.note(sample(at, 0.2 + prng.next() + slow, 0.2 + prng.next(), drift))
      if (second > 8) worst = Math.max(worst, Math.abs(errorMs(clock, at) - drift))
    }
    expect(worst).toBeLessThan(2)
  })

  test('follows a device that wanders, on a page whose answers got slow', () => {
    const prng = createPrng(5)
    const clock = new EngineClock()
    const driftAt = (at: number): number => at * 6e-4
    for (let n = 0; n < 8; n += 1) clock.note(sample(n * 50, 0.3, 0.3, driftAt(n * 50)))
    const off: number[] = []
    for (let at = 1_000; at < 120_000; at += 1_000) {
      const [there, back] = [0.5 + 4 * prng.next(), 0.5 + 4 * prng.next()]
      clock.note(sample(at, there, back, driftAt(at + there)))
      off.push(Math.abs(errorMs(clock, at + 500) - driftAt(at + 500)))
    }
    expect(Math.max(...off)).toBeLessThan(3.5)
    expect(median(off)).toBeLessThan(1.5)
  })

  test('asks on at first, for three seconds, until an answer was quick; so after a reset', () => {
    const clock = new EngineClock()
    const slow = (at: number): boolean => clock.note(sample(at, 3, 3, 0))
    expect([slow(0), slow(50), slow(2_900)]).toEqual([true, true, true])
    expect(clock.note(sample(2_950, 1, 1, 0))).toBe(false)
    expect(slow(2_990)).toBe(false)
    clock.reset()
    expect([slow(10_000), slow(12_900), slow(13_100)]).toEqual([true, true, false])
  })

  test('a best of long ago is forgotten', () => {
    const clock = new EngineClock()
    clock.note(sample(0, 0, 0, 0))
    for (let n = 1; n <= 40; n += 1) clock.note(sample(n * 1_000, 2, 2, 20))
    expect(errorMs(clock, 41_000)).toBeCloseTo(20)
  })

  test('a jump replaces it at the third sample, not at the first', () => {
    const clock = new EngineClock()
    for (let n = 0; n < 8; n += 1) clock.note(sample(n * 1_000, 1, 1, 0))
    clock.note(sample(8_000, 1, 1, -500))
    clock.note(sample(9_000, 1, 1, -500))
    expect(errorMs(clock, 9_500)).toBeCloseTo(0)
    clock.note(sample(10_000, 1, 1, -500))
    expect(errorMs(clock, 10_500)).toBeCloseTo(-500)
  })

  test('a queue that grows leaps ahead and is heard on evenly', () => {
    const clock = new EngineClock()
    const grown = 15
    for (let n = 0; n < 12; n += 1) {
      const jump = n < 8 ? 0 : grown
      const told = sample(n * 1_000, 1, 1, jump)
      clock.note({ ...told, latencyFrames: LATENCY + jump * FRAMES_PER_MS })
      expect(Math.abs(errorMs(clock, n * 1_000))).toBeLessThan(0.1)
    }
    expect(clock.latencyFrames).toBe(LATENCY + grown * FRAMES_PER_MS)
  })

  test('what is heard is put off: it asks anew, and eight answers later it is right', () => {
    const clock = new EngineClock()
    for (let n = 0; n < 20; n += 1) expect(clock.note(sample(n * 1_000, 1, 1, 0))).toBe(false)
    expect(clock.note(sample(20_000, 1, 1, -20))).toBe(true)
    for (let n = 1; n < TIMING.openingMessages; n += 1) {
      clock.note(sample(20_000 + n * TIMING.openingEveryMs, 1, 1, -20))
    }
    expect(errorMs(clock, 20_400)).toBeCloseTo(-20)
    // A slow answer may be wrong by half of its trip: beyond that it is a doubt as well.
    expect(clock.note(sample(21_000, 1, 40, -20))).toBe(false)
    expect(clock.note(sample(22_000, 10, 10, -20 - 17))).toBe(false)
    expect(clock.note(sample(23_000, 10, 10, -20 - 19))).toBe(true)
  })

  test('three strays that are not running are none', () => {
    const clock = new EngineClock()
    for (let n = 0; n < 8; n += 1) clock.note(sample(n * 1_000, 1, 1, 0))
    for (let n = 0; n < TIMING.jumps; n += 1) {
      clock.note(sample(8_000 + n * 2_000, 1, 1, -500))
      clock.note(sample(9_000 + n * 2_000, 1, 1, 0))
    }
    expect(Math.abs(errorMs(clock, 15_000))).toBeLessThan(1)
  })

  test('what is no sample is passed over', () => {
    const clock = new EngineClock()
    expect(clock.note({ sentAt: 2, receivedAt: 1, frame: 5, latencyFrames: 0 })).toBe(false)
    const none = { sentAt: 1, receivedAt: 2, frame: Number.NaN, latencyFrames: 0 }
    expect(clock.note(none)).toBe(false)
    expect(clock.heardAt(1)).toBeNull()
  })

  test('another daemon has another time', () => {
    const clock = new EngineClock()
    for (let n = 0; n < 8; n += 1) clock.note(sample(n * 50, 1, 1, 0))
    clock.reset()
    expect([clock.heardFrameAt(500), clock.heardAt(500)]).toEqual([null, null])
    clock.note(sample(500, 1, 1, 9_000))
    expect(errorMs(clock, 501)).toBeCloseTo(9_000)
  })
})

test('the median', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(() => median([])).toThrow(RangeError)
})
