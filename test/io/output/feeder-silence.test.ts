// Silence in which a sound begins: what the master held back is left out, and nothing else.
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { Feeder } from '../../../src/io/output/feeder.js'

it.each([[0, 0], [60, 0], [100, 40], [300, 240]])(
  'of %d silent frames in which a sound begins leaves out what the master held back: %d stay',
  (silent, stays) => {
    const [taken, right]: [number[], number[]] = [[], []]
    let [isOn, present] = [false, 0]
    const feeder = new Feeder({
      render: ({ left, right }, count) => {
        for (let i = 0; i < count; i += 1, present += 1) {
          left[i] = right[i] = Math.max(0, present - silent + 1)
        }
      },
      quiet: () => !isOn, lookAhead: 60,
    }, {
      queued: () => taken.length, target: () => 480, wantsSilence: false, flush: () => undefined,
      take: (block, count) => {
        taken.push(...block.left.subarray(0, count))
        right.push(...block.right.subarray(0, count))
      },
    }, new VirtualTimers(0), () => undefined)
    feeder.start()
    isOn = true
    feeder.wake()
    expect(taken).toEqual(Array.from({ length: 480 }, (_, n) => Math.max(0, n - stays + 1)))
    expect(right).toEqual(taken)
  })
