// Peaks of sound: folded from frames as they come, kept as audiowaveform's .dat, read by range.
//
// The format: https://github.com/bbc/audiowaveform/blob/master/doc/DataFormat.md, version 2. Little
// endian: i32 version, u32 flags (1: 8 bit), i32 samples a second, i32 samples per pixel, u32 count
// of pixels, i32 channels; then of each pixel and channel i8 lowest, i8 highest sample.

export const SAMPLES_PER_PIXEL = 256

const VERSION = 2
const IS_8_BIT = 1
const RATE = 48_000
const CHANNELS = 2
const HEAD_BYTES = 24
/** Lowest and highest of left, then of right. */
const PIXEL_BYTES = 2 * CHANNELS
const FULL_SCALE = 127
const FIRST_PIXELS = 4_096

export class PeakFold {
  #pixels = new Int8Array(FIRST_PIXELS * PIXEL_BYTES)
  #count = 0
  #left = new Range()
  #right = new Range()
  #inPixel = 0

  constructor(private readonly pixelsMax: number) {}

  /** Interleaved stereo; false where it is longer than what is kept of a file. */
  add(samples: Float32Array): boolean {
    for (let i = 0; i + 1 < samples.length; i += CHANNELS) {
      this.#left.add(samples[i] as number)
      this.#right.add(samples[i + 1] as number)
      this.#inPixel += 1
      if (this.#inPixel < SAMPLES_PER_PIXEL) continue
      if (this.#count >= this.pixelsMax) return false
      this.#close()
    }
    return true
  }

  /** The whole .dat; null where there was no sound. */
  end(): Buffer | null {
    if (this.#inPixel > 0 && this.#count < this.pixelsMax) this.#close()
    if (this.#count === 0) return null
    const head = Buffer.alloc(HEAD_BYTES)
    const words = [VERSION, IS_8_BIT, RATE, SAMPLES_PER_PIXEL, this.#count, CHANNELS]
    for (const [n, word] of words.entries()) head.writeInt32LE(word, 4 * n)
    return Buffer.concat([head, Buffer.from(this.#pixels.buffer, 0, this.#count * PIXEL_BYTES)])
  }

  #close(): void {
    const at = this.#count * PIXEL_BYTES
    if (at + PIXEL_BYTES > this.#pixels.length) {
      const more = new Int8Array(this.#pixels.length * 2)
      more.set(this.#pixels)
      this.#pixels = more
    }
    this.#left.take(this.#pixels, at)
    this.#right.take(this.#pixels, at + 2)
    this.#count += 1
    this.#inPixel = 0
  }
}

/** The lowest and the highest sample of one channel within a pixel. */
class Range {
  #low = Number.POSITIVE_INFINITY
  #high = Number.NEGATIVE_INFINITY

  add(sample: number): void {
    if (sample < this.#low) this.#low = sample
    if (sample > this.#high) this.#high = sample
  }

  take(pixels: Int8Array, at: number): void {
    pixels[at] = eightBits(this.#low)
    pixels[at + 1] = eightBits(this.#high)
    this.#low = Number.POSITIVE_INFINITY
    this.#high = Number.NEGATIVE_INFINITY
  }
}

/** Samples beyond full scale, or that are no number, are drawn at its edge or not at all. */
const eightBits = (sample: number): number => {
  if (!Number.isFinite(sample)) return 0
  return Math.max(-FULL_SCALE, Math.min(FULL_SCALE, Math.round(sample * FULL_SCALE)))
}

/** Its pixels, where it is a .dat of ours and whole. */
const pixelsOf = (dat: Buffer): Int8Array | null => {
  if (dat.length < HEAD_BYTES) return null
  const words = [VERSION, IS_8_BIT, RATE, SAMPLES_PER_PIXEL, null, CHANNELS]
  const isOurs = words.every((word, n) => word === null || dat.readInt32LE(4 * n) === word)
  const bytes = dat.readUInt32LE(16) * PIXEL_BYTES
  if (!isOurs || bytes === 0 || dat.length !== HEAD_BYTES + bytes) return null
  return new Int8Array(dat.buffer, dat.byteOffset + HEAD_BYTES, bytes)
}

export const isDat = (dat: Buffer): boolean => pixelsOf(dat) !== null

/** In frames. `to` null: to the end of the source, which lasts so long at least. */
export interface PeakRange {
  readonly from: number
  readonly to: number | null
  readonly lasts: number
}

/**
 * The largest |sample| of either channel in each of `columns` even parts of a range, 255 is full
 * scale.
 */
export const rangePeaks = (
  dat: Buffer, { from, to, lasts }: PeakRange, columns: number,
): Uint8Array => {
  const peaks = new Uint8Array(columns)
  const pixels = pixelsOf(dat)
  if (pixels === null) return peaks
  const count = pixels.length / PIXEL_BYTES
  const first = from / SAMPLES_PER_PIXEL
  // An End behind the end of the source means its end.
  const length = Math.max(count, lasts / SAMPLES_PER_PIXEL)
  const last = Math.min(length, (to ?? Number.POSITIVE_INFINITY) / SAMPLES_PER_PIXEL)
  const width = (last - first) / columns
  for (let column = 0; column < columns && width > 0; column += 1) {
    const begin = Math.floor(first + column * width)
    // A short range has fewer pixels than columns: then neighbours show the same one.
    const end = Math.min(count, Math.max(begin + 1, Math.ceil(first + (column + 1) * width)))
    let peak = 0
    for (let i = begin * PIXEL_BYTES; i < end * PIXEL_BYTES; i += 1) {
      const size = Math.abs(pixels[i] as number)
      if (size > peak) peak = size
    }
    peaks[column] = Math.round((peak / FULL_SCALE) * 255)
  }
  return peaks
}
