// Lamps of made-up timelines, for the tests of what they show and of when it is sent.
import { msToFrames, type Frame } from '../../../src/clock/frame.js'
import { Lighting } from '../../../src/engine/lighting/lighting.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import type { CompiledTimeline } from '../../../src/engine/lighting/timeline.js'
import type { DmxRig } from '../../engine/dmx/dmx-rig.js'

/** A timeline whose channels each hold one value. */
export const steady = (universe: number, values: Record<number, number>): CompiledTimeline =>
  buildTimeline(msToFrames(60_000), Object.entries(values).map(([channel, value]) => ({
    universe, slot: Number(channel) - 1, wide: false, at: [0], value: [value], curve: ['step'],
  })))

/** Slot 1 of universe 0 counts a step each 100 ms. */
export const counting = (durationMs: number): CompiledTimeline => {
  const steps = Array.from({ length: durationMs / 100 }, (_, index) => index)
  return buildTimeline(msToFrames(durationMs), [{
    universe: 0, slot: 0, wide: false, at: steps.map((step) => msToFrames(step * 100)),
    value: steps.map((step) => step + 1), curve: steps.map(() => 'step'),
  }])
}

export const stage = (
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

export const LONG = { durationMs: 60_000, loop: false }
export const show = (lighting: Lighting, dmx: DmxRig, now: Frame, latency = 0): void => {
  dmx.runs.settle(now)
  lighting.update(dmx.runs.lamps(), latency, now)
}
