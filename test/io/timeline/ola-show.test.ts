// Recordings of OLA: what a lamp shows at a frame of one.
import { describe, expect, it } from 'vitest'
import { msToFrames } from '../../../src/clock/frame.js'
import { compileText } from '../../../src/io/timeline/timeline-file.js'
import { at, compiled, faultsOf } from './timeline-rig.js'

const WEEK_MS = 604_800_000

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

  it('a universe that is first heard of after more than a second was dark until then', () => {
    const late = (delay: number) => compiled(`OLA Show\n1 9\n${delay}\n2 200,,7\n50\n1 0\n`)
    const slots = (delay: number, ms: number): number[] =>
      [...(at(late(delay), ms)[1]?.slice(0, 3) ?? [])]
    expect([slots(1_001, 0), slots(1_001, 1_000)]).toEqual([[0, 0, 0], [0, 0, 0]])
    expect(slots(1_001, 1_001)).toEqual([200, 0, 7])
    // Whoever sends a look repeats it each second: this one stood already.
    expect(slots(1_000, 0)).toEqual([200, 0, 7])
  })

  it('takes other line ends, an empty universe, and a delay after the last frame', () => {
    const odd = compiled('OLA Show\r\n1 255\r\n100\r\n1 \r\n30\r\n')
    expect(odd.durationFrames).toBe(msToFrames(155))
    expect(at(odd, 100)[0]?.[0]).toBe(0)
  })

  it('takes a single frame, and blanks that an editor left behind', () => {
    const odd = compiled('OLA Show \n1 255, 3 \n \n\n')
    expect(odd.durationFrames).toBe(msToFrames(25))
    expect(at(odd, 0)[0]?.slice(0, 2)).toEqual(Uint8Array.of(255, 3))
  })

  it('a universe of which no frame tells a value is not driven', () => {
    expect([...compiled('OLA Show\n7  \n100\n2 5\n').universes]).toEqual([2])
  })

  it('takes the last slot of the last universe, and a delay of a week', () => {
    const most = compiled(`OLA Show\n32767 ${'0,'.repeat(511)}9\n${WEEK_MS}\n`)
    expect([...most.universes]).toEqual([32_767])
    expect(at(most, WEEK_MS)[0]?.[511]).toBe(9)
  })

  it('takes a million changes of slots, and refuses one more', () => {
    const frameOf = (value: number, changed = 512): string =>
      `0 ${`${value},`.repeat(changed)}${`${3 - value},`.repeat(512 - changed)}`.replace(/,$/, '')
    // Slot 1 begins lit; each other one is first dark, then lit by the second frame.
    const begun = ['0 2', ...Array.from({ length: 1_952 }, (_, n) => frameOf(1 + n % 2))]
    const recording = (changed: number): string =>
      ['OLA Show', [...begun, frameOf(1, changed)].join('\n10\n')].join('\n')
    const counted = 2 + 511 * 2 + 1_951 * 512
    expect(compiled(recording(1_000_000 - counted)).at.length).toBe(1_000_000)
    const refused = compileText(recording(1_000_001 - counted))
    const message = 'holds more changes of slots than the 1000000 that are read'
    expect(refused.ok ? [] : refused.faults).toEqual([{ place: 'file', message }])
  })

  it.each([
    ['OLA Shaw\n1 1\n', 'line 1'],
    ['OLA Show\n', 'line 2'],
    ['OLA Show\n1 256\n', 'line 2'],
    ['OLA Show\n1 1,x\n', 'line 2'],
    ['OLA Show\n1  1\n5\nfoo\n', 'line 4'],
    ['OLA Show\n1 1\n-5\n1 2\n', 'line 3'],
    ['OLA Show\n1 1\n1 2\n', 'line 3'],
    ['OLA Show\n32768 1\n', 'line 2'],
    [`OLA Show\n1 1\n${WEEK_MS + 1}\n`, 'line 3'],
    [`OLA Show\n1 ${'0,'.repeat(512)}0\n`, 'line 2'],
  ])('refuses %#', (text, place) => {
    expect(faultsOf(text)).toContain(place)
  })

  it.each(['Ola Show\n0 255\n', 'ola show\n0 255\n', '\nOLA Show\n0 255\n'])(
    'whose first line is nearly right is told of that line, and not as a fault of JSON: %#',
    (text) => {
      const faults = [{ place: 'line 1', message: 'must be "OLA Show"' }]
      expect(compileText(text)).toEqual({ ok: false, faults })
    },
  )

  it('says which value of a frame is wrong', () => {
    expect(compileText('OLA Show\n1 255,256\n5\n1 x\n')).toEqual({
      ok: false,
      faults: [
        { place: 'line 2', message: 'value 2 must be a whole number from 0 to 255' },
        { place: 'line 4', message: 'value 1 must be a whole number from 0 to 255' },
      ],
    })
  })
})
