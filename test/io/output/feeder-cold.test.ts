// The first sound of all: its code is cold, and what the device has must not run out meanwhile.
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { StereoBlock } from '../../../src/engine/ports.js'
import { Feeder } from '../../../src/io/output/feeder.js'

const [SETTLED, STOCK] = [144, 5_760]

it('is handed on as it is mixed: half as fast as it is heard is fast enough', () => {
  let [spentMs, settled, ahead, sent] = [0, 0, 0, 0]
  const flushes: { atMs: number, frames: number }[] = []
  const mix = ({ left, right }: StereoBlock, count: number): number => {
    left.fill(1)
    right.fill(1)
    spentMs += count / 96
    return count
  }
  const feeder = new Feeder({
    render: (into, count) => { mix(into, count) }, quiet: () => false, foresee: mix,
  }, {
    queued: () => settled, target: () => STOCK, wantsSilence: false,
    take: (_block, count) => { settled += count },
    flush: () => {
      if (settled + ahead === sent) return
      sent = settled + ahead
      flushes.push({ atMs: spentMs, frames: sent })
    },
    stock: {
      settled: () => SETTLED, ahead: () => ahead,
      foresee: (_block, count) => { ahead += count },
      isChanged: () => settled + ahead > sent, revise: () => { ahead = 0 },
    },
  }, new VirtualTimers(0), () => undefined)
  feeder.start()
  feeder.wake()
  expect(sent).toBe(STOCK)
  // What is settled is too short to bridge the first 10 ms; from these on nothing runs out.
  const [, first, ...later] = flushes
  if (first === undefined) throw new Error('nothing was handed on ahead of the rest')
  const outMs = (frames: number): number => first.atMs + (frames - SETTLED) / 48
  for (const [n, { atMs }] of later.entries()) {
    expect(atMs).toBeLessThan(outMs((later[n - 1] ?? first).frames))
  }
})
