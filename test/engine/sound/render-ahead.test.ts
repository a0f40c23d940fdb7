// What an output holds ahead of its time is to the bit what sounds then, by the limiter too.
import { expect, it } from 'vitest'
import { Master } from '../../../src/engine/sound/master.js'
import { stereo } from '../../../src/engine/sound/mixer.js'
import { RenderAhead } from '../../../src/engine/sound/render-ahead.js'
import { constant, ms, rig } from '../../rig.js'

/** Of what an output asks for: so much is rendered for good, the rest of 10 ms is foreseen. */
const SETTLED = 144
const STOCK = 480

/** A bed, and from a second on a sting; what was foreseen is compared with what sounded then. */
const evening = (sting: (at: number) => number) => {
  const sample = (at: number): readonly [number, number] => [sting(at), sting(at)]
  const r = rig([{ buttons: [
    { mediaMs: 4_000, file: constant(0.75) },
    { mediaMs: 700, allowOverlap: true, file: { sample } },
  ] }])
  const master = new Master()
  const ahead = new RenderAhead(r.engine, master)
  const foreseen = stereo(STOCK)
  const told = { plain: 0, limited: 0, wrong: 0, largest: 0 }
  const heard = (count: number): Float32Array => {
    const block = stereo(count)
    r.engine.render(block, 0, count)
    master.process(block, 0, count)
    return block.left
  }
  r.start(0)
  for (let hasSting = false; r.engine.now < ms(2_500);) {
    if (!hasSting && r.engine.now >= ms(1_000)) {
      r.start(1)
      hasSting = true
    }
    heard(SETTLED)
    const known = ahead.foresee(foreseen, STOCK, true)
    for (const [n, sample] of heard(known).entries()) {
      if (foreseen.left[n] !== sample) told.wrong += 1
      if (sample === Math.fround(0.75)) told.plain += 1
      else if (sample > 0) told.limited += 1
      told.largest = Math.max(told.largest, foreseen.left[n]!)
    }
  }
  return told
}

it('before, while and after a sting makes a bed too loud', () => {
  const { plain, limited, wrong, largest } = evening(() => 0.75)
  expect(wrong).toBe(0)
  expect(largest).toBeLessThanOrEqual(1)
  expect(plain).toBeGreaterThan(ms(900))
  // The sting, and the release of 200 ms after it.
  expect(limited).toBeGreaterThan(ms(600))
})

it('after a click that was over before anything of it was foreseen', () => {
  const { limited, wrong } = evening((at) => (at < 48 ? 0.75 : 0))
  expect(wrong).toBe(0)
  expect(limited).toBeGreaterThan(ms(100))
})
