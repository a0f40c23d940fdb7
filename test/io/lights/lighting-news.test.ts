// Which news of the runs are any to the lamps: what is none sends no packet between the ticks.
import { describe, expect, it } from 'vitest'
import { BUTTON, DmxRig, OTHER, ms } from '../../engine/dmx/dmx-rig.js'
import { counting, stage } from './lighting-rig.js'

const FIVE = { durationMs: 5_000, loop: false }

describe('news of the runs', () => {
  it('that move no lamp are told from those that do', () => {
    const { lighting } = stage({ a: counting(5_000), b: counting(5_000) })
    const dmx = new DmxRig()
    const isOther = (at: number, latency = 30 * 48): boolean => {
      dmx.runs.settle(ms(at))
      return lighting.update(dmx.runs.lamps(), latency, ms(at))
    }
    expect([isOther(0), isOther(1)]).toEqual([false, false])
    dmx.media(ms(1), 'a', FIVE)
    expect(isOther(1)).toBe(false)
    dmx.runs.mediaSounds(ms(10), BUTTON)
    dmx.run(ms(10), 'b', { ...FIVE, button: OTHER })
    expect([isOther(10), isOther(20), isOther(500)]).toEqual([true, false, false])
    // The first message takes a run from its sound, whose delay it had; the next corrects nothing.
    dmx.sync(ms(500), 'a', 490)
    expect(isOther(500)).toBe(true)
    dmx.sync(ms(600), 'a', 650)
    expect(isOther(600)).toBe(false)
    dmx.sync(ms(700), 'a', 2_000)
    expect([isOther(700), isOther(701)]).toEqual([true, false])
    // The delay of a sound server trembles: what that moves waits for its tick.
    expect([isOther(702, 31 * 48), isOther(703, 30 * 48 + 1)]).toEqual([false, false])
    dmx.runs.endWithMedia(ms(800), BUTTON, 'natural_end')
    expect([isOther(800, 31 * 48), isOther(801, 31 * 48)]).toEqual([true, false])
    dmx.runs.end(ms(900), OTHER)
    expect([isOther(900, 31 * 48), isOther(901, 31 * 48)]).toEqual([true, false])
  })

  it('of a timeline that completes are told once, however late lamps see it', () => {
    const { lighting } = stage({ a: counting(5_000) }, 'blackout', 100)
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', FIVE)
    const isOther = (at: number): boolean => {
      dmx.runs.settle(ms(at))
      return lighting.update(dmx.runs.lamps(), 0, ms(at))
    }
    expect([isOther(0), isOther(5_000), isOther(5_050), isOther(5_100)])
      .toEqual([true, true, false, false])
  })
})
