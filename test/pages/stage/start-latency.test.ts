// What an element took to start, as its first frames that moved tell.
import { expect, test } from 'vitest'
import { StartLatency } from '../../../src/pages/stage/deck/start-latency.js'

const AT = 5_000
const FROM_MS = 1_000

/** What each frame tells; shown so long after the start, so far into the video. */
const told = (latency: StartLatency, frames: readonly (readonly [shown: number, ms: number])[]) =>
  frames.map(([shown, ms]) => latency.tookBy(AT + shown, FROM_MS + ms))

test('the third one that moved tells, by the middle one; the first may come sooner', () => {
  const latency = new StartLatency()
  latency.begun(AT, FROM_MS)
  // Chromium, 30 in the second, with a sound: it still stands, then 17 ms sooner than the others.
  const frames = [[10, 0], [62, 33], [112, 67], [145, 100], [178, 133]] as const
  expect(told(latency, frames)).toEqual([null, null, null, 45, null])
})

test('what was begun before tells nothing, and neither does one that was sought meanwhile', () => {
  const latency = new StartLatency()
  latency.begun(AT - 400, FROM_MS)
  expect(told(latency, [[-300, 40], [-260, 80]])).toEqual([null, null])
  latency.begun(AT, FROM_MS)
  expect(told(latency, [[70, 40], [110, 80], [150, 120]])).toEqual([null, null, 30])
  latency.begun(AT, FROM_MS)
  latency.ended()
  expect(told(latency, [[70, 40], [110, 80], [150, 120]])).toEqual([null, null, null])
})
