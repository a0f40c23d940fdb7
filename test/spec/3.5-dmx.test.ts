// 3.5 and decisions 5: DMX timelines, their runs, and the external clock that they follow.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { BUTTON, DmxRig, OTHER, ms } from '../engine/dmx/dmx-rig.js'

const LONG = { durationMs: 60_000, loop: false }
const LOOP = { durationMs: 10_000, loop: true }

describe('runs', () => {
  it('one with media waits until it sounds, then runs from 0', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    expect(dmx.runs.runOf(BUTTON)).toMatchObject({ state: 'initializing', isPlaying: false })
    dmx.runs.mediaSounds(ms(700), BUTTON)
    expect(dmx.positionMs(ms(1700))).toBe(1000)
    expect(dmx.told).toEqual([
      { change: 'initializing', at: 0, positionMs: 0 },
      { change: 'started', at: ms(700), positionMs: 0 },
    ])
  })

  it('a DMX-only one runs at once', () => {
    const dmx = new DmxRig()
    dmx.run(ms(5), 'a', LONG)
    expect(dmx.runs.runOf(BUTTON)).toMatchObject({ state: 'running', follows: 'itself' })
    expect(dmx.positionMs(ms(6))).toBe(1)
  })

  it('holds while its media is paused and goes on from there', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.runs.hold(ms(3000), BUTTON)
    dmx.runs.hold(ms(3500), BUTTON)
    expect(dmx.positionMs(ms(9000))).toBe(3000)
    dmx.runs.release(ms(10_000), BUTTON)
    dmx.runs.release(ms(10_500), BUTTON)
    expect(dmx.positionMs(ms(11_000))).toBe(4000)
    // A second pause or resume is told to nobody.
    expect(dmx.told.map(({ change, at }) => [change, at])).toEqual([
      ['initializing', 0], ['started', 0], ['held', ms(3000)], ['released', ms(10_000)],
    ])
  })

  it('one whose media is paused while it starts holds at its start', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    dmx.runs.hold(ms(300), BUTTON)
    expect(dmx.runs.runOf(BUTTON)?.state).toBe('held')
    expect(dmx.positionMs(ms(900))).toBe(0)
    dmx.runs.release(ms(1000), BUTTON)
    expect(dmx.positionMs(ms(1001))).toBe(1)
  })

  it('a stop ends it at the very frame', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    dmx.runs.end(frame(777), BUTTON)
    expect(dmx.runs.runOf(BUTTON)).toBeNull()
    expect(dmx.told.at(-1)).toMatchObject({ change: 'ended', at: 777, positionMs: 777 / 48 })
  })

  it('a non-looping one completes at its end, at its own frame however late it is settled', () => {
    const dmx = new DmxRig()
    dmx.run(ms(10), 'a', { durationMs: 500, loop: false })
    expect(dmx.runs.nextDue()).toBe(ms(510))
    dmx.runs.settle(frame(ms(510) - 1))
    expect(dmx.runs.runOf(BUTTON)?.state).toBe('running')
    dmx.runs.settle(ms(99_000))
    expect(dmx.runs.runOf(BUTTON)).toBeNull()
    expect(dmx.told.at(-1)).toEqual({ change: 'completed', at: ms(510), positionMs: 500 })
    expect(dmx.runs.nextDue()).toBeNull()
  })

  it('several complete each at its own frame, however late they are settled', () => {
    const dmx = new DmxRig()
    const lengths = { a: 3_000, b: 1_000, c: 2_000 }
    for (const [id, durationMs] of Object.entries(lengths)) {
      dmx.run(ms(0), id, { durationMs, loop: false, button: id })
    }
    dmx.run(ms(0), 'd', { ...LOOP, button: 'd' })
    dmx.sync(ms(500), 'd', 500, { button: 'd' })
    dmx.runs.settle(ms(60_000))
    expect(dmx.told.slice(5)).toEqual([
      { change: 'completed', at: ms(1_000), positionMs: 1_000 },
      { change: 'freewheel', at: ms(1_500), positionMs: 1_500 },
      { change: 'completed', at: ms(2_000), positionMs: 2_000 },
      { change: 'completed', at: ms(3_000), positionMs: 3_000 },
    ])
    expect(dmx.runs.views().map(({ buttonId }) => buttonId)).toEqual(['d'])
  })

  it('a held one does not complete', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', { durationMs: 500, loop: false })
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.runs.hold(ms(499), BUTTON)
    expect(dmx.positionMs(ms(9000))).toBe(499)
    dmx.runs.release(ms(9000), BUTTON)
    expect(dmx.runs.nextDue()).toBe(ms(9001))
  })

  it('a looping one wraps the time for ever', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LOOP)
    expect(dmx.runs.nextDue()).toBeNull()
    expect(dmx.positionMs(ms(10_000))).toBe(0)
    expect(dmx.positionMs(ms(1_234_567))).toBe(4_567)
  })

  it('several are active, in the order of their starts', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    dmx.run(ms(1), 'b', { ...LONG, button: OTHER })
    dmx.runs.end(ms(2), BUTTON)
    dmx.run(ms(3), 'c', LONG)
    expect(dmx.runs.views().map((view) => view.dmxExecutionId)).toEqual(['b', 'c'])
    expect(dmx.runs.views().map((view) => view.startedSerial)).toEqual([2, 3])
  })
})
