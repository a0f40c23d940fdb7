// What a screen shows of the lamps: as they are seen in the room, each universe in its order.
import { describe, expect, it } from 'vitest'
import { frame, msToFrames } from '../../../src/clock/frame.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import type { CompiledTimeline } from '../../../src/engine/lighting/timeline.js'
import { LightsLook } from '../../../src/io/lights/lights-look.js'
import { BUTTON, DmxRig, ms } from '../../engine/dmx/dmx-rig.js'

/** Slot 1 of each universe counts the tenths of a second, from 1 on. */
const counting = (...universes: readonly number[]): CompiledTimeline => {
  const tenths = Array.from({ length: 50 }, (_, n) => n)
  return buildTimeline(msToFrames(5_000), universes.map((universe) => ({
    universe, slot: 0, wide: false, at: tenths.map((n) => msToFrames(n * 100)),
    value: tenths.map((n) => n + 1), curve: tenths.map(() => 'step' as const),
  })))
}

const LATENCY = frame(30 * 48)
const FIVE = { durationMs: 5_000, loop: false }

const looking = (onStop: 'blackout' | 'hold', offsetMs: number, ...universes: number[]) => {
  const look = new LightsLook({ onStop, offsetMs })
  // One that does not run lights nothing, though its universes are known first.
  look.setTimelines(new Map([
    ['another', counting(...universes.slice(0, 1))], ['timeline of a', counting(...universes)],
  ]))
  const dmx = new DmxRig()
  const at = (atMs: number): readonly (readonly number[])[] =>
    look.at(ms(atMs), dmx.runs.lamps(), LATENCY)
      .map(({ universe, slots }) => [universe, slots[0] ?? -1, slots.length])
  return { dmx, at }
}

describe('the look of a moment', () => {
  it('is that of every universe, the lowest first', () => {
    const { dmx, at } = looking('blackout', 0, 300, 2, 17)
    dmx.run(ms(0), 'a', FIVE)
    expect(at(150)).toEqual([[2, 2, 512], [17, 2, 512], [300, 2, 512]])
  })

  it('is as late as the lamps: by the sound that is followed, and by the offset', () => {
    for (const offsetMs of [0, 40, -20]) {
      const { dmx, at } = looking('blackout', offsetMs, 0)
      dmx.media(ms(0), 'a', FIVE)
      dmx.runs.mediaSounds(ms(0), BUTTON)
      const turn = 1_000 + 30 + offsetMs
      expect([at(turn - 1), at(turn)]).toEqual([[[0, 10, 512]], [[0, 11, 512]]])
      const itself = looking('blackout', offsetMs, 0)
      itself.dmx.run(ms(0), 'a', FIVE)
      expect([itself.at(turn - 31), itself.at(turn - 30)]).toEqual([[[0, 10, 512]], [[0, 11, 512]]])
    }
  })

  it('falls dark after a stop, or holds what it had', () => {
    for (const [onStop, left] of [['blackout', 0], ['hold', 11]] as const) {
      const { dmx, at } = looking(onStop, 0, 0)
      dmx.run(ms(0), 'a', FIVE)
      expect(at(1_000)).toEqual([[0, 11, 512]])
      dmx.runs.end(ms(1_001), BUTTON)
      expect(at(1_001)).toEqual([[0, left, 512]])
    }
  })
})
