// Peaks of sound: what is drawn of a range is the loudest of each of its parts, to the frame.
import { describe, expect, it } from 'vitest'
import { isDat, PeakFold, rangePeaks, SAMPLES_PER_PIXEL } from '../../../src/io/waves/wave-peaks.js'

const PIXELS_MAX = 100_000

/** The .dat of a sound whose sample at each frame is told, in pieces of an odd size. */
const datOf = (frames: number, at: (frame: number) => readonly [number, number]): Buffer => {
  const samples = Float32Array.from({ length: 2 * frames }, (_each, n) =>
    at(Math.floor(n / 2))[n % 2 === 0 ? 0 : 1])
  const fold = new PeakFold(PIXELS_MAX)
  for (let n = 0; n < samples.length; n += 1_414) fold.add(samples.subarray(n, n + 1_414))
  const dat = fold.end()
  if (dat === null) throw new Error('there is sound')
  return dat
}

const pixelsOf = (dat: Buffer): readonly number[] =>
  Array.from({ length: dat.length - 24 }, (_each, n) => dat.readInt8(24 + n))

describe('a .dat', () => {
  const dat = datOf(3 * SAMPLES_PER_PIXEL + 1, (n) => [n < 256 ? 0.5 : -0.25, n === 300 ? 1 : 0])

  it('has the head of audiowaveform, version 2', () => {
    expect([0, 4, 8, 12, 16, 20].map((at) => dat.readInt32LE(at)))
      .toEqual([2, 1, 48_000, 256, 4, 2])
  })

  it('has of each pixel the lowest and highest of left, then of right; the last one too', () => {
    expect(pixelsOf(dat))
      .toEqual([64, 64, 0, 0, -32, -32, 0, 127, -32, -32, 0, 0, -32, -32, 0, 0])
  })

  it('of hours has each pixel where it belongs', () => {
    // As loud as its number says, for more pixels than there is room for at first, twice over.
    const sizeOf = (pixel: number): number => (pixel % 127) / 127
    const [count, fold] = [10_000, new PeakFold(PIXELS_MAX)]
    const samples = new Float32Array(2 * SAMPLES_PER_PIXEL)
    for (let pixel = 0; pixel < count; pixel += 1) fold.add(samples.fill(sizeOf(pixel)))
    const told = fold.end() ?? Buffer.alloc(0)
    expect([isDat(told), told.readUInt32LE(16)]).toEqual([true, count])
    for (let pixel = 0; pixel < count; pixel += 1) {
      const each = [0, 1, 2, 3].map((n) => told.readInt8(24 + 4 * pixel + n))
      if (each.some((size) => size !== pixel % 127)) expect.fail(`pixel ${pixel}: ${each.join()}`)
    }
  })

  it('that is cut, or none, is told', () => {
    expect(isDat(dat)).toBe(true)
    expect(isDat(dat.subarray(0, dat.length - 1))).toBe(false)
    expect(isDat(Buffer.from('no waveform, but long enough'))).toBe(false)
    expect(isDat(Buffer.alloc(3))).toBe(false)
  })

  it('has the edge where samples are beyond it, and nothing where they are no number', () => {
    const wild = datOf(512, (n) => (n < 256 ? [9, -9] : [Number.NaN, Number.POSITIVE_INFINITY]))
    expect(pixelsOf(wild)).toEqual([127, 127, -127, -127, 0, 0, 0, 0])
  })

  it('is none without sound; of one that is too long no more is taken', () => {
    expect(new PeakFold(PIXELS_MAX).end()).toBeNull()
    const fold = new PeakFold(2)
    expect(fold.add(new Float32Array(2 * 2 * SAMPLES_PER_PIXEL))).toBe(true)
    expect(fold.add(new Float32Array(2 * SAMPLES_PER_PIXEL))).toBe(false)
  })
})

describe('the peaks of a range', () => {
  /** Ten parts of ten pixels each; the n-th has peaks of n tenths, left and right in turn. */
  const PART = 10 * SAMPLES_PER_PIXEL
  const steps = datOf(10 * PART, (n) => {
    const size = Math.floor(n / PART) / 10
    return n % 2 === 0 ? [-size, 0] : [0, size]
  })
  const tenths = (
    from: number, to: number | null, columns: number, lasts = 0,
  ): readonly number[] =>
    [...rangePeaks(steps, { from, to, lasts }, columns)].map((peak) => Math.round(peak / 25.5))

  it('are the loudest of either channel and either side', () => {
    expect(tenths(0, null, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(tenths(0, null, 5)).toEqual([1, 3, 5, 7, 9])
  })

  it('begin at Start and end at End', () => {
    expect(tenths(4 * PART, 8 * PART, 4)).toEqual([4, 5, 6, 7])
    expect(tenths(9 * PART, 9 * PART + 256, 3)).toEqual([9, 9, 9])
  })

  it('end with the source where End is behind it, and are silence where all of it is', () => {
    expect(tenths(8 * PART, 99 * PART, 2)).toEqual([8, 9])
    expect(tenths(98 * PART, 99 * PART, 2)).toEqual([0, 0])
    expect(tenths(5, 5, 2)).toEqual([0, 0])
  })

  it('go on in silence as long as pictures do', () => {
    expect(tenths(0, null, 6, 12 * PART)).toEqual([1, 3, 5, 7, 9, 0])
    expect(tenths(8 * PART, 99 * PART, 4, 12 * PART)).toEqual([8, 9, 0, 0])
    expect(tenths(0, null, 5, 9 * PART)).toEqual([1, 3, 5, 7, 9])
  })
})
