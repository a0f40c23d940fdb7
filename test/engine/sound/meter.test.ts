// Levels: peaks after fades and gains, 25 a second; the sound has the same bits with and without.
import { expect, test } from 'vitest'
import { Meter, type Levels } from '../../../src/engine/sound/meter.js'
import { constant, ms, rig } from '../../rig.js'

const EVERY = 1_920

const show = () => rig([{ buttons: [
  { file: constant(0.5), gainDb: -20 },
  { file: constant(0.25), fadeInMs: 1000, allowOverlap: true },
] }])

test('a run that is alone, and two that fade, are measured as they sound', () => {
  const r = show()
  const meter = new Meter(EVERY)
  r.engine.meter = meter
  const one = r.start(0)
  const two = r.start(1)
  r.render(ms(500))
  const levels = meter.take(r.engine.now)
  expect(levels?.runs.map(({ executionId }) => executionId)).toEqual([one, two])
  expect(levels?.runs[0]?.left).toBeCloseTo(0.05, 6)
  expect(levels?.runs[1]?.right).toBeCloseTo(0.125, 4)
})

test('left and right are measured apart', () => {
  const r = rig([{ buttons: [{ file: { sample: () => [0.5, 0.25] } }] }])
  const meter = new Meter(EVERY)
  r.engine.meter = meter
  r.start(0)
  r.render(ms(500))
  const levels = meter.take(r.engine.now)
  expect(levels?.runs).toMatchObject([{ left: 0.5, right: 0.25 }])
})

test('the master is measured by side, and falls when it is quiet again', () => {
  const meter = new Meter(EVERY)
  const block = (left: number, right: number) =>
    ({ left: new Float32Array(64).fill(left), right: new Float32Array(64).fill(right) })
  meter.noteMaster(block(0.5, -0.25), 64)
  meter.noteMaster(block(-0.125, 0.75), 10)
  meter.noteMaster(block(1, 1), 0)
  expect(meter.take(EVERY)).toEqual({ frame: EVERY, master: { left: 0.5, right: 0.75 }, runs: [] })
  meter.noteMaster(block(0.125, 0), 64)
  expect(meter.take(2 * EVERY)?.master).toEqual({ left: 0.125, right: 0 })
  expect(meter.take(3 * EVERY)?.master).toEqual({ left: 0, right: 0 })
})

test('nothing of the sound depends on being looked at', () => {
  const sound = (measured: boolean): Float32Array => {
    const r = show()
    if (measured) r.engine.meter = new Meter(EVERY)
    r.start(0)
    r.start(1)
    r.advance(0)
    return r.render(ms(1200), () => 128).left
  }
  expect(sound(true)).toEqual(sound(false))
})

test('blocks of any size make 25 a second', () => {
  const meter = new Meter(EVERY)
  const told: Levels[] = []
  for (let frame = 128; frame <= 48_000; frame += 128) {
    const levels = meter.take(frame)
    if (levels !== null) told.push(levels)
  }
  expect(told).toHaveLength(25)
})

test('a run that has ended is told no more', () => {
  const r = show()
  const meter = new Meter(EVERY)
  r.engine.meter = meter
  const run = r.start(0)
  r.render(ms(100))
  r.stop(0, run, 0)
  meter.take(r.engine.now)
  r.render(ms(100))
  expect(meter.take(r.engine.now)?.runs).toEqual([])
})
