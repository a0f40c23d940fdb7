// Section 3.2: each row of the transition table, on what a client reads and a room hears.
import { describe, expect, it } from 'vitest'
import { rig, ms } from '../rig.js'
import { positionDecode } from '../../src/testing/media.js'

describe('3.2 starts', () => {
  it('(none) → play: 202 with a new id, starting and then playing', () => {
    const r = rig([{ buttons: [{ file: { readyAfter: 480 as never } }] }])
    const id = r.start(0)
    expect(r.state(id)).toBe('starting')
    r.advance(479)
    expect(r.state(id)).toBe('starting')
    r.advance(1)
    expect(r.state(id)).toBe('playing')
    expect(r.run(id).positionMs).toBe(0)
    r.advance(ms(1000))
    expect(r.run(id).positionMs).toBe(1000)
  })

  it('completes as completed/natural_end at its end, position at the end', () => {
    const r = rig([{ buttons: [{ mediaMs: 2000 }] }])
    const id = r.start(0)
    r.advance(ms(2000) - 1)
    expect(r.state(id)).toBe('playing')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end', positionMs: 2000 })
    expect(r.live(0)).toBeNull()
    expect(r.media.open$.size).toBe(0)
  })

  it('honours Start and End to the frame, on rendered samples', () => {
    const r = rig([{ buttons: [{ startMs: 1000, endMs: 1500 }] }])
    const id = r.start(0)
    const sound = r.render(ms(600))
    const first = positionDecode(sound.left[0]!, sound.right[0]!)
    const last = positionDecode(sound.left[ms(500) - 1]!, sound.right[ms(500) - 1]!)
    expect([first, last]).toEqual([ms(1000), ms(1500) - 1])
    expect(sound.left[ms(500)]).toBe(0)
    expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 1500 })
  })
})

describe('3.2 pause and resume', () => {
  it('playing → pausing → paused: audio advances in the fade and rests where it ended', () => {
    const r = rig([{ buttons: [{ mediaMs: 60_000 }] }])
    const id = r.start(0)
    r.advance(ms(1000))
    expect(r.pause(0, id, 500)).toMatchObject({ state: 'pausing', positionMs: 1000 })
    r.advance(ms(500) - 1)
    expect(r.state(id)).toBe('pausing')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 1500 })
    r.advance(ms(100_000))
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 1500, endReason: null })
    expect(r.resume(0, id)).toMatchObject({ state: 'playing', executionId: id, positionMs: 1500 })
  })

  it('loses and doubles no frame over pause and resume', () => {
    const r = rig([{ buttons: [{ mediaMs: 60_000 }] }])
    const id = r.start(0)
    const before = r.render(ms(100))
    r.pause(0, id, 0)
    const silence = r.render(ms(50))
    r.resume(0, id, 0)
    const after = r.render(ms(100))
    expect(positionDecode(before.left.at(-1)!, before.right.at(-1)!)).toBe(ms(100) - 1)
    expect(silence.left.every((x) => x === 0)).toBe(true)
    expect(positionDecode(after.left[0]!, after.right[0]!)).toBe(ms(100))
  })

  it('a second pause does not restart the fade', () => {
    const r = rig([{ buttons: [{}] }])
    const id = r.start(0)
    r.pause(0, id, 1000)
    r.advance(ms(600))
    expect(r.pause(0, id, 1000)).toMatchObject({ state: 'pausing' })
    r.advance(ms(400))
    expect(r.state(id)).toBe('paused')
  })
})

describe('3.2 stop', () => {
  it('playing → fading_out → stopped/explicit_stop; a second stop changes nothing', () => {
    const r = rig([{ buttons: [{}] }])
    const id = r.start(0)
    r.advance(ms(100))
    expect(r.stop(0, id, 1000)).toEqual({ result: 'fading_out', id: r.idOf(0), executionId: id })
    r.advance(ms(500))
    expect(r.stop(0, null, 60_000)).toMatchObject({ result: 'fading_out' })
    r.advance(ms(500) - 1)
    expect(r.state(id)).toBe('fading_out')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    expect(r.stop(0, id)).toMatchObject({ result: 'already_stopped', executionId: id })
  })

  it('an interrupted fade leaves from the gain that is heard', () => {
    const r = rig([{ buttons: [{ file: { sample: () => [1, 1] } }] }])
    const id = r.start(0)
    r.advance(ms(100))
    r.pause(0, id, 1000)
    const first = r.render(ms(250))
    r.stop(0, id, 1000)
    const rest = r.render(ms(1000))
    expect(first.left.at(-1)).toBeCloseTo(0.75, 3)
    expect(rest.left[0]).toBeCloseTo(0.75, 6)
    expect(rest.left[ms(500)]).toBeCloseTo(0.375, 6)
    expect(rest.left.at(-1)).toBeGreaterThan(0)
    expect(r.state(id)).toBe('stopped')
  })
})
