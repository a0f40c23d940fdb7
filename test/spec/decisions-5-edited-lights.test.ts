// Decisions 5: a timeline that is edited while it runs goes on with what its file says now.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { TimelineRef } from '../../src/engine/catalogue.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import { rig, ms, type ButtonSpec } from '../rig.js'

const timeline = (durationMs: number | null, loop = false): TimelineRef => ({
  timelineId: 't', loop, durationFrames: durationMs === null ? null : frame(ms(durationMs)),
  error: durationMs === null ? 'no such file' : null,
})
const edited = (durationMs: number | null, loop: boolean) => ({ dmx: timeline(durationMs, loop) })

const lit = (spec: ButtonSpec): ButtonSpec => ({ mediaMs: 60_000, ...spec })
const dmxOnly: ButtonSpec = { kind: 'dmx', media: null, dmx: timeline(5_000) }

type Rig = ReturnType<typeof rig>

const lights = (r: Rig, n: number) => r.player.readModel.dmxOf(r.idOf(n))
const toldOf = (r: Rig, n: number) => {
  const id = lights(r, n)?.dmxExecutionId
  return r.player.status().lights.timelines.find((t) => t.dmxExecutionId === id) ?? null
}
const positionMs = (r: Rig, n: number): number | null => toldOf(r, n)?.positionMs ?? null

describe('a timeline that is edited while it runs', () => {
  it('has the length that it has now: a loop comes round there, any other ends there', () => {
    const r = rig([{ buttons: [lit({ dmx: timeline(4_000, true) }), dmxOnly] }])
    const id = r.start(0)
    r.send({ kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS })
    r.advance(ms(3_000))
    r.change(0, edited(8_000, true))
    r.change(1, edited(3_500, false))
    expect([positionMs(r, 0), positionMs(r, 1)]).toEqual([3_000, 3_000])
    r.advance(ms(1_000))
    expect([positionMs(r, 0), lights(r, 1)]).toEqual([4_000, null])
    r.change(0, edited(1_500, true))
    expect(positionMs(r, 0)).toBe(1_000)
    r.pause(0, id, 0)
    r.change(0, edited(800, true))
    expect(positionMs(r, 0)).toBe(200)
  })

  it('ends with its present pass where it loops no more, at once where it is past its end', () => {
    const r = rig([{ buttons: [lit({ dmx: timeline(4_000, true) })] }])
    r.start(0)
    r.advance(ms(5_000))
    r.change(0, edited(4_000, false))
    expect(positionMs(r, 0)).toBe(1_000)
    r.change(0, edited(900, false))
    expect(lights(r, 0)).toBeNull()
    expect(r.events.findLast(({ kind }) => kind === 'dmx')).toMatchObject({
      change: 'completed', at: ms(5_000), positionMs: 900,
    })
  })

  it('goes on as it is where it became another one, or one that cannot be used', () => {
    const r = rig([{ buttons: [lit({ dmx: timeline(4_000, true) })] }])
    r.start(0)
    r.advance(ms(3_000))
    r.change(0, edited(null, false))
    r.change(0, { dmx: { ...timeline(800), timelineId: 'another' } })
    r.advance(ms(2_000))
    expect(positionMs(r, 0)).toBe(1_000)
  })
})

/** What is said of a timeline in its file and its show. */
interface Says {
  readonly durationMs: number
  readonly loop: boolean
}

describe('a timeline of any length, edited to any other, or to loop or not', () => {
  const ALL: readonly Says[] = [900, 4_000, 8_000].flatMap((durationMs) =>
    [false, true].map((loop) => ({ durationMs, loop })))
  const MOMENTS = [0, 500, 3_000, 5_000, 9_500]
  const LATER = [0, 1, 400, 3_500, 8_000]

  /** After so many milliseconds from its beginning; null: it is over. */
  const placeAfter = (ranMs: number, { durationMs, loop }: Says): number | null =>
    loop ? ranMs % durationMs : ranMs < durationMs ? ranMs : null

  const nameOf = ({ durationMs, loop }: Says): string =>
    `${durationMs} ms${loop ? ', looping' : ''}`

  it.each(ALL.map((before) => [nameOf(before), before] as const))(
    '%s: stands where it stood, and goes on by what is said now', (_name, before) => {
      for (const after of ALL) {
        for (const moment of MOMENTS) {
          const stood = placeAfter(moment, before)
          if (stood === null) continue
          const button = { ...dmxOnly, ...edited(before.durationMs, before.loop) }
          const r = rig([{ buttons: [button] }])
          r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
          r.advance(ms(moment))
          r.change(0, edited(after.durationMs, after.loop))
          const seen = LATER.map((later, n) => {
            r.advance(ms(later - (LATER[n - 1] ?? 0)))
            return positionMs(r, 0)
          })
          const expected = LATER.map((later) => placeAfter(stood + later, after))
          const edit = `${nameOf(after)} at ${moment} ms`
          expect([edit, seen]).toEqual([edit, expected])
        }
      }
    },
  )
})

describe('a lit button that becomes one of another kind while it is on', () => {
  const KINDS = ['audio', 'video', 'image', 'dmx'] as const

  it.each(KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const)))(
    'from %s to %s: a restart ends the lights that it had, and has its own', (from, to) => {
      const r = rig([{ buttons: [lit({ dmx: timeline(30_000), kind: from })] }])
      const restart = () => {
        const buttonId = r.idOf(0)
        const answer = r.body(r.send({ kind: 'restart', buttonId, options: NO_OPTIONS }))
        r.advance(ms(100))
        return answer['dmxExecutionId']
      }
      const before = restart()
      expect(toldOf(r, 0)).toMatchObject({ dmxExecutionId: before, isPlaying: true })
      r.change(0, { kind: to })
      const after = restart()
      expect(after).not.toBe(before)
      const { active, lights: { timelines } } = r.player.status()
      expect(active).toMatchObject([{ id: r.idOf(0), kind: to, dmxExecutionId: after }])
      expect(timelines).toMatchObject([{ dmxExecutionId: after, isPlaying: true }])
      const told = r.events.flatMap((event) =>
        event.kind === 'dmx' && event.dmxExecutionId === before ? [event.change] : [])
      expect(told.at(-1)).toBe('ended')
      r.stop(0, null, 0)
      expect(r.player.status()).toMatchObject({ active: [], dmx: { activeTimelines: 0 } })
    },
  )
})
