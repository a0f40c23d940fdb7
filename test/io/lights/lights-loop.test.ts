// When the lamps' look is sent: 40 times a second while something runs, at its moment, kept alive.
import { describe, expect, it } from 'vitest'
import { ZERO, frame } from '../../../src/clock/frame.js'
import type { Lighting } from '../../../src/engine/lighting/lighting.js'
import { LightsLoop } from '../../../src/io/lights/lights-loop.js'
import { BUTTON, DmxRig, OTHER, ms } from '../../engine/dmx/dmx-rig.js'
import { LONG, counting, show, stage, steady } from './lighting-rig.js'

describe('when it is sent', () => {
  /** Walks the loop through time as its thread does, and writes down what leaves. */
  const walk = (
    lighting: Lighting, untilMs: number, script: Record<number, () => void>, gridMs = 0,
  ) => {
    const sent: { at: number; universe: number; first: number }[] = []
    let now = 0
    const loop = new LightsLoop(lighting, (universe, slots) => {
      sent.push({ at: now, universe, first: slots[0] ?? -1 })
    }, gridMs)
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

  it('news of others between two ticks send nothing more often, wherever the grid begins', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }) })
    const dmx = new DmxRig()
    const news = [100, 110, 112, 120, 149].map((at) => [at, () => {
      show(lighting, dmx, ms(at))
    }] as const)
    const { sent } = walk(lighting, 160, {
      0: () => {
        dmx.run(ms(0), 'a', LONG)
        show(lighting, dmx, ms(0))
      },
      ...Object.fromEntries(news),
    }, 7)
    const times = sent.map(({ at }) => Math.round(at * 10) / 10)
    expect(times).toEqual([0, 7, 32, 57, 82, 107, 132, 157])
  })

  it('a look that travels leaves with the ticks, not whenever there is a chance', () => {
    const { lighting } = stage({ a: counting(5_000) })
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', { durationMs: 5_000, loop: false })
    show(lighting, dmx, ms(0))
    const sent: (readonly [number, number | undefined])[] = []
    let now = 0
    const loop = new LightsLoop(lighting, (_, slots) => sent.push([now, slots[0]]), 90)
    for (now of [90, 101, 114, 115, 139]) loop.run(ms(now), now)
    expect(sent).toEqual([[90, 1], [115, 2]])
    loop.changed()
    for (now of [201, 202]) loop.run(ms(now), now)
    loop.changed()
    for (now of [203, 204]) loop.run(ms(now), now)
    expect(sent.slice(2)).toEqual([[201, 3]])
  })

  it.each([true, false])('seeks without end: no more than DMX carries; playing %s', (isPlaying) => {
    const { lighting } = stage({ a: counting(60_000) })
    const dmx = new DmxRig()
    const seek = (at: number) => [at, () => {
      dmx.sync(ms(at), 'a', at * 9, { isPlaying, forceSeek: true })
      show(lighting, dmx, ms(at))
    }] as const
    const seeks = Array.from({ length: 400 }, (_, index) => seek(1_003 + index * 5))
    const { sent } = walk(lighting, 4_000, {
      0: () => {
        dmx.run(ms(0), 'a', { durationMs: 60_000, loop: false })
        show(lighting, dmx, ms(0))
      },
      ...Object.fromEntries(seeks),
    })
    const times = sent.map(({ at }) => at).filter((at) => at > 1_002 && at < 3_003)
    expect(times.length).toBeLessThanOrEqual(2 * 44 + 4)
    // The first ones at once, and the last one (270 of 256 steps) with the tick after it.
    expect(times.slice(0, 2)).toEqual([1_003, 1_013])
    expect(sent.filter(({ at }) => at < 3_001).at(-1)?.first).toBe(14)
  })

  it('a stop in the middle of seeks does not wait for the next tick', () => {
    const { lighting } = stage({ a: counting(60_000) })
    const dmx = new DmxRig()
    const seeks = Array.from({ length: 120 }, (_, index) => [1_003 + index * 5, () => {
      const at = 1_003 + index * 5
      dmx.sync(ms(at), 'a', at * 9, { isPlaying: true, forceSeek: true })
      show(lighting, dmx, ms(at))
    }] as const)
    const { sent } = walk(lighting, 1_610, {
      0: () => {
        dmx.run(ms(0), 'a', { durationMs: 60_000, loop: false })
        show(lighting, dmx, ms(0))
      },
      ...Object.fromEntries(seeks),
      1_604: () => {
        dmx.runs.end(ms(1_604), BUTTON)
        show(lighting, dmx, ms(1_604))
      },
    })
    expect(sent.at(-1)).toMatchObject({ at: 1_604, first: 0 })
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

  it('each of several delayed starts is sent at its own moment, in whatever order', () => {
    const timelines = { a: steady(3, { 1: 50 }), b: steady(4, { 1: 60 }), c: steady(5, { 1: 70 }) }
    const { lighting } = stage(timelines, 'blackout', 10)
    const dmx = new DmxRig()
    const told = (at: number): void => show(lighting, dmx, ms(at), 33 * 48)
    const { sent } = walk(lighting, 400, {
      100: () => {
        dmx.media(ms(100), 'a', { ...LONG, button: 'a' })
        dmx.media(ms(100), 'c', { ...LONG, button: 'c' })
        dmx.runs.mediaSounds(ms(100), 'a')
        told(100)
      },
      108: () => {
        dmx.runs.mediaSounds(ms(108), 'c')
        told(108)
      },
      120: () => {
        dmx.run(ms(120), 'b', { ...LONG, button: 'b' })
        told(120)
      },
    })
    const litAt = [3, 4, 5].map((universe) =>
      sent.find((one) => one.universe === universe && one.first > 0)?.at ?? -1)
    expect(litAt.map((at) => Math.round(at))).toEqual([143, 130, 151])
  })

  it('what runs is sent 40 times a second while another one is yet to be seen', () => {
    const { lighting } = stage({ a: steady(3, { 1: 50 }), b: steady(4, { 1: 60 }) })
    const dmx = new DmxRig()
    const { sent } = walk(lighting, 500, {
      0: () => {
        dmx.run(ms(0), 'a', LONG)
        dmx.media(ms(0), 'b', { ...LONG, button: OTHER })
        dmx.runs.mediaSounds(ms(0), OTHER)
        show(lighting, dmx, ms(0), 310 * 48)
      },
    })
    const times = (universe: number, from: number): number[] => sent
      .filter((one) => one.universe === universe && one.at >= from)
      .map(({ at }) => Math.round(at))
    expect(times(3, 0)).toEqual(Array.from({ length: 21 }, (_, index) => index * 25))
    expect(times(4, 1)).toEqual([310, 325, 350, 375, 400, 425, 450, 475, 500])
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
