// Gaps that only the clock tells of: found once each, and nothing else taken for one.
import { describe, expect, it } from 'vitest'
import { GapWatch } from '../../../src/io/speaker/speaker-gaps.js'

/** Looks every 2 ms at a device whose frame heard is `heardAt(ms)`; the gaps that were found. */
const gapsIn = (heardAt: (ms: number) => number, stalled: (ms: number) => boolean): number => {
  const watch = new GapWatch()
  let gaps = 0
  for (let ms = 0; ms < 10_000; ms += 2) {
    if (!stalled(ms) && watch.observe(heardAt(ms), 64, ms) === 'gap') gaps += 1
  }
  return gaps
}
const never = (): boolean => false

describe('gaps against the clock', () => {
  it('finds a block of silence that nobody reported, once', () => {
    expect(gapsIn((ms) => ms * 48 - (ms > 5_000 ? 96 : 0), never)).toBe(1)
    const both = (ms: number): number => ms * 48 - (ms > 3_000 ? 192 : 0) - (ms > 3_100 ? 48 : 0)
    expect(gapsIn(both, (ms) => ms > 2_980 && ms < 3_002)).toBe(2)
  })

  it('takes no crystal, no tremble and no held-up looker for a gap', () => {
    expect(gapsIn((ms) => ms * 48 * (1 - 300e-6), never)).toBe(0)
    expect(gapsIn((ms) => ms * 48 + (ms % 6) * 3, never)).toBe(0)
    expect(gapsIn((ms) => ms * 48, (ms) => ms > 1_000 && ms < 1_400)).toBe(0)
  })

  it('says nothing of a device that tells its place in steps of a period', () => {
    expect(gapsIn((ms) => Math.floor(ms / 10) * 480 - (ms > 5_000 ? 96 : 0), never)).toBe(0)
  })

  it('begins anew after silence', () => {
    const watch = new GapWatch()
    for (let ms = 0; ms < 100; ms += 2) watch.observe(ms * 48, 64, ms)
    watch.restart()
    for (let ms = 200; ms < 300; ms += 2) {
      expect(watch.observe(ms * 48 - 4_800, 64, ms)).not.toBe('gap')
    }
  })
})
