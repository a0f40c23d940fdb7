// The output without a device, on a time that is moved by hand: real time's pace, woken at once.
import { expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { NullOutput } from '../../../src/io/output/null-output.js'
import { CountingRenderer, Journal } from '../../devices/output-sound.js'

const opened = () => {
  const [timers, renderer, journal] = [new VirtualTimers(0), new CountingRenderer(), new Journal()]
  const output = new NullOutput(renderer, timers)
  output.start(journal)
  return { timers, renderer, journal, output }
}

it('moves the engine in real time, in small blocks, until it is stopped', async () => {
  const { timers, renderer, journal, output } = opened()
  expect(journal.kinds()).toEqual([])
  timers.pass(1_000)
  expect(journal.kinds()).toEqual(['back'])
  expect(renderer.rendered).toBe(48_000)
  expect(renderer.largest).toBeLessThanOrEqual(128)
  await output.stop()
  timers.pass(50)
  expect(renderer.rendered).toBe(48_000)
})

it('meets a wake at once and is not driven ahead by many of them', () => {
  const { timers, renderer, output } = opened()
  output.wake()
  expect(renderer.rendered).toBeGreaterThan(0)
  for (let ms = 0; ms < 200; ms += 1) {
    for (let n = 0; n < 100; n += 1) output.wake()
    timers.pass(1)
  }
  expect(renderer.rendered).toBeLessThanOrEqual(200 * 48 + 48)
})

it('goes on from now after a long stall instead of catching up', () => {
  const { timers, renderer, journal } = opened()
  timers.pass(50)
  // The thread does not run for 1.3 s: its alarms are met together at the end.
  timers.stall(1_300)
  timers.pass(50)
  expect(renderer.rendered).toBe(100 * 48)
  expect(journal.notices).toHaveLength(1)
  expect(timers.now()).toBe(frame(1_400 * 48))
})
