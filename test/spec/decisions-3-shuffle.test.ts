// Shuffle (decisions 3): each item once a round, in an order that the engine's chance draws.
import { describe, expect, it, vi } from 'vitest'
import { createPrng } from '../../src/engine/prng.js'
import { ms, played, rig, type ButtonSpec } from '../rig.js'

const short = { mediaMs: 1000 }
const missing: ButtonSpec = { ...short, file: { missing: true } }

describe('shuffle', () => {
  const ids = (length: number): readonly ButtonSpec[] =>
    Array.from({ length }, () => ({ mediaMs: 100 }))

  it('plays every item once a round, and never the same at the turn of rounds', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const count = 2 + (seed % 5)
      const list = { mode: 'shuffle' as const, wrap: true, buttons: ids(count) }
      const r = rig([list], { prng: createPrng(seed) })
      r.start(1)
      r.advance(ms(100) * count * 6 - 1)
      const order = played(r).join('')
      expect(order.length).toBe(count * 6)
      expect(order[0]).toBe('1')
      for (let round = 0; round < 6; round += 1) {
        const items = order.slice(round * count, (round + 1) * count)
        expect(new Set(items).size).toBe(count)
        if (round > 0) expect(items[0]).not.toBe(order[round * count - 1])
      }
    }
  })

  it('ends after its round without wrap, and a manual start begins a new one', () => {
    const r = rig([{ mode: 'shuffle', buttons: ids(4) }])
    r.start(2)
    r.advance(ms(250))
    r.start(3, {}, 'restart')
    r.advance(ms(5000))
    const rest = played(r).join('').slice(-4)
    expect(rest[0]).toBe('3')
    expect(new Set(rest.split(''))).toEqual(new Set(['0', '1', '2', '3']))
    expect(r.engine.quiet()).toBe(true)
  })

  it('what was kept in pause while another round began does not follow itself', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const buttons = ids(5).map((spec) => ({ ...spec, pauseWhenReplaced: true }))
      const r = rig([{ mode: 'shuffle', buttons }], { prng: createPrng(seed) })
      const kept = r.start(0)
      r.advance(ms(50))
      r.start(1)
      r.advance(ms(120))
      r.resume(0, kept)
      r.advance(ms(60))
      expect(r.state(kept)).toBe('completed')
      expect(played(r).join('')).toMatch(/^01[234]0[234]$/)
    }
  })

  it('of two thousand buttons, all missing but one, each is looked at once a round', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => (n === 0 ? short : missing))
    for (const mode of ['shuffle', 'sequence'] as const) {
      const r = rig([{ mode, wrap: true, buttons: many }])
      const looks = vi.spyOn(r.media, 'check')
      r.start(0)
      r.advance(ms(1500))
      expect(played(r).join('')).toBe('00')
      // The start by hand, and two rounds: none is looked at again and again.
      expect(looks).toHaveBeenCalledTimes(1 + 2 * many.length)
    }
  })
})
