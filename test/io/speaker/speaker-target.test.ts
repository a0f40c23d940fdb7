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

  it('is not that one which stood still was believed to wait for 8192 frames', () => {
    const afterwards = limitsOf(TARGET_LIMITS, true, 64, { takesBack: true, frames: 8_272 })
    expect(afterwards.startFrames).toBe(MARGIN_LIMITS.ceilingFrames)
    // One that takes nothing back is never guessed at: it has read that much at once.
    expect(limitsOf(TARGET_LIMITS, false, 64, { takesBack: false, frames: 2_500 }).startFrames)
      .toBe(2_500)
  })

  it('is the quantum in which it reads, unless the user fixed the buffer', () => {
    expect(limitsOf(TARGET_LIMITS, true, 64, null)).toEqual(MARGIN_LIMITS)
    expect(limitsOf(TARGET_LIMITS, true, 256, null))
      .toMatchObject({ startFrames: 336, ceilingFrames: 576 })
    expect(limitsOf(fixedTarget(5), true, 256, null))
      .toMatchObject({ startFrames: 240, ceilingFrames: 240 })
  })
})

describe('a device that reads more at once than it is to have', () => {
  const limits = (buffer: typeof TARGET_LIMITS, quantum: number): number[] => {
    const { startFrames, floorFrames, ceilingFrames } = limitsOf(buffer, false, quantum, null)
    return [startFrames, floorFrames, ceilingFrames]
  }

  it('is to have more than that, however long the buffer that the user asked for', () => {
    expect(limits(TARGET_LIMITS, 512)).toEqual([720, 192, 1_920])
    expect(limits(TARGET_LIMITS, 1_024)).toEqual([1_504, 1_168, 1_984])
    expect(limits(fixedTarget(5), 256)).toEqual([240, 240, 240])
    expect(limits(fixedTarget(5), 1_024)).toEqual([1_168, 1_168, 1_168])
    expect(limits(fixedTarget(50), 1_024)).toEqual([2_400, 2_400, 2_400])
  })

  it('keeps what it proved to need beside that, however often it reads otherwise', () => {
    const of = (quantum: number) => limitsOf(TARGET_LIMITS, true, quantum, null)
    const target = new QueueTarget(of(256))
    target.underrun(0)
    target.relimit(of(256))
    expect(target.frames()).toBe(504)
    target.relimit(of(1_024))
    expect(target.frames()).toBe(1_272)
    target.relimit(of(64))
    expect(target.frames()).toBe(312)
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

/** Seconds of sound on a device that uses up 100 frames between two looks. */
const sound = (target: QueueTarget, from: number, to: number): void => {
  for (let second = from; second < to; second += 1) {
    target.observe(target.frames() - 100, second * 1_000)
  }
}

describe('the queue', () => {
  it('grows by half at an underrun, to 40 ms at most, and stays so for five minutes', () => {
    const target = new QueueTarget(TARGET_LIMITS)
    expect(target.frames()).toBe(720)
    target.underrun(5)
    expect(target.frames()).toBe(1_080)
    sound(target, 0, 300)
    expect(target.frames()).toBe(1_080)
    for (let n = 0; n < 5; n += 1) target.underrun(5)
    expect(target.frames()).toBe(1_920)
  })

  it('tries a shorter one then; where that fails it waits twice as long before the next', () => {
    const target = new QueueTarget(TARGET_LIMITS)
    target.underrun(5)
    target.underrun(5)
    expect(target.frames()).toBe(1_620)
    sound(target, 0, 1_000)
    expect(target.frames()).toBeLessThan(720)
    target.underrun(5)
    const grown = target.frames()
    sound(target, 1_000, 1_600)
    expect(target.frames()).toBe(grown)
    sound(target, 1_600, 1_720)
    expect(target.frames()).toBeLessThan(grown)
  })

  it('is as the user fixed it, whatever comes', () => {
    const target = new QueueTarget(fixedTarget(25))
    target.underrun(5)
    sound(target, 0, 1_000)
    expect(target.frames()).toBe(1_200)
  })

  it('shrinks while it has more than it needs, and learns nothing from a stall', () => {
    const target = new QueueTarget(TARGET_LIMITS)
    target.underrun(500)
    expect(target.frames()).toBe(720)
    sound(target, 0, 11)
    expect(target.frames()).toBe(672)
    sound(target, 11, 1_000)
    // Down to where they no longer leave 3 ms, and no further.
    expect(target.frames()).toBe(240)
    target.restart()
    const before = target.frames()
    for (let second = 1_000; second < 1_012; second += 1) target.observe(20, second * 1_000)
    expect(target.frames()).toBe(before + 96)
  })
})
