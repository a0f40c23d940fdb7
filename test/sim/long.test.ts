// Days and nights in short: what can be worked out beforehand; HTTP answers as direct calls do.
import { describe, expect, test } from 'vitest'
import { spendNight } from '../../sim/night.js'
import { liveYear } from '../../sim/year.js'

describe('long simulations', () => {
  test('five days of music and quizzes go as they can be worked out', () => {
    const week = liveYear(5)
    expect(week.wrong).toBeNull()
    expect(week.runs).toBeGreaterThan(900)
    expect(liveYear(5).hash).toBe(week.hash)
  })

  test('an hour of a quiz app has the same answers directly and through HTTP', async () => {
    const direct = await spendNight(1, false)
    const http = await spendNight(1, true)
    expect([direct.wrong, http.wrong]).toEqual([null, null])
    expect(http).toEqual(direct)
    expect(direct.ends).toBeGreaterThan(5)
  }, 60_000)
})
