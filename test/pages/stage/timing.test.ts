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

test('knows neither before the first answer of the engine', () => {
  const time = new StageTime()
  expect([time.frameAt(1), time.momentOf(1)]).toEqual([null, null])
})
