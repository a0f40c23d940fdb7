// The first 92 bytes of a 32-bit float WAV: RIFF while it fits in 4 GB, RF64 (EBU 3306) beyond.
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'

export const WAV_HEADER_BYTES = 92
const CHANNELS = 2
const RATE = 48_000
const FORMAT_FLOAT = 3
const BITS = 32
const UNKNOWN = 0xffff_ffff
/** The `ds64` chunk's size; while the file is plain RIFF its room is a `JUNK` chunk. */
const DS64_BYTES = 28

/** @param frames stereo frames that follow the header. */
export const wavHeader = (frames: number): Buffer => {
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  const dataBytes = frames * STEREO_FRAME_BYTES
  const riffBytes = WAV_HEADER_BYTES - 8 + dataBytes
  const large = riffBytes >= UNKNOWN
  header.write(large ? 'RF64' : 'RIFF', 0)
  header.writeUInt32LE(large ? UNKNOWN : riffBytes, 4)
  header.write('WAVE', 8)
  header.write(large ? 'ds64' : 'JUNK', 12)
  header.writeUInt32LE(DS64_BYTES, 16)
  if (large) {
    header.writeBigUInt64LE(BigInt(riffBytes), 20)
    header.writeBigUInt64LE(BigInt(dataBytes), 28)
    header.writeBigUInt64LE(BigInt(frames), 36)
  }
  header.write('fmt ', 48)
  header.writeUInt32LE(16, 52)
  header.writeUInt16LE(FORMAT_FLOAT, 56)
  header.writeUInt16LE(CHANNELS, 58)
  header.writeUInt32LE(RATE, 60)
  header.writeUInt32LE(RATE * STEREO_FRAME_BYTES, 64)
  header.writeUInt16LE(STEREO_FRAME_BYTES, 68)
  header.writeUInt16LE(BITS, 70)
  header.write('fact', 72)
  header.writeUInt32LE(4, 76)
  header.writeUInt32LE(large ? UNKNOWN : frames, 80)
  header.write('data', 84)
  header.writeUInt32LE(large ? UNKNOWN : dataBytes, 88)
  return header
}
