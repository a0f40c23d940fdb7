// What the lamps show and when it is sent: the latest start wins, blackout or hold, delays, rates.
import { describe, expect, it } from 'vitest'
import { ZERO, frame, msToFrames, type Frame } from '../../../src/clock/frame.js'
import type { DmxView } from '../../../src/engine/dmx/dmx-run.js'
import { Lighting } from '../../../src/engine/lighting/lighting.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import type { CompiledTimeline } from '../../../src/engine/lighting/timeline.js'
import { LightsLoop } from '../../../src/io/lights/lights-loop.js'
import { BUTTON, DmxRig, OTHER, ms } from '../../engine/dmx/dmx-rig.js'

/** A timeline whose channels each hold one value. */
const steady = (universe: number, values: Record<number, number>): CompiledTimeline =>
  buildTimeline(msToFrames(60_000), Object.entries(values).map(([channel, value]) => ({
    universe, slot: Number(channel) - 1, wide: false, at: [0], value: [value], curve: ['step'],
  })))

/** Slot 1 of universe 0 counts a step each 100 ms. */
const counting = (durationMs: number): CompiledTimeline => {
  const steps = Array.from({ length: durationMs / 100 }, (_, index) => index)
  return buildTimeline(msToFrames(durationMs), [{
    universe: 0, slot: 0, wide: false, at: steps.map((step) => msToFrames(step * 100)),
    value: steps.map((step) => step + 1), curve: steps.map(() => 'step'),
  }])
}

const stage = (
  timelines: Record<string, CompiledTimeline>,
  onStop: 'blackout' | 'hold' = 'blackout', offsetMs = 0,
) => {
  const lighting = new Lighting({ onStop, offsetFrames: offsetMs * 48 })
  const named = Object.entries(timelines).map(([id, line]) => [`timeline of ${id}`, line] as const)
  lighting.setTimelines(new Map(named))
  const slots = (now: Frame, universe = 0): number[] => {
    lighting.render(now)
    return [...(lighting.universes.get(universe)?.slice(0, 4) ?? [])]
  }
  return { lighting, slots }
}

const LONG = { durationMs: 60_000, loop: false }
const show = (lighting: Lighting, dmx: DmxRig, now: Frame, latency = 0): void => {
  dmx.runs.settle(now)
  lighting.update(dmx.runs.lamps(), latency, now)
}

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

  it('a run shows what its timeline was edited to, whatever moment of it was reached', () => {
    const { lighting, slots } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    show(lighting, dmx, ms(1))
    expect(slots(ms(250))).toEqual([3, 0, 0, 0])
    lighting.setTimelines(new Map([['timeline of a', steady(0, { 1: 77, 2: 5 })]]))
    expect(slots(ms(251))).toEqual([77, 5, 0, 0])
  })
})

describe('delays', () => {
  const LATENCY = 30 * 48
  const FIVE = { durationMs: 5_000, loop: false }

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

  it('one that completes by itself is seen to its end', () => {
    const { lighting, slots } = stage({ a: counting(1_000) })
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', { durationMs: 1_000, loop: false })
    dmx.runs.mediaSounds(ms(0), BUTTON)
    show(lighting, dmx, ms(0), LATENCY)
    show(lighting, dmx, ms(1_005), LATENCY)
    expect(slots(ms(1_029))[0]).toBe(10)
    expect(slots(ms(1_030))[0]).toBe(0)
    expect(lighting.moving(ms(1_030))).toBe(false)
  })

  it('from the first sync on only the offset counts, which may be negative', () => {
    const { lighting, slots } = stage({ a: counting(5_000) }, 'blackout', -20)
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', FIVE)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.sync(ms(1_000), 'a', 1_000)
    show(lighting, dmx, ms(1_000), LATENCY)
    expect([slots(ms(1_079))[0], slots(ms(1_080))[0]]).toEqual([11, 12])
  })
})

describe('when it is sent', () => {
  /** Walks the loop through time as its thread does, and writes down what leaves. */
  const walk = (lighting: Lighting, untilMs: number, script: Record<number, () => void>) => {
    const sent: { at: number; universe: number; first: number }[] = []
    let now = 0
    const loop = new LightsLoop(lighting, (universe, slots) => {
      sent.push({ at: now, universe, first: slots[0] ?? -1 })
    }, 0)
    const turns = Object.keys(script).map(Number).sort((a, b) => a - b)
    for (let steps = 0; now <= untilMs && steps < 100_000; steps += 1) {
      while (turns.length > 0 && (turns[0] ?? 0) <= now) {
        script[turns.shift() ?? 0]?.()
        loop.changed()
      }
      loop.run(frame(Math.floor(now * 48)), now)
      const wait = loop.waitMs(frame(Math.floor(now * 48)), now)
      now = Math.min(now + Math.max(wait, 0.001), turns[0] ?? Infinity)
    }
    return { sent, loop }
  }

  it('40 Hz on the grid while something runs, each 900 ms while idle, also after a stop', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }) })
    const dmx = new DmxRig()
    const { sent } = walk(lighting, 5_900, {
      1_010: () => {
        dmx.run(ms(1_010), 'a', LONG)
        show(lighting, dmx, ms(1_010))
      },
      3_007: () => {
        dmx.runs.end(ms(3_007), BUTTON)
        show(lighting, dmx, ms(3_007))
      },
    })
    const times = sent.map(({ at }) => Math.round(at * 10) / 10)
    expect(times.slice(0, 5)).toEqual([0, 900, 1_010, 1_025, 1_050])
    const playing = times.filter((at) => at > 1_010 && at < 3_007)
    expect(playing).toEqual(Array.from({ length: 80 }, (_, index) => 1_025 + index * 25))
    const lit = sent.filter(({ at }) => at > 1_009 && at < 3_007)
    expect(lit.every(({ first }) => first === 50)).toBe(true)
    expect(times.filter((at) => at >= 3_007)).toEqual([3_007, 3_907, 4_807, 5_707])
    expect(sent.at(-1)?.first).toBe(0)
  })

  it('a universe that nothing drives any more is kept alive beside one that runs', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }), b: steady(9, { 1: 60 }) })
    const dmx = new DmxRig()
    const { sent } = walk(lighting, 4_990, {
      0: () => {
        dmx.run(ms(0), 'a', LONG)
        dmx.run(ms(0), 'b', { ...LONG, button: OTHER })
        show(lighting, dmx, ms(0))
      },
      1_990: () => {
        dmx.runs.end(ms(1_990), OTHER)
        show(lighting, dmx, ms(1_990))
      },
    })
    const late = (universe: number): number =>
      sent.filter((one) => one.universe === universe && one.at > 1_991).length
    expect([late(3), late(9)]).toEqual([120, 3])
  })

  it('a held look is kept alive', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }) })
    const dmx = new DmxRig()
    dmx.media(ZERO, 'a', LONG)
    dmx.runs.mediaSounds(ZERO, BUTTON)
    dmx.runs.hold(ms(0), BUTTON)
    show(lighting, dmx, ms(0))
    // What others do in the meantime is no reason to send it more often.
    const news = (at: number) => [at, () => {
      show(lighting, dmx, ms(at))
    }] as const
    const { sent } = walk(lighting, 3_500, Object.fromEntries([100, 350, 600, 1_850].map(news)))
    expect(sent.map(({ at }) => at)).toEqual([0, 900, 1_800, 2_700])
  })

  it('a delayed start is sent at its moment, between the ticks', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }) })
    const dmx = new DmxRig()
    dmx.media(ZERO, 'a', LONG)
    const { sent } = walk(lighting, 400, {
      101: () => {
        dmx.runs.mediaSounds(ms(101), BUTTON)
        show(lighting, dmx, ms(101), 33 * 48)
      },
    })
    expect(sent.find(({ first }) => first === 50)?.at).toBeCloseTo(134, 1)
  })

  it('the last look goes out for every universe that is known', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }), b: steady(9, { 1: 60 }) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    show(lighting, dmx, ms(0))
    const { sent, loop } = walk(lighting, 100, {})
    sent.length = 0
    loop.last(ms(110), 110)
    expect(sent.map(({ universe, first }) => [universe, first])).toEqual([[3, 0], [9, 0]])
  })

  it('with hold nothing is sent before the first run, and the last look stays', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }) }, 'hold')
    const dmx = new DmxRig()
    const { sent, loop } = walk(lighting, 2_500, {
      2_000: () => {
        dmx.run(ms(2_000), 'a', LONG)
        show(lighting, dmx, ms(2_000))
      },
    })
    expect(sent[0]).toEqual({ at: 2_000, universe: 3, first: 50 })
    loop.last(ms(2_600), 2_600)
    expect(sent.at(-1)?.first).toBe(50)
  })
})

/** A view is data: it must cross to another thread. */
it('views can be cloned', () => {
  const dmx = new DmxRig()
  dmx.run(ms(0), 'a', LONG)
  const views: readonly DmxView[] = dmx.runs.views()
  expect(structuredClone(views)).toEqual(views)
})
