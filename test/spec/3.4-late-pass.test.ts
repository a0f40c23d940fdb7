// A loop whose next pass comes late (3.4, decisions 3): it waits for it, and does not fail.
import { expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { ms, rig } from '../rig.js'

it('waits in the overlap for a head that its decoder has not supplied yet', () => {
  // Opened five seconds before the overlap begins at 19 s, and there a second after that.
  const file = { readyAfter: frame(ms(6_000)), holds: false }
  const r = rig([{ buttons: [{ mediaMs: 20_000, file }] }])
  const run = r.start(0, { loop: true, loopCrossfadeMs: 1_000 })
  r.advance(ms(6_000 + 19_500))
  expect(r.player.execution(run)).toMatchObject({
    state: 'playing', positionMs: 19_000, starvedMs: 500,
  })
  r.advance(ms(1_000))
  expect(r.player.execution(run)).toMatchObject({
    state: 'playing', positionMs: 19_500, starvedMs: 1_000,
  })
  r.advance(ms(1_000))
  expect(r.player.execution(run)).toMatchObject({ state: 'playing', positionMs: 1_500 })
})

it('waits within the overlap for each piece of a head that comes in drops', () => {
  const step = { frames: frame(ms(200)), every: frame(ms(220)) }
  const file = { readyAfter: frame(ms(1_500)), step, tellsEndEarly: true, holds: false }
  const r = rig([{ buttons: [{ mediaMs: 2_000, file }] }])
  const run = r.start(0, { loop: true, loopCrossfadeMs: 1_000 })
  for (let n = 0; n < 40; n += 1) {
    r.advance(ms(250))
    expect(['starting', 'playing']).toContain(r.player.execution(run)!.state)
  }
  expect(r.player.execution(run)!.starvedMs).toBeGreaterThan(0)
})

it('waits once for an overlap that is shorter than the cushion, not for each of its pieces', () => {
  const r = rig([{ buttons: [{ mediaMs: 20_000, file: { holds: false } }] }])
  r.start(0, { loop: true, loopCrossfadeMs: 50 })
  const step = { frames: ms(60), every: ms(500) }
  r.file(0, { readyAfter: ms(5_500), step, tellsEndEarly: true })
  r.advance(ms(20_000 - 50 + 1_010))
  expect(r.starvations()).toBe(1)
})
