// The agenda: whatever is put on it and taken off it again, what is left comes in its order.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { Agenda, LANE, type Due } from '../../src/engine/agenda.js'

const inOrder = (a: Due, b: Due): number => a.at - b.at || a.lane - b.lane || a.seq - b.seq

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({
    at: fc.nat(20), lane: fc.constantFrom(...Object.values(LANE)),
  }) },
  { weight: 2, arbitrary: fc.record({ cancel: fc.nat(200) }) },
  { weight: 1, arbitrary: fc.constant('take' as const) },
)

describe('the agenda', () => {
  it('has next what comes first of what is left, however much was cancelled', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const agenda = new Agenda()
      const all: Due[] = []
      let left: Due[] = []
      for (const one of steps) {
        if (one === 'take') {
          if (left.length === 0) continue
          const first = left.sort(inOrder)[0]
          expect(agenda.take()).toBe(first)
          left = left.filter((due) => due !== first)
        } else if ('cancel' in one) {
          // Also what is done or cancelled already: that is harmless.
          const due = all[one.cancel % Math.max(1, all.length)] ?? null
          agenda.cancel(due)
          left = left.filter((it) => it !== due)
        } else {
          const due = agenda.add(frame(one.at), one.lane, () => undefined)
          all.push(due)
          left.push(due)
        }
        expect(agenda.next()).toBe(left.sort(inOrder)[0] ?? null)
        expect(agenda.size).toBe(left.length)
      }
    }), { numRuns: 300 })
  })
})
