// What cannot be taken back of a device, before anything is learned of it and after.
import { describe, expect, it } from 'vitest'
import {
  fixedTarget, marginFor, MARGIN_LIMITS, QueueTarget, startOf, TARGET_LIMITS,
} from '../../../src/io/speaker/speaker-target.js'

const limits = { target: TARGET_LIMITS, margin: MARGIN_LIMITS }
const SECOND = 1_000

describe('what is known of a device', () => {
  it('is where one of its kind left off', () => {
    expect(startOf(limits, false, null)).toBe(720)
    expect(startOf(limits, true, null)).toBe(144)
    expect(startOf(limits, true, { takesBack: true, frames: 216 })).toBe(216)
    expect(startOf(limits, true, { takesBack: false, frames: 1_080 })).toBe(144)
  })

  it('is the piece in which it reads, unless the user fixed the buffer', () => {
    expect(marginFor(MARGIN_LIMITS, 64)).toEqual(MARGIN_LIMITS)
    expect(marginFor(MARGIN_LIMITS, 256)).toMatchObject({ startFrames: 336, ceilingFrames: 576 })
    expect(marginFor(fixedTarget(5), 256)).toMatchObject({ startFrames: 240, ceilingFrames: 240 })
  })
})

describe('a margin', () => {
  const frames = (slack: number, seconds: number): number => {
    const target = new QueueTarget(MARGIN_LIMITS, 240)
    for (let ms = 0; ms <= seconds * SECOND; ms += 100) target.observe(slack, ms)
    return target.frames()
  }

  it('shrinks by a millisecond where over 2.5 ms are left, to 2 at least', () => {
    expect([frames(121, 11), frames(120, 11), frames(200, 100)]).toEqual([192, 240, 96])
  })

  it('grows by half where a change came too late, to 8 ms at most', () => {
    const target = new QueueTarget(MARGIN_LIMITS, 144)
    target.underrun(0)
    expect(target.frames()).toBe(216)
    for (let n = 0; n < 5; n += 1) target.underrun(0)
    expect(target.frames()).toBe(384)
  })
})
