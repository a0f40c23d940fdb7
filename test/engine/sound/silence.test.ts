// What an output is told of silence, and what is written where there is none to be heard.
import { expect, test } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { Meter } from '../../../src/engine/sound/meter.js'
import { stereo } from '../../../src/engine/sound/mixer.js'
import { constant, ms, rig } from '../../rig.js'

test('silence is written on both sides of a block that sounded before', () => {
  const r = rig([{ buttons: [{ file: constant(0.5) }] }])
  const block = stereo(480)
  const run = r.start(0)
  r.engine.render(block, 0, 480)
  expect([block.left[479], block.right[479]]).toEqual([0.5, 0.5])
  r.pause(0, run, 0)
  r.engine.render(block, 100, 380)
  const sides = [block.left, block.right]
  expect(sides.map((side) => [side[99], side[100], side[479]])).toEqual([[0.5, 0, 0], [0.5, 0, 0]])
})

test('it is not quiet while one of several runs sounds, whichever began first', () => {
  const r = rig([{ buttons: [{ allowOverlap: true }, { allowOverlap: true }] }])
  const [first, second] = [r.start(0), r.start(1)]
  r.pause(0, first, 0)
  expect(r.engine.quiet()).toBe(false)
  r.resume(0, first)
  r.pause(1, second, 0)
  expect(r.engine.quiet()).toBe(false)
  r.pause(0, first, 0)
  expect(r.engine.quiet()).toBe(true)
})

test('what is only foreseen is not measured: levels are of what sounds', () => {
  const r = rig([{ buttons: [{ file: constant(0.5), fadeInMs: 1_000 }] }])
  const meter = new Meter(1_920)
  r.engine.meter = meter
  r.start(0)
  r.render(ms(500))
  r.engine.foresee(stereo(ms(100)), r.engine.now, ms(100))
  expect(meter.take(frame(r.engine.now))?.runs[0]?.left).toBeCloseTo(0.25, 3)
})
