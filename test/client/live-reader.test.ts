// Where a run is by its anchor: up to what happens next, and past a wrap from where that leads.
import { describe, expect, it } from 'vitest'
import {
  LiveClock, liveMs, type LiveRunTold, type LiveTimeTold,
} from '../../src/client/live-reader.js'

/** Frame 4800 of the engine is 100 ms of the source; its next thing comes at 200 ms. */
const runWith = (anchor: Partial<LiveRunTold['anchor']>): LiveRunTold => ({
  executionId: 'e', buttonId: 'b', state: 'playing', endReason: null, duration: null,
  anchor: { at: 4_800, position: 4_800, moving: true, until: 9_600, then: null, ...anchor },
})

describe('a place, in milliseconds', () => {
  it.each([
    ['goes on with the clock', {}, 7_200, 150],
    ['is never before its anchor', {}, 0, 100],
    ['rests where the run rests', { moving: false }, 99_999, 100],
    ['goes on for ever where nobody knows the end', { until: null }, 48_000, 1_000],
    ['stays at the end', { then: { kind: 'end' } }, 48_000, 200],
    ['stays where it goes on in another way', { then: { kind: 'on' } }, 48_000, 200],
    ['past a wrap goes on from Start', { then: { kind: 'wrap', to: 0 } }, 12_000, 50],
    ['and from what the head has played', { then: { kind: 'wrap', to: 960 } }, 12_000, 70],
  ] as const)('%s', (_what, anchor, frame, ms) => {
    expect(liveMs(runWith(anchor), frame)).toBe(ms)
  })
})

describe('the frame that is heard', () => {
  const told = (frame: number, latency: number): LiveTimeTold =>
    ({ kind: 'time', id: 1, frame, latency })

  it('is behind the engine by the latency of the output', () => {
    const clock = new LiveClock()
    expect(clock.heardAt(1_000)).toBeNull()
    clock.note(990, 1_010, told(480_000, 1_440))
    expect(clock.heardAt(1_000)).toBe(480_000 - 1_440)
    expect(clock.heardAt(1_010)).toBe(480_000 - 960)
  })

  it('goes by the answer that came back quickest', () => {
    const clock = new LiveClock()
    clock.note(1_000, 1_002, told(96_000, 0))
    clock.note(2_000, 2_200, told(999_999, 0))
    expect(clock.heardAt(2_001)).toBe(96_000 + 48_000)
  })
})
