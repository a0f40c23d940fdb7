// The master stage: transparent where it may be, never over full scale, however time is cut.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Master, MASTER_RELEASE, MASTER_THRESHOLD } from '../../../src/engine/sound/master.js'

interface Stereo { left: Float32Array; right: Float32Array }

const stereo = (left: Float32Array, right: Float32Array = left): Stereo =>
  ({ left: left.slice(), right: right.slice() })

/** Runs a signal through a new stage in blocks of the given sizes, over and over. */
const run = (input: Stereo, cuts: readonly number[] = [128]): Stereo => {
  const master = new Master()
  const block = stereo(input.left, input.right)
  let at = 0
  for (let i = 0; at < block.left.length; i += 1) {
    const count = Math.min(cuts[i % cuts.length] ?? 1, block.left.length - at)
    master.process(block, at, count)
    at += count
  }
  return block
}

const bits = (block: Stereo): string =>
  [block.left, block.right].map((side) => Buffer.from(side.buffer).toString('latin1')).join('')

/** A sine that may be louder for a while. */
const sine = (frames: number, gain: (n: number) => number, hertz = 440): Float32Array =>
  Float32Array.from(
    { length: frames }, (_, n) => gain(n) * Math.sin((2 * Math.PI * hertz * n) / 48_000),
  )

const worst = (samples: Float32Array): number =>
  samples.reduce((most, x) => (Number.isNaN(x) ? Infinity : Math.max(most, Math.abs(x))), 0)

const sample = fc.oneof(
  { weight: 6, arbitrary: fc.float({ min: -1, max: 1, noNaN: true }) },
  { weight: 3, arbitrary: fc.float({ min: -8, max: 8, noNaN: true }) },
  { weight: 1, arbitrary: fc.float() },
)
const seeds = fc.array(sample, { minLength: 1, maxLength: 700 })
const signal = fc.tuple(seeds, fc.integer({ min: 1, max: 40 })).map(([seed, times]) =>
  Float32Array.from({ length: seed.length * times }, (_, n) => seed[n % seed.length] ?? 0))

describe('the master stage', () => {
  it('delays by its look-ahead and changes no bit up to -1 dBFS', () => {
    const left = sine(48_000, () => MASTER_THRESHOLD)
    const right = sine(48_000, () => 0.3, 97)
    left[100] = -0
    left[101] = MASTER_THRESHOLD
    left[102] = 1e-42
    const out = run(stereo(left, right))
    const shifted = (x: Float32Array): Float32Array => {
      const y = new Float32Array(x.length)
      y.set(x.subarray(0, x.length - 48), 48)
      return y
    }
    expect(bits(out)).toBe(bits(stereo(shifted(left), shifted(right))))
  })

  it('lets nothing over 0 dBFS out, whatever comes in', () => {
    fc.assert(fc.property(signal, signal, (a, b) => {
      const frames = Math.min(a.length, b.length)
      const out = run(stereo(a.subarray(0, frames), b.subarray(0, frames)))
      expect(worst(out.left)).toBeLessThanOrEqual(1)
      expect(worst(out.right)).toBeLessThanOrEqual(1)
    }), { numRuns: 300 })
  })

  it('gives the same bits however time is cut', () => {
    const cut = fc.array(fc.integer({ min: 1, max: 331 }), { minLength: 1, maxLength: 20 })
    fc.assert(fc.property(signal, cut, (a, cuts) => {
      expect(bits(run(stereo(a), cuts))).toBe(bits(run(stereo(a), [a.length])))
    }), { numRuns: 200 })
  })

  it('turns both channels down alike', () => {
    const loud = sine(9_600, () => 1.7)
    const soft = sine(9_600, () => 0.17)
    const out = run(stereo(loud, soft))
    for (let n = 48; n < 9_600; n += 1) {
      expect(Math.abs((out.left[n] ?? 0) - 10 * (out.right[n] ?? 0))).toBeLessThan(1e-6)
    }
  })

  it('begins within its look-ahead and is bit-transparent 200 ms after the last over', () => {
    const over = 20_000
    const input = new Float32Array(60_000).fill(0.5)
    input[over] = 1.5
    const out = run(stereo(input)).left
    const gain = (n: number): number => (out[n + 48] ?? 0) / (input[n] ?? 1)
    for (let n = 0; n <= over - 48; n += 1) expect(gain(n)).toBe(1)
    expect(gain(over - 1)).toBeLessThan(0.7)
    expect(gain(over) * 1.5).toBeCloseTo(MASTER_THRESHOLD, 6)
    expect(gain(over + 1_000)).toBeLessThan(1)
    expect(gain(over + MASTER_RELEASE - 100)).toBeGreaterThan(0.999)
    for (let n = over + MASTER_RELEASE; n < 59_000; n += 1) expect(gain(n)).toBe(1)
  })

  it('never jumps: the gain moves by no more than its look-ahead allows a frame', () => {
    const input = new Float32Array(96_000).fill(0.25)
    for (let n = 1_000; n < 96_000; n += 1 + ((n * 7_919) % 3_001)) {
      input[n] = 0.9 + ((n * 31) % 400) / 100
    }
    const out = run(stereo(input)).left
    let before = 1
    for (let n = 0; n < 95_900; n += 1) {
      const gain = (out[n + 48] ?? 0) / (input[n] ?? 1)
      expect(Math.abs(gain - before)).toBeLessThan(1 / 48)
      before = gain
    }
  })

  it('holds a loud low note at one level instead of rippling with it', () => {
    const out = run(stereo(sine(96_000, () => 1.5, 60))).left
    const input = sine(96_000, () => 1.5, 60)
    let low = 1
    let high = 0
    for (let n = 48_000; n < 95_000; n += 1) {
      if (Math.abs(input[n] ?? 0) < 0.2) continue
      const gain = (out[n + 48] ?? 0) / (input[n] ?? 1)
      low = Math.min(low, gain)
      high = Math.max(high, gain)
    }
    expect(high - low).toBeLessThan(0.01)
  })

  it('lets a loud bed come back to its own level after a sting that was far too loud', () => {
    // Each crest of a bed in full swing is an over: it must not keep what the sting needed.
    for (const hertz of [60, 200, 1_000]) {
      const bed = sine(96_000, () => 0.95, hertz)
      const sting = sine(96_000, (n) => (n >= 24_000 && n < 28_800 ? 4 : 0), 700)
      const out = run(stereo(bed.map((sample, n) => sample + (sting[n] ?? 0)))).left
      expect(worst(out.subarray(28_848 + MASTER_RELEASE)), `${String(hertz)} Hz`)
        .toBeGreaterThan(MASTER_THRESHOLD * 0.97)
    }
  })

  it('makes silence of what is no number, and limits what has no bound', () => {
    const input = new Float32Array(2_000).fill(0.1)
    input[500] = NaN
    input[900] = Infinity
    const out = run(stereo(input)).left
    expect(out[548]).toBe(0)
    expect(out[400]).toBe(input[352])
    expect(out[948]).toBeCloseTo(MASTER_THRESHOLD, 6)
    expect(worst(out)).toBeLessThanOrEqual(1)
  })
})
