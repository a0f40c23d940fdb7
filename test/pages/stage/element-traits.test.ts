// What starts and seeks of a video are expected to take: as the last of them did, within bounds.
import { describe, expect, test } from 'vitest'
import { ElementTraits } from '../../../src/pages/stage/deck/element-traits.js'
import { newFollower } from '../../../src/pages/stage/deck/follower.js'

type Took = 'startTook' | 'seekTook'
type Expected = 'startMs' | 'seekMs'

describe.each<[Took, Expected, first: number, most: number]>([
  ['startTook', 'startMs', 30, 250], ['seekTook', 'seekMs', 80, 1_000],
])('%s', (took, expected, first, most) => {
  test.each<[string, readonly number[], number]>([
    ['a guess before the first one', [], first],
    ['the first one', [70], 70],
    ['the middle one of three', [10, 90, 40], 40],
    ['the middle one of the last five', [500, 1, 2, 3, 4, 5], 3],
    ['what it takes by now, after three', [10, 10, 10, 10, 10, 200, 200, 200], 200],
    ['and again', [200, 200, 200, 200, 200, 200, 10, 10, 10], 10],
    ['not the one that stood still', [20, 9_000, 20], 20],
    ['a bound, where all take longer', [9_000], most],
    ['nothing, where a clock went back', [-5], 0],
  ])('is expected to take %s', (_, ms, wanted) => {
    const traits = new ElementTraits(false)
    const other = took === 'startTook' ? traits.seekMs : traits.startMs
    for (const each of ms) traits[took](each)
    expect(traits[expected]).toBe(wanted)
    expect(took === 'startTook' ? traits.seekMs : traits.startMs).toBe(other)
  })
})

test('the next follower begins with what this one learnt, of seeks that came to their end', () => {
  const traits = new ElementTraits(false)
  const seeking = { ...newFollower(0, 70), seekingSince: 1_000 }
  const landed = { ...newFollower(0, 180), rateCosts: [25, 31] }
  traits.followed(seeking, landed, 40)
  expect(traits.learnt).toEqual({ seekTook: 180, rateCosts: [25, 31] })
  traits.followed(landed, { ...landed, seekTook: 999 }, 40)
  expect(traits.learnt).toEqual({ seekTook: 180, rateCosts: [25, 31] })
})

describe('by how much a picture hops', () => {
  const REFRESH_MS = 1000 / 60
  const strideOf = (traits: ElementTraits, rate: number, refreshMs = REFRESH_MS) =>
    traits.motionOf(1000 / rate, refreshMs).stride

  test('a browser that is known for it: whole frames of two refreshes, but no long ones', () => {
    const traits = new ElementTraits(true)
    expect(strideOf(traits, 30)).toBeCloseTo(1000 / 30)
    expect([60, 25, 20, 15].map((rate) => strideOf(traits, rate))).toEqual([0, 0, 0, 0])
    expect(strideOf(traits, 25, 20)).toBe(0)
    expect(strideOf(new ElementTraits(false), 30)).toBe(0)
  })

  test('what one follower saw holds for the next videos of such frames, and for no others', () => {
    const hopped = { ...newFollower(0, 80), stride: 33 }
    const traits = new ElementTraits(false)
    traits.followed(newFollower(0, 80), hopped, 1000 / 30)
    expect([30, 29.97, 25, 60].map((rate) => strideOf(traits, rate))).toEqual([33, 33, 0, 0])
    traits.followed(newFollower(0, 80), { ...hopped, stride: 33.4 }, 1000 / 60)
    expect(strideOf(traits, 60)).toBe(0)
    const other = new ElementTraits(true)
    other.followed(newFollower(0, 80), { ...hopped, stride: 0 }, 1000 / 30)
    expect(strideOf(other, 30)).toBe(0)
  })
})
