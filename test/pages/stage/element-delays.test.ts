// What starts and seeks of a video are expected to take: as the last of them did, within bounds.
import { describe, expect, test } from 'vitest'
import { ElementDelays } from '../../../src/pages/stage/deck/element-delays.js'
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
    const delays = new ElementDelays()
    const other = took === 'startTook' ? delays.seekMs : delays.startMs
    for (const each of ms) delays[took](each)
    expect(delays[expected]).toBe(wanted)
    expect(took === 'startTook' ? delays.seekMs : delays.startMs).toBe(other)
  })
})

test('the next follower begins with what this one learnt, of seeks that came to their end', () => {
  const delays = new ElementDelays()
  const seeking = { ...newFollower(0, 70), seekingSince: 1_000 }
  const landed = { ...newFollower(0, 180), rateCosts: [25, 31] }
  delays.followed(seeking, landed)
  expect(delays.learnt).toEqual({ seekTook: 180, rateCosts: [25, 31] })
  delays.followed(landed, { ...landed, seekTook: 999 })
  expect(delays.learnt).toEqual({ seekTook: 180, rateCosts: [25, 31] })
})
