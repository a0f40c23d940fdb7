// Early crossfade (decisions 3): when the next item of a list begins, and how the two blend.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { constant, ms, played, rig, slow, type ButtonSpec } from '../rig.js'

const short = { mediaMs: 1000 }
const sequence = { mode: 'sequence' as const }
const mix = { mixOnTransition: true, crossfadeMs: 400 }
const missing: ButtonSpec = { ...short, file: { missing: true } }

describe('early crossfade', () => {
  it('saved fades play no part; the outgoing stays playing until it is completed', () => {
    const fades = { fadeInMs: 50, fadeOutMs: 50 }
    const buttons = [1, 0.5].map((level) => ({ ...short, ...fades, file: constant(level) }))
    const r = rig([{ ...sequence, ...mix, buttons }])
    const id = r.start(0)
    r.advance(ms(600))
    const { left } = r.render(ms(400) - 1)
    expect(left.every((x, f) => Math.abs(x - (1 - 0.5 * (f / ms(400)))) < 1e-6)).toBe(true)
    expect(r.state(id)).toBe('playing')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    expect(r.run(r.live(1)!)).toMatchObject({ state: 'playing', positionMs: 400 })
  })

  it('a resume out of it, whose successor fades out, is followed again at its own end', () => {
    const buttons = [{ mediaMs: 20_000 }, { mediaMs: 20_000, fadeOutMs: 1_000 }]
    const r = rig([{ ...sequence, mixOnTransition: true, crossfadeMs: 4_000, buttons }])
    const id = r.start(0)
    r.advance(ms(17_000))
    expect(r.live(1)).not.toBeNull()
    r.pause(0, id, 0)
    r.resume(0, id, 0)
    r.advance(ms(4_000))
    expect(r.state(id)).toBe('completed')
    const anew = ['1 replaced', '1 starting', '1 playing', '0 natural_end']
    expect(r.story().slice(-4)).toEqual(anew)
  })

  it('paused in it, who came in goes on with the list where the other is stopped (4.1)', () => {
    for (const [both, order] of [[false, '0112'], [true, '010212']] as const) {
      const r = rig([{ ...sequence, ...mix, buttons: [short, short, short] }])
      const out = r.start(0)
      r.advance(ms(800))
      const came = r.live(1)!
      r.pause(0, out, 0)
      r.pause(1, came, 0)
      r.advance(ms(5000))
      if (both) r.resume(0, out, 0)
      else r.stop(0, out)
      r.resume(1, came, 0)
      r.advance(ms(5000))
      expect(played(r).join('')).toBe(order)
      expect(r.run(came)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    }
  })

  it('none in a list with one playable item, wrap or not', () => {
    const r = rig([{ ...sequence, ...mix, wrap: true, buttons: [
      { ...short, file: constant() }, { kind: 'image' }, missing,
    ] }])
    r.start(0)
    expect(r.render(ms(3500)).left.every((x) => x === 1)).toBe(true)
    expect(played(r).join('')).toBe('0000')
  })

  it('none while a run is pausing; a resume in time brings it back, shorter', () => {
    const buttons = [{ ...short, file: constant() }, short]
    const r = rig([{ ...sequence, ...mix, buttons }])
    const id = r.start(0)
    r.advance(ms(500))
    r.pause(0, id, 200)
    r.advance(ms(190))
    expect(r.live(1)).toBeNull()
    r.resume(0, id, 100)
    r.advance(ms(100))
    expect(r.state(r.live(1)!)).toBe('playing')
    r.advance(ms(210))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
  })

  it('End while pausing: completed, and nothing starts by itself', () => {
    for (const settings of [{}, mix]) {
      const r = rig([{ ...sequence, ...settings, buttons: [short, short] }])
      const id = r.start(0)
      r.advance(ms(500))
      r.pause(0, id, 5000)
      r.advance(ms(500))
      expect(r.run(id)).toMatchObject({
        state: 'completed', endReason: 'natural_end', positionMs: 1000,
      })
      r.advance(ms(5000))
      expect(played(r).join('')).toBe('0')
    }
  })

  it('a late successor blends over what is left, one that never comes blends nothing', () => {
    for (const [after, joins] of [[800, 800], [5000, null]] as const) {
      const late = { ...short, file: { ...slow(after), ...constant(0) } }
      const buttons = [{ ...short, file: constant() }, late]
      const r = rig([{ ...sequence, ...mix, buttons }])
      r.start(0)
      const { left } = r.render(ms(1000))
      const first = left.findIndex((x) => x !== 1)
      expect(first).toBe(joins === null ? -1 : ms(joins) + 1)
      if (joins !== null) expect(left[ms(900)]).toBeCloseTo(0.5, 6)
    }
  })

  it('a successor of unknown length is looked at far enough for half of its range', () => {
    const list = { ...sequence, mixOnTransition: true, crossfadeMs: 60_000 }
    const step = { frames: frame(ms(10_000)), every: frame(4_800) }
    const buttons = [{ mediaMs: 200_000 }, { mediaMs: 100_000, file: { step } }]
    const r = rig([{ ...list, buttons }])
    const id = r.start(0)
    r.advance(ms(150_000) - 1)
    expect(r.live(1)).toBeNull()
    r.advance(1)
    expect(r.live(1)).not.toBeNull()
    r.advance(ms(50_000))
    expect(r.state(id)).toBe('completed')
  })
})

describe('an early crossfade of an item that fades at End', () => {
  it('takes the place of that fade', () => {
    const lands = { mediaMs: 2000, fadeOutMs: 1000, fadeOutAtEnd: true, file: constant() }
    const r = rig([{ ...sequence, ...mix, buttons: [lands, { ...short, file: constant(0) }] }])
    r.start(0)
    const { left } = r.render(ms(2000))
    expect([1100, 1599].map((at) => left[ms(at)])).toEqual([1, 1])
    expect(left[ms(1800)]).toBeCloseTo(0.5, 6)
  })

  it.each([
    ['within the fall', 1750, 'playing', 250],
    ['only when it is over', 9000, 'starting', 0],
  ])('leaves it its place where the next item is heard %s', (_, after, state, positionMs) => {
    const lands = { mediaMs: 2000, fadeOutMs: 300, fadeOutAtEnd: true, file: constant() }
    const late = { ...short, file: { ...slow(after), ...constant(0) } }
    const r = rig([{ ...sequence, ...mix, buttons: [lands, late] }])
    r.start(0)
    const { left } = r.render(ms(2000))
    const gains = [1700, 1775, 1850, 1925].map((at) => Number(left[ms(at)]!.toFixed(2)))
    expect(gains).toEqual([1, 0.75, 0.5, 0.25])
    expect(r.run(r.live(1)!)).toMatchObject({ state, positionMs })
  })

  it('does so in a list of two as well, where what comes next just blended out', () => {
    const lands = { mediaMs: 3000, fadeOutMs: 2500, fadeOutAtEnd: true, file: constant() }
    const second = { mixOnTransition: true, crossfadeMs: 1000 }
    const buttons = [lands, { mediaMs: 4000, file: constant(0) }]
    const r = rig([{ ...sequence, ...second, wrap: true, buttons }])
    r.start(1)
    const { left } = r.render(ms(6000))
    const gains = [3500, 4000, 4500, 5000, 5500].map((at) => Number(left[ms(at)]!.toFixed(6)))
    expect(gains).toEqual([0.5, 1, 1, 1, 0.5])
  })

  it('does so too where what comes next was replaced, and ends with the rise', () => {
    const lands = { mediaMs: 1000, fadeOutMs: 3000, fadeOutAtEnd: true, file: constant() }
    const other = { mediaMs: 3000, file: constant(0) }
    const second = { mixOnTransition: true, crossfadeMs: 100 }
    const r = rig([{ ...sequence, ...second, buttons: [other, lands, other] }])
    for (const button of [0, 2, 1]) r.start(button)
    const { left } = r.render(ms(1000))
    const gains = [50, 100, 500, 899, 950].map((at) => Number(left[ms(at)]!.toFixed(6)))
    expect(gains).toEqual([0.5, 1, 1, 1, 0.5])
  })

  it('leaves it its place at once, where the next item proves to be missing', () => {
    const lands = { mediaMs: 2000, fadeOutMs: 2000, fadeOutAtEnd: true, file: constant() }
    const gone = { missing: true, checkedAfter: frame(ms(20)) }
    const r = rig([{ ...sequence, ...mix, buttons: [lands, { ...short, file: gone }] }])
    r.start(0)
    const { left } = r.render(ms(2000))
    expect(left[ms(20)]).toBe(1)
    expect(left[ms(1010)]).toBeCloseTo(0.5, 6)
  })
})

describe('an early crossfade into a file whose decoder tells its end late', () => {
  it('is half the range that a probe found, however far its End lies beyond it', () => {
    const drips = { tellsEndEarly: false, step: { frames: frame(ms(100)), every: frame(ms(3000)) } }
    const r = rig([{ ...sequence, mixOnTransition: true, crossfadeMs: 2000, buttons: [
      {}, { mediaMs: 1000, endMs: 60_000, file: drips },
    ] }])
    r.player.post({
      kind: 'probed', path: `/media/${r.idOf(1)}`, duration: frame(ms(1000)),
    })
    r.start(0)
    r.advance(ms(9600))
    expect(played(r).join('')).toBe('01')
    const first = r.events.find((event) => event.kind === 'run' && event.buttonId === r.idOf(1))
    expect(first).toMatchObject({ at: ms(9500), state: 'starting' })
  })
})
