// What the lamps show: the latest start wins, blackout or hold, and how far they are behind.
import { describe, expect, it } from 'vitest'
import type { DmxView } from '../../../src/engine/dmx/dmx-run.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import type { CompiledTimeline } from '../../../src/engine/lighting/timeline.js'
import { BUTTON, DmxRig, OTHER, ms } from '../../engine/dmx/dmx-rig.js'
import { LONG, counting, show, stage, steady } from './lighting-rig.js'

const FIVE = { durationMs: 5_000, loop: false }

describe('the merge', () => {
  it('per channel the latest start wins, and what it leaves falls to the one before', () => {
    const { lighting, slots } = stage({
      a: steady(0, { 1: 10, 2: 20 }), b: steady(0, { 2: 99, 3: 30 }),
    })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    dmx.run(ms(1), 'b', { ...LONG, button: OTHER })
    show(lighting, dmx, ms(2))
    expect(slots(ms(2))).toEqual([10, 99, 30, 0])
    dmx.runs.end(ms(3), OTHER)
    show(lighting, dmx, ms(3))
    expect(slots(ms(3))).toEqual([10, 20, 0, 0])
  })

  it('a new start of an older timeline wins over the younger one', () => {
    const { lighting, slots } = stage({
      a: steady(0, { 1: 10 }), b: steady(0, { 1: 20 }), c: steady(0, { 1: 30 }),
    })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    dmx.run(ms(1), 'b', { ...LONG, button: OTHER })
    dmx.runs.end(ms(2), BUTTON)
    dmx.run(ms(2), 'c', LONG)
    show(lighting, dmx, ms(3))
    expect(slots(ms(3))[0]).toBe(30)
  })

  it('a run that waits for its media lights nothing; a held one holds its look', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', { durationMs: 5_000, loop: false })
    show(lighting, dmx, ms(50))
    expect(slots(ms(50))[0]).toBe(0)
    dmx.runs.mediaSounds(ms(100), BUTTON)
    dmx.runs.hold(ms(350), BUTTON)
    show(lighting, dmx, ms(350))
    expect(slots(ms(4_000))[0]).toBe(3)
  })

  it('a channel that no active run defines goes dark, or holds', () => {
    for (const [onStop, left] of [['blackout', 0], ['hold', 10]] as const) {
      const { lighting, slots } = stage({ a: steady(0, { 1: 10 }) }, onStop)
      const dmx = new DmxRig()
      dmx.run(ms(0), 'a', LONG)
      show(lighting, dmx, ms(1))
      expect(slots(ms(1))[0]).toBe(10)
      dmx.runs.end(ms(2), BUTTON)
      show(lighting, dmx, ms(2))
      expect(slots(ms(2))[0]).toBe(left)
    }
  })

  it('goes on with its timeline where a new show does not know it', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', { durationMs: 5_000, loop: false })
    show(lighting, dmx, ms(1))
    lighting.setTimelines(new Map())
    show(lighting, dmx, ms(2))
    expect(slots(ms(1_050))[0]).toBe(11)
  })

  it('a seek that comes in the very frame of the start is seen', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', { durationMs: 5_000, loop: false })
    show(lighting, dmx, ms(0))
    dmx.sync(ms(0), 'a', 3_000, { forceSeek: true })
    show(lighting, dmx, ms(0))
    expect(slots(ms(50))[0]).toBe(31)
  })

  it('a pause that comes in the very frame of the start is seen', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', FIVE)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0))
    dmx.runs.hold(ms(0), BUTTON)
    show(lighting, dmx, ms(0))
    expect([slots(ms(2_000))[0], lighting.moving(ms(2_000))]).toEqual([1, false])
  })

  it('a run whose timeline is not known is dark, and lit once it is', () => {
    const { lighting, slots } = stage({ b: steady(0, { 1: 20 }) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'b', LONG)
    dmx.run(ms(1), 'a', { ...LONG, button: OTHER })
    show(lighting, dmx, ms(1))
    expect(slots(ms(1))[0]).toBe(20)
    lighting.setTimelines(new Map([['timeline of a', steady(0, { 1: 10 })]]))
    expect(slots(ms(2))[0]).toBe(10)
  })

  it('a run shows what its timeline was edited to, whatever moment of it was reached', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    show(lighting, dmx, ms(1))
    expect(slots(ms(250))).toEqual([3, 0, 0, 0])
    lighting.setTimelines(new Map([['timeline of a', steady(0, { 1: 77, 2: 5 })]]))
    expect(slots(ms(251))).toEqual([77, 5, 0, 0])
  })

  it('a shorter one shows no moment of its end before the run is told of its length', () => {
    const { lighting, slots } = stage({ a: steady(0, { 1: 100 }), b: steady(0, { 2: 100 }) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', { durationMs: 10_000, loop: true })
    dmx.run(ms(0), 'b', { durationMs: 10_000, loop: false, button: OTHER })
    show(lighting, dmx, ms(1))
    const shorter = counting(2_000)
    const dark = buildTimeline(ms(2_000), [
      { universe: 0, slot: 1, wide: false, at: [0], value: [9], curve: ['step'] },
    ])
    lighting.setTimelines(new Map([['timeline of a', shorter], ['timeline of b', dark]]))
    // Ten seconds and a half are half a second for a run of ten, five and a half one and a half.
    expect([slots(ms(5_550)), slots(ms(10_550))]).toEqual([[16, 0, 0, 0], [6, 0, 0, 0]])
    expect(slots(ms(1_550))).toEqual([16, 9, 0, 0])
  })

  it('also where it has as many channels as before, and one of them other keyframes', () => {
    const line = (first: readonly number[]): CompiledTimeline => buildTimeline(ms(60_000), [
      { slot: 0, at: first, value: first.map((_, n) => 10 + n) },
      { slot: 1, at: [0, ms(100), ms(200)], value: [50, 60, 70] },
    ].map((track) => (
      { ...track, universe: 0, wide: false, curve: track.at.map(() => 'step' as const) }
    )))
    const { lighting, slots } = stage({ a: line([0]) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    show(lighting, dmx, ms(1))
    expect(slots(ms(150))).toEqual([10, 60, 0, 0])
    lighting.setTimelines(new Map([['timeline of a', line([0, ms(20), ms(4_000), ms(5_000)])]]))
    expect(slots(ms(151))).toEqual([11, 60, 0, 0])
  })
})

describe('delays', () => {
  const LATENCY = 30 * 48

  it('what follows its media waits for the sound, the rest does not', () => {
    const timelines = { a: counting(5_000), b: steady(1, { 1: 7 }) }
    const { lighting, slots } = stage(timelines, 'blackout', 10)
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', FIVE)
    dmx.run(ms(0), 'b', { ...LONG, button: OTHER })
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0), LATENCY)
    expect([slots(ms(9), 1)[0], slots(ms(10), 1)[0]]).toEqual([0, 7])
    expect([slots(ms(39))[0], slots(ms(40))[0]]).toEqual([0, 1])
    expect([slots(ms(139))[0], slots(ms(140))[0]]).toEqual([1, 2])
  })

  it('a pause is seen when it is heard, a stop at once', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', FIVE)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0), LATENCY)
    dmx.runs.hold(ms(1_010), BUTTON)
    show(lighting, dmx, ms(1_010), LATENCY)
    expect([slots(ms(1_010))[0], slots(ms(1_029))[0], slots(ms(1_030))[0]]).toEqual([10, 10, 11])
    expect([lighting.moving(ms(1_039)), lighting.moving(ms(1_040))]).toEqual([true, false])
    expect(slots(ms(9_000))[0]).toBe(11)
    dmx.runs.end(ms(9_000), BUTTON)
    show(lighting, dmx, ms(9_000), LATENCY)
    expect(slots(ms(9_000))[0]).toBe(0)
  })

  it('what ends with its media is dark when that is heard, and the next one takes over', () => {
    const { lighting, slots } = stage({ a: steady(0, { 1: 10 }), b: steady(0, { 1: 20 }) })
    const dmx = new DmxRig()
    const latency = ms(40)
    dmx.media(ms(0), 'a', LONG)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(1), latency)
    dmx.runs.endWithMedia(ms(1000), BUTTON, 'natural_end')
    dmx.media(ms(1000), 'b', { ...LONG, button: OTHER })
    dmx.runs.mediaSounds(ms(1000), OTHER)
    const seen = [1000, 1039, 1040, 2000].map((at) => {
      show(lighting, dmx, ms(at), latency)
      return slots(ms(at))[0]
    })
    expect(seen).toEqual([10, 10, 20, 20])
    dmx.runs.endWithMedia(ms(2000), OTHER, 'natural_end')
    show(lighting, dmx, ms(2000), latency)
    expect([slots(ms(2039))[0], slots(ms(2040))[0]]).toEqual([20, 0])
  })

  it('one that stands where its media is replaced is dark after the offset, and no later', () => {
    const { lighting, slots } = stage({ a: steady(0, { 1: 10 }) }, 'blackout', 100)
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.sync(ms(500), 'a', 500, { isPlaying: false })
    show(lighting, dmx, ms(1900), ms(40))
    expect(lighting.moving(ms(1900))).toBe(false)
    dmx.runs.endWithMedia(ms(2000), BUTTON, 'replaced')
    show(lighting, dmx, ms(2000), ms(40))
    expect([slots(ms(2099))[0], lighting.moving(ms(2099))]).toEqual([10, true])
    expect(lighting.nextTurn(ms(2099))).toBe(ms(2100))
    expect([slots(ms(2100))[0], lighting.moving(ms(2100))]).toEqual([0, false])
  })

  it.each([0, 5])('one that completes by itself, told %d ms later, is seen to its end', (later) => {
    const { lighting, slots } = stage({ a: counting(1_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', { durationMs: 1_000, loop: false })
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0), LATENCY)
    // A pause in between moves the end.
    dmx.runs.hold(ms(400), BUTTON)
    show(lighting, dmx, ms(400), LATENCY)
    dmx.runs.release(ms(2_400), BUTTON)
    show(lighting, dmx, ms(2_400), LATENCY)
    show(lighting, dmx, ms(3_000 + later), LATENCY)
    expect(slots(ms(3_029))[0]).toBe(10)
    expect(slots(ms(3_030))[0]).toBe(0)
    expect(lighting.moving(ms(3_030))).toBe(false)
  })

  it('one that is stopped while it is paused is dark at once, also past its end', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', FIVE)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.runs.hold(ms(4_000), BUTTON)
    show(lighting, dmx, ms(4_000), LATENCY)
    dmx.runs.end(ms(5_010), BUTTON)
    show(lighting, dmx, ms(5_010), LATENCY)
    expect([slots(ms(5_010))[0], lighting.moving(ms(5_010))]).toEqual([0, false])
  })

  it('what ended with its media is seen to its end, however late lamps are', () => {
    const { lighting, slots } = stage({ a: steady(0, { 1: 10 }), b: steady(0, { 2: 20 }) }, 'hold')
    const dmx = new DmxRig()
    const latency = ms(5_000)
    const playing = (at: number, id: string, button: string) => {
      dmx.media(ms(at), id, { ...LONG, button })
      dmx.runs.mediaSounds(ms(at), button)
      show(lighting, dmx, ms(at), latency)
    }
    const ended = (at: number, button: string) => {
      dmx.runs.endWithMedia(ms(at), button, 'natural_end')
      show(lighting, dmx, ms(at), latency)
    }
    playing(0, 'a', BUTTON)
    playing(1_000, 'b', OTHER)
    ended(2_000, BUTTON)
    ended(6_000, OTHER)
    const driven = [6_500, 7_000, 10_999, 11_000].map((at) => {
      slots(ms(at))
      return [lighting.driven.has(0), lighting.nextTurn(ms(at))]
    })
    expect(driven).toEqual([
      [true, ms(7_000)], [true, ms(11_000)], [true, ms(11_000)], [false, null],
    ])
  })

  it('what ends in the same moment with its media is seen to its end, all of it', () => {
    const { lighting, slots } = stage({ a: steady(0, { 1: 10 }), b: steady(0, { 2: 20 }) })
    const dmx = new DmxRig()
    for (const [id, button] of [['a', BUTTON], ['b', OTHER]] as const) {
      dmx.media(ms(0), id, { ...LONG, button })
      dmx.runs.mediaSounds(ms(0), button)
    }
    show(lighting, dmx, ms(0), LATENCY)
    dmx.runs.endWithMedia(ms(1_000), BUTTON, 'natural_end')
    dmx.runs.endWithMedia(ms(1_001), OTHER, 'natural_end')
    show(lighting, dmx, ms(1_001), LATENCY)
    expect([1_029, 1_030, 1_031].map((at) => slots(ms(at)).slice(0, 2)))
      .toEqual([[10, 20], [0, 20], [0, 0]])
  })

  it('is the same however often lamps are told of it', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', FIVE)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0), LATENCY)
    dmx.runs.hold(ms(1_010), BUTTON)
    for (let n = 0; n < 200; n += 1) show(lighting, dmx, ms(1_011), LATENCY)
    expect([slots(ms(1_029))[0], slots(ms(1_030))[0]]).toEqual([10, 11])
  })

  it('a run that is moved all the time stays lit where lamps are far behind', () => {
    const { lighting, slots } = stage({ a: counting(50_000) }, 'blackout', 10_000)
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', { durationMs: 50_000, loop: false })
    show(lighting, dmx, ms(0))
    // Somebody drags the place to and fro, once a second, and is seen so ten seconds later.
    const placeMs = (at: number): number => at % 2_000 < 1_000 ? 1_000 : 20_000
    const wrong: number[] = []
    for (let at = 3_000; at <= 33_000; at += 20) {
      dmx.sync(ms(at), 'a', placeMs(at), { forceSeek: true })
      show(lighting, dmx, ms(at))
      const lamp = slots(ms(at))[0] ?? 0
      const shown = at < 13_000 || at % 1_000 < 200 || Math.abs(lamp - placeMs(at) / 100) < 4
      if (!shown) wrong.push(at, lamp)
    }
    expect(wrong).toEqual([])
    // What was asked for last is never left out.
    expect(slots(ms(43_000))[0]).toBe(201)
  })
})

/** A view is data: it must cross to another thread. */
it('views can be cloned', () => {
  const dmx = new DmxRig()
  dmx.run(ms(0), 'a', LONG)
  const views: readonly DmxView[] = dmx.runs.views()
  expect(structuredClone(views)).toEqual(views)
})
