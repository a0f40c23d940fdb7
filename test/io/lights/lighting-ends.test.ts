// What a lamp that holds keeps of a timeline that is over: the look of its end, to the last value.
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../../src/clock/frame.js'
import type { Lighting } from '../../../src/engine/lighting/lighting.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import { BUTTON, DmxRig, OTHER, ms } from '../../engine/dmx/dmx-rig.js'
import { LONG, show, stage, steady } from './lighting-rig.js'

const SECOND = { durationMs: 1_000, loop: false }

/** Slot 1 goes from full to dark in a second, slot 2 the other way. */
const fade = buildTimeline(ms(1_000), [[255, 0], [0, 255]].map(([from = 0, to = 0], slot) => ({
  universe: 0, slot, wide: false, at: [0, ms(1_000)], value: [from, to], curve: ['linear', 'step'],
})))

describe('with hold', () => {
  const rig = (offsetMs = 0) => {
    const { lighting, slots } = stage({ a: fade, b: steady(0, { 2: 9 }) }, 'hold', offsetMs)
    const look = (now: Frame): number[] => slots(now).slice(0, 2)
    return { lighting, look, dmx: new DmxRig() }
  }
  /** The fade runs from 0 on. */
  const fading = (offsetMs = 0) => {
    const begun = rig(offsetMs)
    begun.dmx.run(ms(0), 'a', SECOND)
    show(begun.lighting, begun.dmx, ms(0))
    return begun
  }
  /** Told of the end `later`, as the engine reckons in blocks. */
  const end = (lighting: Lighting, dmx: DmxRig, at: Frame, later = ms(9)): Frame => {
    show(lighting, dmx, (at + later) as Frame)
    return (at + later) as Frame
  }

  it('a fade reaches its last keyframe, however short of it the last tick was', () => {
    for (const later of [ms(0), ms(1), ms(24)]) {
      const { lighting, look, dmx } = fading()
      expect(look(ms(980))).toEqual([5, 250])
      expect(look(end(lighting, dmx, ms(1_000), later))).toEqual([0, 255])
      expect([lighting.driven.size, lighting.moving(ms(1_025))]).toEqual([0, false])
    }
  })

  it('also where lamps are late: then, and no sooner', () => {
    const { lighting, look, dmx } = fading(300)
    end(lighting, dmx, ms(1_000))
    expect(look(ms(1_280))).toEqual([5, 250])
    expect(lighting.nextTurn(ms(1_280))).toBe(ms(1_300))
    expect(look(ms(1_300))).toEqual([0, 255])
  })

  it('also where the external clock says that it is over', () => {
    const { lighting, look, dmx } = fading()
    expect(look(ms(940))).toEqual([15, 240])
    expect(dmx.ask(ms(945), 'a', 1_000)).toMatchObject({ corrected: true, positionMs: 1_000 })
    show(lighting, dmx, ms(945))
    expect(look(ms(945))).toEqual([0, 255])
  })

  it('one that ends with its media leaves the look of that moment', () => {
    const { lighting, look, dmx } = rig()
    dmx.media(ms(0), 'a', SECOND)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0))
    expect(look(ms(480))).toEqual([133, 122])
    dmx.runs.endWithMedia(ms(500), BUTTON, 'natural_end')
    show(lighting, dmx, ms(509))
    expect(look(ms(509))).toEqual([128, 128])
  })

  it('one that is stopped leaves what was seen', () => {
    const { lighting, look, dmx } = fading()
    expect(look(ms(480))).toEqual([133, 122])
    dmx.runs.end(ms(500), BUTTON)
    show(lighting, dmx, ms(500))
    expect(look(ms(500))).toEqual([133, 122])
  })

  it('leaves alone what another one has, though that was started before', () => {
    const { lighting, look, dmx } = rig()
    dmx.run(ms(0), 'b', { ...LONG, button: OTHER })
    dmx.run(ms(0), 'a', SECOND)
    show(lighting, dmx, ms(0))
    expect(look(ms(980))).toEqual([5, 250])
    expect(look(end(lighting, dmx, ms(1_000)))).toEqual([0, 9])
  })
})
