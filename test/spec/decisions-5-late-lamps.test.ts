// Decisions 5: lamps that are late by `dmx.offsetMs` obey a stop and a panic at once.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { TimelineRef } from '../../src/engine/catalogue.js'
import { Lighting } from '../../src/engine/lighting/lighting.js'
import { buildTimeline } from '../../src/engine/lighting/timeline-build.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import { ms, rig, type ButtonSpec } from '../rig.js'

const steady = (value: number) => buildTimeline(frame(ms(30_000)), [
  { universe: 0, slot: 0, wide: false, at: [0], value: [value], curve: ['step'] },
])

const timeline = (timelineId: string, durationMs: number): TimelineRef =>
  ({ timelineId, loop: false, durationFrames: frame(ms(durationMs)), error: null })

/** Buttons whose lamps are seen a second and a half late. */
const late = (...buttons: ButtonSpec[]) => {
  const r = rig([{ buttons }])
  const lighting = new Lighting({ onStop: 'blackout', offsetFrames: frame(ms(1_500)) })
  lighting.setTimelines(new Map([['a', steady(10)], ['b', steady(20)]]))
  /** The lamp as it changes, by milliseconds from now on. */
  const lampOf = (forMs: number): [number, number][] => {
    const changes: [number, number][] = []
    for (let at = 0; at < forMs; at += 5) {
      lighting.update(r.player.readModel.lamps, 0, r.engine.now)
      lighting.render(r.engine.now)
      const lamp = lighting.universes.get(0)?.[0] ?? 0
      if (lamp !== (changes.at(-1)?.[1] ?? 0)) changes.push([at, lamp])
      r.advance(ms(5))
    }
    return changes
  }
  const play = (n: number) => r.send({ kind: 'play', buttonId: r.idOf(n), options: NO_OPTIONS })
  return { r, lampOf, play }
}

const dmxOnly: ButtonSpec = { kind: 'dmx', media: null, dmx: timeline('a', 1_000) }
const sting: ButtonSpec = { mediaMs: 1_000, dmx: timeline('a', 30_000) }
const song: ButtonSpec = { mediaMs: 60_000, dmx: timeline('b', 30_000) }

describe('3.5: lights that are over, and are yet to be seen', () => {
  it('are seen to their end where nobody stops them', () => {
    for (const button of [dmxOnly, sting]) {
      const { lampOf, play } = late(button)
      play(0)
      expect(lampOf(4_000)).toEqual([[1_500, 10], [2_500, 0]])
    }
  })

  it('are dark at once at a panic, and do not come on after it', () => {
    for (const button of [dmxOnly, sting]) {
      for (const [pressedAt, seen] of [[1_200, []], [1_800, [[1_500, 10]]]] as const) {
        const { r, lampOf, play } = late(button)
        play(0)
        expect(lampOf(pressedAt)).toEqual(seen)
        r.send({ kind: 'panic', fadeOutMs: 1_500 })
        expect(lampOf(4_000)).toEqual([])
      }
    }
  })

  it('are dark at once at a stop of their button, and at that of no other', () => {
    for (const [button, after] of [[0, []], [1, [[0, 10], [700, 0]]]] as const) {
      const { r, lampOf, play } = late(dmxOnly, { ...dmxOnly, dmx: timeline('b', 1_000) })
      play(0)
      expect(lampOf(1_800)).toEqual([[1_500, 10]])
      expect(r.stop(button)).toMatchObject({ result: 'already_stopped' })
      expect(lampOf(4_000)).toEqual(after)
    }
  })

  it('so are those of what was replaced; a new press is seen all the same', () => {
    const { r, lampOf, play } = late(song, sting)
    play(0)
    lampOf(3_000)
    play(1)
    expect(lampOf(200)).toEqual([[0, 20]])
    r.send({ kind: 'panic', fadeOutMs: 0 })
    play(1)
    expect(lampOf(4_000)).toEqual([[1_500, 10], [2_500, 0]])
  })
})
