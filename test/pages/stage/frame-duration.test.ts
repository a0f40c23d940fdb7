// How long a video's frames are: as told, or as they come; and how far into one a place may lie.
import { describe, expect, test } from 'vitest'
import { FrameDuration } from '../../../src/pages/stage/deck/frame-duration.js'

const after = (...shown: readonly number[]): FrameDuration => {
  const duration = new FrameDuration()
  for (const ms of shown) duration.shown(ms)
  return duration
}

describe('how long a frame is', () => {
  test.each<[string, readonly number[], number]>([
    ['40 ms, where nothing is known', [], 40],
    ['40 ms, after a single step', [0, 33.3], 40],
    ['as they come', [0, 33.3, 66.6], 33.3],
    ['not as long as the gap of one that was left out', [0, 20, 60, 80], 20],
    ['the mean of what WebM rounds', [0, 33, 67, 100, 133, 167, 200, 233, 267, 300], 300 / 9],
    ['not less, where the same one is seen again', [0, 40, 40, 80], 40],
    ['not told by a way back', [80, 120, 0, 40], 40],
  ])('%s', (_, shown, ms) => {
    expect(after(...shown).ms).toBeCloseTo(ms)
  })

  test('what the show tells goes before', () => {
    const duration = after(0, 20, 40)
    duration.told = 25
    expect(duration.ms).toBe(25)
    duration.told = null
    expect(duration.ms).toBe(20)
  })

  test('over a seek nothing is measured, and of another file all anew', () => {
    const duration = after(0, 20)
    duration.sought()
    duration.shown(5_000)
    duration.shown(5_020)
    expect(duration.ms).toBe(20)
    duration.begun()
    expect(duration.ms).toBe(40)
  })
})

describe('how long it is to a still', () => {
  test.each<[string, told: number, at: number]>([
    ['as told, of a film', 1000 / 30, 33.3],
    ['less, where frames are told to be long: they may be few, and unlike', 267, 42],
  ])('%s', (_, told, at) => {
    const duration = new FrameDuration()
    duration.told = told
    expect(duration.ofStillMs).toBeCloseTo(at, 1)
  })
})

describe('ahead of a place, in the frame that is seen there', () => {
  const ahead = (told: number | null, placeMs: number, aheadMs: number): number => {
    const duration = new FrameDuration()
    duration.told = told
    return duration.withinFrame(placeMs, aheadMs)
  }

  test.each<[string, told: number | null, placeMs: number, aheadMs: number, at: number]>([
    ['as far as asked', 40, 0, 30, 30],
    ['no farther than nearly to its end', 20, 0, 30, 17],
    ['from the middle of one on', 40, 2_020, 30, 2_034],
    ['not back, from the very end of one', 40, 2_037, 30, 2_037],
    ['of a place that was rounded down', 1000 / 30, 33, 10, 43],
    ['nowhere, where its length is not told', null, 1_000, 30, 1_000],
  ])('%s', (_, told, placeMs, aheadMs, at) => {
    expect(ahead(told, placeMs, aheadMs)).toBeCloseTo(at)
  })
})
