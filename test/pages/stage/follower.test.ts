// The follower keeps a model of a video element in step: ten thousand of them, each another one.
import { describe, expect, test } from 'vitest'
import { median } from '../../../src/pages/shared/clock.js'
import {
  begunAnew, cannotKeepUp, FOLLOW, follow, newFollower, stepOf, type Advice,
  type Follower, type Motion,
} from '../../../src/pages/stage/deck/follower.js'
import { drawTraits, ModelVideo, type ModelFrame, type ModelTraits } from './model-video.js'

const SEEDS = 10_000
/** A picture that moves freely. */
const FREE: Motion = { step: 0, stride: 0 }

const RUN_MS = 6_000
const SETTLED_MS = 1_500

/** What a page would measure of a frame; the true one is what its audience sees. */
type Measure = (frame: ModelFrame, traits: ModelTraits) => number

const asMeasured: Measure = (frame) => frame.measuredError

const play = (
  seed: number, measure: Measure, traits = drawTraits(seed), runMs = RUN_MS, settledMs = SETTLED_MS,
): { errors: number[]; settledAt: number } => {
  const video = new ModelVideo(traits, seed)
  const step = stepOf(1000 / traits.framesPerSecond, 1000 / traits.refreshHz)
  // It has sought before, to its Start.
  let follower = newFollower(0, traits.seekMs)
  let settledAt = 0
  let seen: number[] = []
  const errors: number[] = []
  for (;;) {
    const frame = video.step()
    if (frame === null) continue
    if (frame.toldAt > runMs) return { errors, settledAt }
    seen = [...seen.slice(-7), frame.trueError]
    if (Math.abs(median(seen)) > 20) settledAt = frame.shownAt
    if (frame.shownAt > settledMs) errors.push(Math.abs(frame.trueError))
    const error = measure(frame, traits)
    const { next, advice } = follow(follower, frame.shownAt, error, { step, stride: 0 })
    follower = next
    if (advice.kind === 'rate') video.setRate(frame.toldAt, advice.rate)
    if (advice.kind === 'seek') video.seek(frame.toldAt, frame.toldAt + advice.ahead)
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!

describe('a model video', () => {
  test(`is in step in ${SEEDS} seeds`, () => {
    const p50s: number[] = []
    const p95s: number[] = []
    const settled: number[] = []
    let outOfStep = 0
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { errors, settledAt } = play(seed, asMeasured)
      const p95 = percentile(errors, 0.95)
      p50s.push(percentile(errors, 0.5))
      p95s.push(p95)
      settled.push(settledAt)
      // At 30 Hz a refresh is 33 ms, so that 30 frames in the second may miss by 17 at best.
      if (drawTraits(seed).refreshHz > 30 && p95 > 20) outOfStep += 1
    }
    expect(outOfStep).toBeLessThanOrEqual(SEEDS / 1_000)
    expect(percentile(p50s, 0.5)).toBeLessThan(10)
    expect(percentile(p95s, 0.5)).toBeLessThan(15)
    expect(percentile(settled, 0.95)).toBeLessThan(SETTLED_MS)
  })

  // As GStreamer's, which plays in WebKitGTK: without a thought of it they were 60 to 160 ms off.
  test.each([15, 25, 40, 60])('that each change of rate throws back by %d ms is in step', (ms) => {
    const p95s = Array.from({ length: 100 }, (_, seed) => {
      const traits = { ...drawTraits(seed + 1), refreshHz: 60, rateCostMs: ms }
      return percentile(play(seed + 1, asMeasured, traits, 20_000, 5_000).errors, 0.95)
    })
    expect(percentile(p95s, 0.5)).toBeLessThan(20)
    expect(percentile(p95s, 0.9)).toBeLessThan(ms + 20)
  })

  // What no gain can mend: so the measuring is tested elsewhere, by pixels.
  test.each<[string, Measure]>([
    ['a frame that is not seen', ({ trueError }, traits) =>
      trueError - 1000 / traits.framesPerSecond],
    ['a latency that is left out', ({ measuredError }) => measuredError + 37],
  ])('%s leaves it out of step', (_what, measure) => {
    const all = Array.from({ length: 200 }, (_, seed) => play(seed + 1, measure).errors).flat()
    expect(percentile(all, 0.95)).toBeGreaterThan(30)
  })
})

/** Tells the follower `count` frames of one error, 40 ms apart. */
const told = (before: Follower, from: number, error: number, count: number) => {
  let follower = before
  const advices: { readonly at: number; readonly advice: Advice }[] = []
  for (let n = 0; n < count; n += 1) {
    const at = from + n * 40
    const { next, advice } = follow(follower, at, error, FREE)
    follower = next
    if (advice.kind !== 'none') advices.push({ at, advice })
  }
  return { follower, advices }
}

const STEP_MS = 1000 / 60
const FRAME_MS = 2 * STEP_MS

/** Shows `count` frames of one error, 30 in the second at 60 Hz; answers the rates that it asks. */
const watched = (stride: number) => {
  let follower = newFollower(-5_000, 1)
  let at = 0
  return (error: number, count: number): readonly number[] => {
    const rates: number[] = []
    for (let n = 0; n < count; n += 1) {
      const { next, advice } = follow(follower, (at += FRAME_MS), error, { step: STEP_MS, stride })
      follower = next
      if (advice.kind === 'rate') rates.push(advice.rate)
    }
    return rates
  }
}

describe('the table', () => {
  test('within 6 ms of the aim it is left alone', () => {
    expect(told(newFollower(0, 100), 0, 9.9, 50).advices).toEqual([])
    expect(told(newFollower(0, 100), 0, -1.9, 50).advices).toEqual([])
  })

  test('a little off is a nudge, and never more than 12 %', () => {
    const rateAt = (error: number) => told(newFollower(-5_000, 100), 0, error, 3).advices[0]?.advice
    expect(rateAt(44)).toEqual({ kind: 'rate', rate: 1.05 })
    expect(rateAt(-36)).toEqual({ kind: 'rate', rate: 0.95 })
    expect(rateAt(250)).toEqual({ kind: 'rate', rate: 1.12 })
  })

  test('the filter is emptied by a nudge, and the next one comes 240 ms later at most', () => {
    const { advices } = told(newFollower(-5_000, 100), 0, 250, 20)
    expect(advices).toHaveLength(1)
    const { follower } = told(newFollower(-5_000, 100), 0, 250, 3)
    expect(follower.errors).toEqual([])
    const more = told(follower, 120, 44, 20)
    expect(more.advices[0]!.at).toBeGreaterThanOrEqual(80 + FOLLOW.every)
  })

  test('one wild error moves nothing', () => {
    const { follower } = told(newFollower(0, 100), 0, 4, 20)
    expect(follow(follower, 800, 900, FREE).advice).toEqual({ kind: 'none' })
  })

  test('seeks from 120 ms in the first second, from 300 ms later', () => {
    expect(told(newFollower(0, 70), 0, 125, 3).advices[0]?.advice).toEqual({
      kind: 'seek', ahead: 70,
    })
    expect(told(newFollower(-2_000, 70), 0, 125, 3).advices[0]?.advice.kind).toBe('rate')
    expect(told(newFollower(-2_000, 70), 0, 301, 3).advices[0]?.advice.kind).toBe('seek')
    const resumed = begunAnew(newFollower(-2_000, 70), 0)
    expect(told(resumed, 0, -125, 3).advices[0]?.advice.kind).toBe('seek')
  })

  test('what a seek took is learnt from its first frame', () => {
    const { follower, advices } = told(newFollower(0, 70), 0, 400, 3)
    const asked = advices[0]!.at
    const { next } = follow(follower, asked + 180, 30, FREE)
    expect(next.seekTook).toBe(180)
  })

  test('seeks that do not help become rare, and the walls can be told', () => {
    const { follower, advices } = told(newFollower(-2_000, 70), 0, 500, 1_500)
    const seeks = advices.filter(({ advice }) => advice.kind === 'seek').map(({ at }) => at)
    const pauses = seeks.slice(1).map((at, n) => at - seeks[n]!)
    expect(pauses.slice(0, 5).map((pause) => Math.round(pause / 1000))).toEqual([1, 1, 2, 4, 8])
    expect(Math.max(...pauses)).toBeLessThan(8_500)
    expect(cannotKeepUp(follower)).toBe(true)
    const calmed = told(follower, 60_000 + FOLLOW.calm, 4, 20).follower
    expect(cannotKeepUp(calmed)).toBe(false)
  })

  test('frames of one phase are moved by whole steps only', () => {
    expect(stepOf(1000 / 30, 1000 / 60)).toBeCloseTo(1000 / 60)
    expect(stepOf(1000 / 25, 1000 / 50)).toBeCloseTo(20)
    expect(stepOf(1000 / 25, 1000 / 60)).toBe(0)
    // As a browser measures 60 Hz.
    expect(stepOf(1000 / 30, 16.6)).toBe(16.6)
    expect(stepOf(1000 / 30, 16.7)).toBe(16.7)
    expect(stepOf(1000 / 25, 16.7)).toBe(0)
    const { advices } = told(newFollower(0, 1), 0, 12, 3)
    expect(advices[0]?.advice.kind).toBe('rate')
    let locked = newFollower(0, 1)
    for (let n = 0; n < 50; n += 1) {
      const { next, advice } = follow(locked, n * 17, 12, { step: 1000 / 60, stride: 0 })
      expect(advice.kind).toBe('none')
      locked = next
    }
  })

  test('a start is put right sooner than what comes off later, and counts what was gained', () => {
    const ratesFrom = (at: number) =>
      told(newFollower(0, 1), at, 24, 9).advices
        .map(({ advice }) => 'rate' in advice && advice.rate)
    const early = 1 + 20 / FOLLOW.slopeEarly
    // The median of its errors is of half a period ago: what was gained since counts.
    const gained = ((early - 1) * FOLLOW.every) / 2
    expect(ratesFrom(0)).toEqual([
      expect.closeTo(early), expect.closeTo(1 + (20 - gained) / FOLLOW.slopeEarly),
    ])
    expect(ratesFrom(FOLLOW.early)[0]).toBeCloseTo(1 + 20 / FOLLOW.slope)
  })

  test('a pause is no part of what the seek before it took', () => {
    const seekMs = 180
    const late = (begun: Follower, at: number) => {
      let follower = begun
      for (let n = 0; n < FOLLOW.least; n += 1) {
        const { next, advice } = follow(follower, at + n * 40, 500, FREE)
        if (advice.kind === 'seek') return { ahead: advice.ahead, follower: next }
        follower = next
      }
      throw new Error('half a second behind, and no seek')
    }
    const { follower } = late(newFollower(0, seekMs), 0)
    // Paused before the seek has shown a frame; a minute later it goes on.
    expect(late(begunAnew(follower, 60_000), 60_010).ahead).toBe(seekMs)
  })

  test('a picture that hops by a frame is let rest at the nearer place', () => {
    const seen = watched(0)
    expect(seen(-7.8, 8)).toEqual([expect.closeTo(1 - 11.8 / FOLLOW.slope)])
    expect(seen(25.6, 14)).toEqual([expect.closeTo(1 + 25.6 / FOLLOW.slope)])
    // Not before it is beyond the edge: 240 ms more than the filter takes, and no faster than 2 %.
    expect(seen(-7.8, 11)).toEqual([1 + FOLLOW.past])
    expect(seen(-7.8, 300)).toEqual([1])
    // What is beyond half a hop is still put right.
    expect(seen(25.6, 20)[0]).toBeGreaterThan(1)
  })

  test('one that is known to hop is let rest there at once', () => {
    const seen = watched(FRAME_MS)
    expect(seen(13.8, 60)).toEqual([])
    expect(seen(-17, 60)).toEqual([])
    expect(seen(25.6, 20)[0]).toBeGreaterThan(1)
  })

  test('one that is taken to hop, and moves by single steps, is brought to the nearest one', () => {
    const seen = watched(FRAME_MS)
    expect(seen(19, 8)[0]).toBeGreaterThan(1)
    expect(seen(19 - STEP_MS, 40).at(-1)).toBe(1)
    expect(seen(14, 20)[0]).toBeGreaterThan(1)
  })

  test.each([3, 4, 5])('a hop that is decided on %d frames later is no single step', (count) => {
    const seen = watched(FRAME_MS)
    expect(seen(36, 3)[0]).toBeGreaterThan(1)
    seen(36, 8 - count)
    // Of four and four the mean of the two in the middle would lie half way.
    seen(36 - FRAME_MS, 40)
    expect(seen(14, 60)).toEqual([])
  })

  test('single steps of a picture that is hurried say nothing of how it moves else', () => {
    const seen = watched(FRAME_MS)
    expect(seen(28, 3)[0]).toBeGreaterThan(1 + FOLLOW.stepDeviationMost)
    seen(28 - STEP_MS, 3)
    seen(28 - 2 * STEP_MS, 40)
    // Of two places a frame apart the nearer one still.
    expect(seen(16, 60)).toEqual([])
    expect(seen(-16, 60)).toEqual([])
  })

  test('two single steps in one nudge are no hop', () => {
    const seen = watched(0)
    expect(seen(28, 3)[0]).toBeGreaterThan(1)
    seen(28, 3)
    seen(28 - STEP_MS, 2)
    seen(28 - 2 * STEP_MS, 40)
    // By single steps it comes nearer than that.
    expect(seen(16, 20)[0]).toBeGreaterThan(1)
  })
})
