// Decisions 3: what a late decoder does to the sound, the position and what is told.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { constant, ms, rig } from '../rig.js'

const flat = { mediaMs: 600_000, file: constant() }

describe('the sound follows the output, and the position the sound', () => {
  it('starts and, where the decoder is late, goes on with 100 ms in stock, and tells of it', () => {
    const step = { frames: frame(ms(50)), every: frame(ms(100)) }
    const r = rig([{ buttons: [{ mediaMs: 400, file: { step } }] }])
    const id = r.start(0)
    r.advance(ms(100) - 1)
    expect(r.run(id)).toMatchObject({ state: 'starting', positionMs: 0 })
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 0 })
    r.advance(ms(200))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 150 })
    r.advance(ms(200))
    expect(r.run(id)).toMatchObject({ positionMs: 250, starvedMs: 150 })
    expect(r.starvations()).toBe(1)
    // The second gap began 50 ms ago, and is read as it grows.
    r.advance(ms(100))
    expect(r.run(id)).toMatchObject({ positionMs: 300, starvedMs: 200 })
    expect(r.starvations()).toBe(2)
    r.advance(ms(200))
    expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 400, starvedMs: 300 })
    const notices = r.events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []))
    expect(notices).toEqual(Array(2).fill([
      'starved: the decoder is late', 'goes on: its decoder was late by 150 ms',
    ]).flat())
  })

  it('is quiet while nothing but a late decoder is waited for, and sounds again with it', () => {
    const step = { frames: frame(ms(200)), every: frame(ms(300)) }
    const r = rig([{ buttons: [{ mediaMs: 600, file: { step } }] }])
    r.start(0)
    expect(r.engine.quiet()).toBe(false)
    r.advance(ms(200))
    // An output plays no silence in its place, which its sound would then come too late to replace.
    expect(r.engine.quiet()).toBe(true)
    r.advance(ms(100))
    expect(r.engine.quiet()).toBe(false)
  })

  it('a pause and a stop end a gap, and its length stays told', () => {
    const step = { frames: frame(ms(50)), every: frame(ms(100)) }
    const r = rig([{ buttons: [{ mediaMs: 60_000, file: { step } }] }])
    const id = r.start(0)
    r.advance(ms(300))
    expect(r.run(id)).toMatchObject({ positionMs: 150, starvedMs: 50 })
    r.pause(0, id, 0)
    r.advance(ms(70))
    expect(r.run(id)).toMatchObject({ state: 'paused', starvedMs: 50 })
    r.stop(0)
    r.advance(ms(1000))
    expect(r.run(id)).toMatchObject({ state: 'stopped', starvedMs: 50 })
    expect(r.starvations()).toBe(1)
    const notices = r.events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []))
    expect(notices).toEqual([
      'starved: the decoder is late', 'paused: its decoder was late by 50 ms',
    ])
  })

  it('a gap of one frame is told too, where what replaces it sounds at the next', () => {
    const slow = { mediaMs: 400, file: { readyAfter: frame(ms(5000)), holds: false } }
    const r = rig([{ buttons: [{ ...slow, isLoopEnabled: true }, slow] }])
    const id = r.start(0)
    // Its first pass ends 400 ms after its sound, and the next one is not there.
    r.advance(ms(400) + 1)
    r.start(1)
    r.advance(ms(5000))
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'replaced' })
    expect(r.starvations()).toBe(1)
    const notices = r.events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []))
    expect(notices).toEqual([
      'starved: the decoder is late', 'ended: its decoder was late by 0 ms',
    ])
  })

  it('what it replaces sounds on until 100 ms are there; a shorter file starts whole', () => {
    const step = { frames: frame(ms(60)), every: frame(ms(50)) }
    const file = { ...constant(0), step }
    const r = rig([{ buttons: [flat, { mediaMs: 60_000, file }, { ...flat, mediaMs: 40 }] }])
    r.start(0)
    const id = r.start(1)
    const { left } = r.render(ms(60))
    expect(left.slice(0, ms(50)).every((x) => x === 1)).toBe(true)
    expect(left[ms(50)]).toBe(0)
    expect(r.state(id)).toBe('playing')
    expect(r.state(r.start(2))).toBe('playing')
  })

  it('a loop whose next pass is late plays its pass in full, then waits for 100 ms of it', () => {
    const step = { frames: frame(ms(60)), every: frame(ms(50)) }
    const r = rig([{ buttons: [{ mediaMs: 10_000, file: { ...constant(), holds: false } }] }])
    const id = r.start(0, { loop: true })
    // The next pass is opened five seconds before End, and comes a second after it.
    r.file(0, { readyAfter: frame(ms(6_000)), step })
    r.advance(ms(10_000) - 1)
    const { left } = r.render(ms(1_100) + 1)
    expect(left[0]).toBe(1)
    expect(left.slice(1, ms(1_050) + 1).every((x) => x === 0)).toBe(true)
    expect(left.slice(ms(1_050) + 1).every((x) => x === 1)).toBe(true)
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 50 })
  })

  it('tells of a single frame of lateness too, and not of what came within its frame', () => {
    for (const [every, told] of [[4_800, 0], [4_801, 2]] as const) {
      const step = { frames: frame(4_800), every: frame(every) }
      const r = rig([{ buttons: [{ mediaMs: 200, file: { step } }] }])
      r.start(0)
      r.advance(ms(300))
      expect(r.events.filter((event) => event.kind === 'notice')).toHaveLength(told)
    }
  })
})
