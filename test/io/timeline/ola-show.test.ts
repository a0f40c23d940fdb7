// Recordings of OLA: what a lamp shows at a frame of one.
import { describe, expect, it } from 'vitest'
import { msToFrames } from '../../../src/clock/frame.js'
import { at, compiled, faultsOf } from './timeline-rig.js'

describe('a recording of OLA', () => {
  const timeline = compiled('OLA Show\n1 255,,3\n100\n2 7\n50\n1 0,0,3,9\n')

  it('lasts the sum of its delays plus 25 ms', () => {
    expect(timeline.durationFrames).toBe(msToFrames(175))
    expect([...timeline.universes]).toEqual([1, 2])
  })

  it('shows each frame from its time on; empty is 0', () => {
    const slots = (ms: number): number[] => [...(at(timeline, ms)[0]?.slice(0, 4) ?? [])]
    expect(slots(0)).toEqual([255, 0, 3, 0])
    expect(slots(149)).toEqual([255, 0, 3, 0])
    expect(slots(150)).toEqual([0, 0, 3, 9])
    expect(at(timeline, 0)[1]?.[0]).toBe(7)
  })

  it('a slot that a later frame leaves out is dark', () => {
    const shorter = compiled('OLA Show\n1 1,2\n10\n1 5\n')
    expect(at(shorter, 10)[0]?.slice(0, 2)).toEqual(Uint8Array.of(5, 0))
  })

  it('takes other line ends, an empty universe, and a delay after the last frame', () => {
    const odd = compiled('OLA Show\r\n1 255\r\n100\r\n1 \r\n30\r\n')
    expect(odd.durationFrames).toBe(msToFrames(155))
    expect(at(odd, 100)[0]?.[0]).toBe(0)
  })

  it.each([
    ['OLA Shaw\n1 1\n', 'line 1'],
    ['OLA Show\n', 'line 2'],
    ['OLA Show\n1 256\n', 'line 2'],
    ['OLA Show\n1 1,x\n', 'line 2'],
    ['OLA Show\n1  1\n5\nfoo\n', 'line 4'],
    ['OLA Show\n1 1\n-5\n1 2\n', 'line 3'],
    ['OLA Show\n1 1\n1 2\n', 'line 3'],
    ['OLA Show\n40000 1\n', 'line 2'],
    [`OLA Show\n1 ${'0,'.repeat(512)}0\n`, 'line 2'],
  ])('refuses %#', (text, place) => {
    expect(faultsOf(text)).toContain(place)
  })
})
