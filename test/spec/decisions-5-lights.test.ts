// Decisions 5 and 3.5: a button's lights follow its media, and nothing of them reaches the sound.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { TimelineRef } from '../../src/engine/catalogue.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { Lighting } from '../../src/engine/lighting/lighting.js'
import { buildTimeline } from '../../src/engine/lighting/timeline-build.js'
import type { CompiledTimeline } from '../../src/engine/lighting/timeline.js'
import { rig, ms, type ButtonSpec } from '../rig.js'

const timeline = (durationMs: number | null, loop = false): TimelineRef => ({
  timelineId: 't', loop, durationFrames: durationMs === null ? null : frame(ms(durationMs)),
  error: durationMs === null ? 'no such file' : null,
})

/** A lamp of one value. */
const steady = (value: number): CompiledTimeline => buildTimeline(frame(ms(30_000)), [
  { universe: 0, slot: 0, wide: false, at: [0], value: [value], curve: ['step'] },
])

const lit = (spec: ButtonSpec = {}): ButtonSpec => ({
  mediaMs: 60_000, dmx: timeline(30_000), ...spec,
})

const dmxOnly: ButtonSpec = { kind: 'dmx', media: null, dmx: timeline(5_000) }

type Rig = ReturnType<typeof rig>

const lights = (r: Rig, n: number) => r.player.readModel.dmxOf(r.idOf(n))
const positionMs = (r: Rig, n: number): number | null => {
  const id = lights(r, n)?.dmxExecutionId
  return r.player.status().lights.timelines.find((t) => t.dmxExecutionId === id)?.positionMs ?? null
}

const sync = (r: Rig, n: number, executionId: string, fields: object = {}): Command => ({
  kind: 'sync', buttonId: r.idOf(n), executionId, sequence: 1, positionMs: 0, isPlaying: true,
  forceSeek: false, ...fields,
})

const named = (timelineId: string): TimelineRef => ({ ...timeline(30_000), timelineId })

/** One lamp, behind an output of 40 ms: its values as they come, by milliseconds from now on. */
const lampsOf = (r: Rig, forMs: number, offsetMs = 0): [number, number][] => {
  const offsetFrames = frame(ms(offsetMs))
  const lighting = lamps.get(r) ?? new Lighting({ onStop: 'blackout', offsetFrames })
  lamps.set(r, lighting)
  lighting.setTimelines(new Map([['a', steady(10)], ['b', steady(20)]]))
  const changes: [number, number][] = []
  for (let at = 0; at < forMs; at += 5) {
    lighting.update(r.player.readModel.lamps, ms(40), r.engine.now)
    lighting.render(r.engine.now)
    const lamp = lighting.universes.get(0)?.[0] ?? 0
    if (lamp !== (changes.at(-1)?.[1] ?? 0)) changes.push([at, lamp])
    r.advance(ms(5))
  }
  return changes
}
const lamps = new WeakMap<Rig, Lighting>()

describe('decisions 5: lights follow their media', () => {
  it('in a list without a gap those of the next item take over where it is heard', () => {
    const buttons = ['a', 'b'].map((id) => ({ mediaMs: 1_000, dmx: named(id) }))
    const r = rig([{ mode: 'sequence', buttons }])
    r.start(0)
    expect(lampsOf(r, 2_200)).toEqual([[40, 10], [1_040, 20], [2_040, 0]])
  })

  it('on a replacement too, by a fade or by a cut; a stop is dark at once', () => {
    for (const fadeOutMs of [0, 500]) {
      const r = rig([{ buttons: ['a', 'b'].map((id) => ({ fadeOutMs, dmx: named(id) })) }])
      r.start(0)
      expect(lampsOf(r, 1_000)).toEqual([[40, 10]])
      r.start(1)
      expect(r.player.status().dmx.activeTimelines).toBe(1)
      expect(lampsOf(r, 1_000)).toEqual([[0, 10], [40, 20]])
      r.stop(1)
      expect(lampsOf(r, 1_000)).toEqual([])
    }
  })

  it('those that loop are dark at once at a stop, however often they came round', () => {
    const dmx = { ...named('a'), loop: true, durationFrames: frame(ms(1_000)) }
    const r = rig([{ buttons: [{ dmx }] }])
    r.start(0)
    expect(lampsOf(r, 1_010)).toEqual([[40, 10]])
    r.stop(0)
    expect(lampsOf(r, 1_000)).toEqual([])
  })

  it('where the media fails they are dark at once, wherever the sound is', () => {
    const breaks = { breaksAt: frame(ms(1_000)) }
    const r = rig([{ buttons: [{ mediaMs: 5_000, dmx: named('a'), file: breaks }] }])
    r.start(0)
    expect(lampsOf(r, 2_000)).toEqual([[40, 10], [1_000, 0]])
    expect(r.story().at(-1)).toBe('0 playback_error')
  })

  it('where the sound starves they hold with it, and go on with it', () => {
    const stall = { at: ms(1_000), frames: ms(3_000) }
    const r = rig([{ buttons: [lit({ file: { stall } })] }])
    const id = r.start(0)
    r.advance(ms(1_500))
    expect(r.run(id).positionMs).toBe(1_000)
    expect(positionMs(r, 0)).toBeCloseTo(1_000, 1)
    expect(lights(r, 0)?.isPlaying).toBe(false)
    r.advance(ms(3_500))
    const { positionMs: heardMs, starvedMs } = r.run(id)
    expect(starvedMs).toBeGreaterThan(1_000)
    expect(positionMs(r, 0)).toBeCloseTo(heardMs, 1)
  })

  it('a pause and a resume in such a gap leave them held until there is sound', () => {
    const stall = { at: ms(1_000), frames: ms(3_000) }
    const r = rig([{ buttons: [lit({ file: { stall } })] }])
    const id = r.start(0)
    r.advance(ms(1_500))
    r.pause(0, id, 1_000)
    r.advance(ms(100))
    r.resume(0, id)
    r.advance(ms(100))
    expect(positionMs(r, 0)).toBeCloseTo(1_000, 1)
    r.pause(0, id, 0)
    r.resume(0, id)
    r.advance(ms(100))
    expect(positionMs(r, 0)).toBeCloseTo(1_000, 1)
    r.advance(ms(5_000))
    expect(positionMs(r, 0)).toBeCloseTo(r.run(id).positionMs, 1)
  })

  it('an external clock that owns them is followed through such a gap', () => {
    const stall = { at: ms(1_000), frames: ms(3_000) }
    const r = rig([{ buttons: [lit({ file: { stall } })] }])
    r.start(0)
    r.send(sync(r, 0, lights(r, 0)!.dmxExecutionId))
    r.advance(ms(2_000))
    expect(positionMs(r, 0)).toBeCloseTo(2_000, 1)
  })

  it('who was accepted last has the lamp, also where its media is the first to sound', () => {
    const over = { allowOverlap: true }
    const r = rig([{ buttons: [
      { ...over, dmx: named('a'), file: { readyAfter: frame(ms(500)) } },
      { ...over, dmx: named('b') },
    ] }])
    r.start(0)
    r.start(1)
    expect(lampsOf(r, 2_000)).toEqual([[40, 20]])
    r.stop(1)
    expect(lampsOf(r, 1_000)).toEqual([[0, 10]])
  })

  it('what ended seconds ago is told to the lamps no more, however much it was', () => {
    const r = rig([{ mode: 'sequence', wrap: true, buttons: ['a', 'b'].map((id) =>
      ({ mediaMs: 200, dmx: named(id) })) }])
    r.start(0)
    r.advance(ms(60_000))
    expect(r.player.readModel.lamps.length).toBeLessThan(20)
  })

  it('those of an image take over from the image before, where lamps are to be late', () => {
    const buttons = ['a', 'b'].map((id) => ({ kind: 'image' as const, dmx: named(id) }))
    const r = rig([{ buttons }])
    const show = (n: number) => r.send({ kind: 'play', buttonId: r.idOf(n), options: NO_OPTIONS })
    show(0)
    expect(lampsOf(r, 1_000, 100)).toEqual([[100, 10]])
    show(1)
    expect(lampsOf(r, 1_000)).toEqual([[0, 10], [100, 20]])
    r.stop(1)
    expect(lampsOf(r, 1_000)).toEqual([])
  })

  it('are initializing until the media leaves starting, with an id of their own', () => {
    const r = rig([{ buttons: [lit({ file: { readyAfter: frame(ms(100)) } })] }])
    const id = r.start(0)
    const run = lights(r, 0)
    expect(run?.state).toBe('initializing')
    expect(run?.dmxExecutionId).not.toBe(id)
    expect(r.code(sync(r, 0, run!.dmxExecutionId))).toBe('dmx_initializing')
    r.advance(ms(1100))
    expect(positionMs(r, 0)).toBe(1000)
  })

  it('run on while pausing, hold while paused, go on with the resume', () => {
    const r = rig([{ buttons: [lit()] }])
    const id = r.start(0)
    r.advance(ms(1000))
    r.pause(0, id, 500)
    r.advance(ms(250))
    expect(positionMs(r, 0)).toBe(1250)
    r.advance(ms(5000))
    expect(positionMs(r, 0)).toBe(1500)
    r.resume(0, id)
    r.advance(ms(1000))
    expect(positionMs(r, 0)).toBe(2500)
  })

  it('a stop ends them at the accepting frame while the sound still fades', () => {
    const r = rig([{ buttons: [lit()] }])
    const id = r.start(0)
    r.advance(ms(1000))
    r.stop(0, id, 2000)
    expect(lights(r, 0)).toBeNull()
    expect(r.state(id)).toBe('fading_out')
    expect(r.player.status().dmx.activeTimelines).toBe(0)
  })

  it('a replacement fade ends them at once, one that pauses holds them when it is paused', () => {
    const outgoing = [lit({ fadeOutMs: 1000 }), lit({ fadeOutMs: 1000, pauseWhenReplaced: true })]
    for (const [index, spec] of outgoing.entries()) {
      const r = rig([{ buttons: [spec, {}] }])
      r.start(0)
      r.advance(ms(2000))
      r.start(1)
      if (index === 0) expect(lights(r, 0)).toBeNull()
      else {
        r.advance(ms(5000))
        expect(positionMs(r, 0)).toBe(3000)
      }
    }
  })

  it('end with the media, and neither loop nor seek with it', () => {
    const r = rig([{ buttons: [lit({ mediaMs: 1000 })] }])
    r.start(0)
    r.advance(ms(1000))
    expect(lights(r, 0)).toBeNull()
    const looped = rig([{ buttons: [lit({ mediaMs: 1000 })] }])
    looped.start(0, { loop: true })
    const first = lights(looped, 0)?.dmxExecutionId
    looped.advance(ms(10_500))
    expect(lights(looped, 0)?.dmxExecutionId).toBe(first)
    expect(positionMs(looped, 0)).toBe(10_500)
  })

  it('a restart ends the run of before and makes a new one', () => {
    const r = rig([{ buttons: [lit()] }])
    r.start(0)
    const before = lights(r, 0)!.dmxExecutionId
    r.start(0, {}, 'restart')
    const after = lights(r, 0)!.dmxExecutionId
    expect(after).not.toBe(before)
    expect(r.code(sync(r, 0, before))).toBe('dmx_not_active')
  })

  it('the external clock owns them from its first message on, but a stop still ends them', () => {
    const r = rig([{ buttons: [lit()] }])
    const id = r.start(0)
    const dmx = lights(r, 0)!.dmxExecutionId
    r.advance(ms(1000))
    expect(r.code(sync(r, 0, dmx, { positionMs: 5000 }))).toBe('')
    r.pause(0, id, 0)
    r.advance(ms(500))
    expect(positionMs(r, 0)).toBe(5500)
    r.stop(0, id)
    expect(lights(r, 0)).toBeNull()
  })

  it('end with their media also where the external clock, which owns them, runs on', () => {
    const r = rig([{ buttons: [lit({ mediaMs: 1000 })] }])
    r.start(0)
    const dmx = lights(r, 0)!.dmxExecutionId
    r.advance(ms(500))
    expect(r.code(sync(r, 0, dmx, { positionMs: 500 }))).toBe('')
    r.advance(ms(500))
    expect(lights(r, 0)).toBeNull()
    expect(r.code(sync(r, 0, dmx, { sequence: 2, positionMs: 1000 }))).toBe('dmx_not_active')
  })
})

describe('decisions 5: what is allowed and what is there', () => {
  it('without entitlement media play unlit, a DMX-only start is 202 with nulls', () => {
    const r = rig([{ buttons: [lit(), dmxOnly] }], { dmxAllowed: false })
    const media = r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
    expect(media).toMatchObject({ status: 202, body: { dmxAllowed: false, dmxExecutionId: null } })
    const alone = r.send({ kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS })
    expect(alone).toMatchObject({
      status: 202, body: { executionId: null, dmxAllowed: false, dmxExecutionId: null },
    })
  })

  it('a bad timeline: media plays with a null id, a DMX-only play is 422, sync of neither', () => {
    const bad = timeline(null)
    const r = rig([{ buttons: [lit({ dmx: bad }), { ...dmxOnly, dmx: bad }, {}] }])
    const media = r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
    expect(media).toMatchObject({ status: 202, body: { dmxAllowed: true, dmxExecutionId: null } })
    const told = r.events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []))
    expect(told.join()).toMatch(/no such file/)
    const alone = r.code({ kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS })
    expect(alone).toBe('media_file_missing')
    expect(r.code(sync(r, 2, r.idOf(2)))).toBe('media_file_missing')
  })

  it('lights of a button that left the show are synced and stopped all the same', () => {
    const r = rig([{ buttons: [dmxOnly, {}] }])
    r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
    const dmx = lights(r, 0)!.dmxExecutionId
    r.vanish(0)
    expect(r.code({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS }))
      .toBe('button_not_found')
    expect(r.body(r.send(sync(r, 0, dmx, { positionMs: 2000 })))).toMatchObject({ corrected: true })
    expect(r.stop(0)).toMatchObject({ result: 'stopped', executionId: null })
    expect(r.player.status().dmx.activeTimelines).toBe(0)
    const stop = { kind: 'stop' as const, buttonId: r.idOf(0), executionId: null, fadeOutMs: null }
    expect(r.code(stop)).toBe('button_not_found')
  })

  it('a DMX-only button: ready with its 202, already active, completes, stops', () => {
    const r = rig([{ buttons: [dmxOnly] }])
    const first = r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
    const dmx = lights(r, 0)!.dmxExecutionId
    expect(first).toMatchObject({ status: 202, body: { executionId: null, dmxExecutionId: dmx } })
    expect(r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })).toMatchObject({
      status: 200, body: { result: 'already_active', executionId: null, dmxExecutionId: dmx },
    })
    expect(r.player.buttons().buttons[0]).toMatchObject({ isPlaying: true, dmxExecutionId: dmx })
    expect(r.player.status().active).toMatchObject([{ executionId: null, state: null }])
    r.advance(ms(5000))
    expect(r.player.buttons().buttons[0]).toMatchObject({ isPlaying: false, dmxExecutionId: null })
    r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
    expect(r.stop(0)).toEqual({ result: 'stopped', id: r.idOf(0), executionId: null })
    expect(r.stop(0)).toMatchObject({ result: 'already_stopped' })
  })
})

describe('3.5: sync affects only its timeline', () => {
  it('leaves the samples of the sound bit for bit alone', () => {
    const sound = (messages: boolean) => {
      const r = rig([{ buttons: [lit(), lit()] }])
      r.start(0, { loop: true, loopCrossfadeMs: 300 })
      r.start(1, { allowOverlap: true })
      const dmx = lights(r, 0)!.dmxExecutionId
      const blocks = Array.from({ length: 40 }, (_, n) => {
        if (messages) {
          r.send(sync(r, 0, dmx, {
            sequence: n + 1, positionMs: (n * 7919) % 29_000, isPlaying: n % 3 !== 0,
            forceSeek: n % 5 === 0,
          }))
        }
        return r.render(4801)
      })
      return blocks.map((block) => [...block.left, ...block.right])
    }
    expect(sound(true)).toEqual(sound(false))
  })
})
