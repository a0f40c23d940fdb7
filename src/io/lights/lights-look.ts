// What the lamps show now, for whoever looks at it on a screen: worked out at each look.
import { msToFrames, type Frame } from '../../clock/frame.js'
import type { UniverseLook } from '../../contract/live-frames.js'
import type { DmxView } from '../../engine/dmx/dmx-run.js'
import { Lighting } from '../../engine/lighting/lighting.js'
import type { CompiledTimeline } from '../../engine/lighting/timeline.js'

export interface LookOptions {
  readonly onStop: 'blackout' | 'hold'
  readonly offsetMs: number
}

/**
 * The same merging as on the lights thread, from the same views. Where lamps hold what they had
 * (`onStop: "hold"`), a look knows of what was lit since the first one.
 */
export class LightsLook {
  readonly #lighting: Lighting

  constructor({ onStop, offsetMs }: LookOptions) {
    this.#lighting = new Lighting({ onStop, offsetFrames: msToFrames(offsetMs) })
  }

  setTimelines(timelines: ReadonlyMap<string, CompiledTimeline>): void {
    this.#lighting.setTimelines(timelines)
  }

  at(now: Frame, views: readonly DmxView[], latencyFrames: number): readonly UniverseLook[] {
    this.#lighting.update(views, latencyFrames, now)
    this.#lighting.render(now)
    const looks: UniverseLook[] = []
    for (const [universe, slots] of this.#lighting.universes) looks.push({ universe, slots })
    return looks.sort((a, b) => a.universe - b.universe)
  }
}
