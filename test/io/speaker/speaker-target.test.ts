// What cannot be taken back of a device, before anything is learned of it and after.
import { describe, expect, it } from 'vitest'
import {
  fixedTarget, limitsOf, MARGIN_LIMITS, QueueTarget, TARGET_LIMITS, type Learned,
} from '../../../src/io/speaker/speaker-target.js'

const SECOND = 1_000

describe('what is known of a device', () => {
  it('is where one of its kind left off', () => {
    const start = (takesBack: boolean, learned: Learned | null): number =>
      limitsOf(TARGET_LIMITS, takesBack, 64, learned).startFrames
    expect(start(false, null)).toBe(720)
    expect(start(true, null)).toBe(144)
    expect(start(true, { takesBack: true, frames: 216 })).toBe(216)
    expect(start(true, { takesBack: false, frames: 1_080 })).toBe(144)
  })

  it('is the piece in which it reads, unless the user fixed the buffer', () => {
    expect(limitsOf(TARGET_LIMITS, true, 64, null)).toEqual(MARGIN_LIMITS)
    expect(limitsOf(TARGET_LIMITS, true, 256, null))
      .toMatchObject({ startFrames: 336, ceilingFrames: 576 })
    expect(limitsOf(fixedTarget(5), true, 256, null))
      .toMatchObject({ startFrames: 240, ceilingFrames: 240 })
  })
})

describe('a margin', () => {
  const frames = (slack: number, seconds: number): number => {
    const target = new QueueTarget({ ...MARGIN_LIMITS, startFrames: 240 })
    for (let ms = 0; ms <= seconds * SECOND; ms += 100) target.observe(slack, ms)
    return target.frames()
  }

  it('shrinks by a millisecond where over 2.5 ms are left, to 2 at least', () => {
    expect([frames(121, 11), frames(120, 11), frames(200, 100)]).toEqual([192, 240, 96])
  })

  it('grows by half where a change came too late, to 8 ms at most', () => {
    const target = new QueueTarget(MARGIN_LIMITS)
    target.underrun(0)
    expect(target.frames()).toBe(216)
    for (let n = 0; n < 5; n += 1) target.underrun(0)
    expect(target.frames()).toBe(384)
  })
})
