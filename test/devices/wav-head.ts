// The first 44 bytes of the WAVs that tests and benchmarks write, at any rate, in any samples.

export const WAV_HEAD_BYTES = 44

export interface WavFormat {
  readonly kind: 'integers' | 'floats'
  readonly sampleBytes: 2 | 4
  readonly channels: number
  readonly rate: number
}

export const FLOAT_STEREO: WavFormat = {
  kind: 'floats', sampleBytes: 4, channels: 2, rate: 48_000,
}

/** @param frames as many follow it. */
export const wavHead = (
  { kind, sampleBytes, channels, rate }: WavFormat, frames: number,
): Buffer => {
  const frameBytes = channels * sampleBytes
  const head = Buffer.alloc(WAV_HEAD_BYTES)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(WAV_HEAD_BYTES - 8 + frames * frameBytes, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(kind === 'floats' ? 3 : 1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * frameBytes, 28)
  head.writeUInt16LE(frameBytes, 32)
  head.writeUInt16LE(8 * sampleBytes, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(frames * frameBytes, 40)
  return head
}
