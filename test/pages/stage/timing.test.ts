// The time of a stage: which frame belongs on the screen at a moment, and at which moment a frame.
import { describe, expect, test } from 'vitest'
import { FRAMES_PER_MS } from '../../../src/pages/shared/clock.js'
import { StageTime } from '../../../src/pages/stage/timing.js'

/** An engine that is 5 s ahead of the page, and heard 40 ms behind itself. */
const timeOf = (offsetMs: number): StageTime => {
  const time = new StageTime()
  const frame = 5_100 * FRAMES_PER_MS
  time.note({ sentAt: 100, receivedAt: 100, frame, latencyFrames: 40 * FRAMES_PER_MS })
  time.offsetMs = offsetMs
  return time
}

describe.each([
  ['a stage without an offset', 0], ['one whose projector is late by 80 ms', -80],
  ['one whose sound is late by 120 ms', 120],
])('%s', (_name, offsetMs) => {
  test('shows the frame that is heard, so much later', () => {
    const time = timeOf(offsetMs)
    expect(time.frameAt(2_000)).toBeCloseTo((7_000 - 40 - offsetMs) * FRAMES_PER_MS)
  })

  test('has the moment of a frame at which it shows that frame', () => {
    const time = timeOf(offsetMs)
    const frame = 9_000 * FRAMES_PER_MS
    expect(time.frameAt(time.momentOf(frame) ?? 0)).toBeCloseTo(frame)
  })
})

describe('the offset', () => {
  test.each([[700, 500], [-700, -500], [12.6, 13], [-0.4, 0]])('%d ms is %d', (asked, ms) => {
    expect(timeOf(asked).offsetMs).toBeCloseTo(ms)
  })
})

describe('the refreshes of the screen', () => {
  /** So many animation frames, so far apart. */
  const drawn = (time: StageTime, from: number, everyMs: number): number => {
    for (let n = 1; n <= 40; n += 1) time.refreshed(from + n * everyMs)
    return from + 40 * everyMs
  }

  test('are measured, also where they change: 50 Hz, and then 60 Hz', () => {
    const time = new StageTime()
    const until = drawn(time, 0, 20)
    expect(time.refreshMs).toBe(20)
    drawn(time, until, 16)
    expect(time.refreshMs).toBe(16)
  })

  test('are not what lies between two looks at a page', () => {
    const time = new StageTime()
    drawn(time, 0, 900)
    for (let n = 0; n < 80; n += 1) time.refreshed(40_000 - n)
    expect(time.refreshMs).toBeCloseTo(1_000 / 60)
  })

  test('come as late as a video says by and by, whatever a single frame says', () => {
    const time = new StageTime()
    for (let n = 0; n < 200; n += 1) time.expected(n, n + 30)
    expect(time.leadMs).toBeCloseTo(30, 1)
    for (const late of [-5, 0, 900]) time.expected(0, late)
    expect(time.leadMs).toBeCloseTo(30, 1)
  })
})

test('knows neither before the first answer of the engine', () => {
  const time = new StageTime()
  expect([time.frameAt(1), time.momentOf(1)]).toEqual([null, null])
})
