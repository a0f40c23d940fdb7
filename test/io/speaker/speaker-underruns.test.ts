// How often sound was missing: a hole is one, however often a device says so.
import { describe, expect, it } from 'vitest'
import { UnderrunCount } from '../../../src/io/speaker/speaker-underruns.js'

const counted = (takesBack: boolean, frames: readonly number[], end = 0): number => {
  const count = new UnderrunCount(takesBack)
  count.endAt(end)
  for (const frame of frames) count.missAt(frame)
  return count.total
}

describe('the count of underruns', () => {
  it('takes pieces of a hole for one, as PulseAudio tells them 63 frames apart', () => {
    expect(counted(true, [48_000, 48_063, 48_189])).toBe(1)
  })

  it('counts on where a device runs dry at each block, e.g. every 5 ms', () => {
    expect(counted(false, Array.from({ length: 40 }, (_, n) => 48_000 + 240 * n))).toBe(20)
  })

  it('counts a hole right behind the beginning of a sound', () => {
    expect(counted(true, [48_100], 48_000)).toBe(1)
    expect(counted(true, [48_008], 48_000)).toBe(0)
  })

  it('leaves what was seen out of what the clock tells', () => {
    const count = new UnderrunCount(false)
    count.missAt(48_000)
    expect([count.judge(true), count.judge(true), count.total]).toEqual([false, true, 2])
  })
})
