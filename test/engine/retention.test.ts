// What ended is known for ten minutes, also where it is much: runs, and the ids of timelines.
import { expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { Command } from '../../src/engine/commands/commands.js'
import { Retention } from '../../src/engine/retention.js'
import { ms, rig } from '../rig.js'

const MINUTE = ms(60_000)
/** More than any small round number at which somebody might have thought it enough. */
const MANY = 1_500

it('each of many runs can be asked for until ten minutes after its end, and then none', () => {
  const r = rig([{ buttons: [{ mediaMs: 600_000 }] }])
  const ids = Array.from({ length: MANY }, () => {
    const id = r.start(0)
    r.stop(0, id, 0)
    r.advance(ms(20))
    return id
  })
  // The first have been due for a while when the last of them are asked for.
  r.advance(10 * MINUTE - ms(20) * MANY)
  expect(ids.filter((id) => r.player.execution(id)?.state !== 'stopped')).toEqual([])
  r.advance(ms(15_000))
  const known = ids.filter((id) => r.player.execution(id) !== null)
  expect(known.length).toBeGreaterThan(MANY / 4)
  expect(known).toEqual(ids.slice(-known.length))
  r.advance(ms(30_000))
  expect(ids.filter((id) => r.player.execution(id) !== null)).toEqual([])
})

it('one that ends and is due in a single long step is forgotten for good', () => {
  const r = rig([{ buttons: [{ mediaMs: 1_000 }] }])
  const id = r.start(0)
  r.advance(15 * MINUTE)
  expect(r.player.execution(id)).toBeNull()
})

it('so are the ids of many timelines: a late message of another button is told as such', () => {
  const dmx = { timelineId: 't', loop: true, durationFrames: frame(ms(1_000)), error: null }
  const lit = { kind: 'dmx' as const, media: null, dmx }
  const r = rig([{ buttons: [lit, lit] }])
  const ids = Array.from({ length: MANY }, () => {
    r.start(0)
    const id = r.player.readModel.dmxOf(r.idOf(0))!.dmxExecutionId
    r.stop(0)
    return id
  })
  const late = (executionId: string): Command => ({
    kind: 'sync', buttonId: r.idOf(1), executionId, sequence: 1, positionMs: 0, isPlaying: true,
    forceSeek: false,
  })
  const codes = (): Set<string> => new Set(ids.map((id) => r.code(late(id))))
  expect(codes()).toEqual(new Set(['stale_execution']))
  r.advance(10 * MINUTE)
  expect(codes()).toEqual(new Set(['stale_execution']))
  r.advance(MINUTE)
  expect(codes()).toEqual(new Set(['dmx_not_active']))
})

it('is told once of each, in order, whenever it is asked, however many there are', () => {
  const kept = new Retention<number>(frame(1_000))
  const told: string[] = []
  for (let n = 0; n < 5_000; n += 1) {
    kept.keep(`r${String(n)}`, n, frame(n))
    told.push(...kept.forget(frame(n), Infinity))
    expect(kept.get(`r${String(n)}`)).toBe(n)
  }
  expect(told).toEqual(Array.from({ length: 4_000 }, (_, n) => `r${String(n)}`))
  expect([kept.get('r3999'), kept.get('r4000'), kept.nextForget]).toEqual([null, 4_000, 5_000])
  // The oldest go first where only so many may be kept.
  expect(kept.forget(frame(5_000), 10)).toHaveLength(990)
  expect([kept.get('r4989'), kept.get('r4990')]).toEqual([null, 4_990])
})
