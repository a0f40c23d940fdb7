// Any sync messages at all: out of order, repeated, reversed, jittered, at boundaries, huge.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUTTON, DmxRig, OTHER, ms } from './dmx-rig.js'

const LONG = { durationMs: 60_000, loop: false }

describe('any messages at all', () => {
  const position = fc.oneof(
    fc.integer({ min: 0, max: 12_000 }),
    fc.double({ min: 0, max: 12_000, noNaN: true }),
    fc.constantFrom(-0, 0, 1e308, Number.MAX_VALUE, Number.MIN_VALUE, 9_999.99, 10_000, 20_000),
  )
  const message = fc.record({
    afterMs: fc.integer({ min: 0, max: 1_500 }),
    sequence: fc.integer({ min: 0, max: 60 }),
    positionMs: position,
    isPlaying: fc.boolean(),
    forceSeek: fc.boolean(),
  })

  it('a stated answer; no drift over 100 ms is left where it was accepted', () => {
    fc.assert(fc.property(fc.boolean(), fc.array(message, { maxLength: 40 }), (loop, messages) => {
      const dmx = new DmxRig()
      dmx.run(ms(0), 'a', { durationMs: 10_000, loop })
      let now = 0
      let last = -1
      for (const { afterMs, ...rest } of messages) {
        now += afterMs
        const before = dmx.positionMs(ms(now))
        const answer = dmx.ask(ms(now), 'a', rest.positionMs, rest)
        if (before === null) {
          expect(answer).toBe('dmx_not_active')
        } else if (rest.sequence <= last) {
          expect(answer).toBe('dmx_stale_sequence')
          expect(dmx.positionMs(ms(now))).toBe(before)
        } else {
          if (typeof answer === 'string') throw new Error(answer)
          last = rest.sequence
          expect(Number.isFinite(answer.positionMs) && Number.isFinite(answer.driftMs)).toBe(true)
          expect(Object.is(answer.positionMs, -0)).toBe(false)
          const after = dmx.positionMs(ms(now))
          if (!loop && rest.positionMs >= 10_000) {
            expect([answer.positionMs, after]).toEqual([10_000, null])
            continue
          }
          expect(after).toBe(answer.positionMs)
          const told = loop ? rest.positionMs % 10_000 : rest.positionMs
          const apart = Math.abs((after ?? NaN) - told)
          expect(Math.min(apart, loop ? 10_000 - apart : apart)).toBeLessThanOrEqual(100)
          expect(dmx.runs.runOf(BUTTON)?.isPlaying).toBe(rest.isPlaying)
        }
      }
    }), { numRuns: 2_000 })
  })

  it('a position that is no finite number never gets here: that is a bug', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    for (const told of [NaN, Infinity, -1]) {
      expect(() => dmx.sync(ms(1), 'a', told)).toThrow(RangeError)
    }
  })

  it('however time is cut, the same events', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 60 }), (cuts) => {
      const played = (settles: readonly number[]): unknown => {
        const dmx = new DmxRig()
        dmx.run(ms(0), 'a', { durationMs: 5_000, loop: false })
        dmx.run(ms(0), 'b', { durationMs: 700, loop: false, button: OTHER })
        dmx.sync(ms(100), 'a', 130)
        let now = 100
        for (const cut of settles) dmx.runs.settle(ms((now += cut)))
        dmx.runs.settle(ms(60_000))
        return dmx.told
      }
      expect(played(cuts)).toEqual(played([]))
    }))
  })
})
