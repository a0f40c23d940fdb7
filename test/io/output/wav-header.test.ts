// The head of a recording, field by field as the formats have them: RIFF, and RF64 (EBU 3306).
import { describe, expect, it } from 'vitest'
import { WAV_HEADER_BYTES, wavHeader } from '../../../src/io/output/wav-header.js'

const UNKNOWN = 0xffff_ffff

/** What any reader goes by; 64 bits where the file says so. */
const read = (head: Buffer) => {
  const is64 = head.toString('latin1', 0, 4) === 'RF64'
  const chunks = [12, 48, 72, 84].map((at) =>
    `${head.toString('latin1', at, at + 4)} ${at === 84 ? '' : head.readUInt32LE(at + 4)}`.trim())
  const size = (at: number, at64: number): number =>
    is64 ? Number(head.readBigUInt64LE(at64)) : head.readUInt32LE(at)
  return {
    length: head.length, kind: head.toString('latin1', 0, 4), form: head.toString('latin1', 8, 12),
    chunks, riff: size(4, 20), data: size(88, 28), frames: size(80, 36),
    told32: [4, 88, 80].map((at) => head.readUInt32LE(at)),
    format: head.readUInt16LE(56), channels: head.readUInt16LE(58), rate: head.readUInt32LE(60),
    bytesASecond: head.readUInt32LE(64), bytesAFrame: head.readUInt16LE(68),
    bits: head.readUInt16LE(70),
  }
}

const SOUND = {
  length: WAV_HEADER_BYTES, form: 'WAVE', format: 3, channels: 2, rate: 48_000,
  bytesASecond: 384_000, bytesAFrame: 8, bits: 32,
}
const sizes = (frames: number) =>
  ({ data: frames * 8, riff: frames * 8 + WAV_HEADER_BYTES - 8, frames })
/** The most whose sizes are known in 32 bits. */
const RIFF_MOST = Math.floor((UNKNOWN - 1 - (WAV_HEADER_BYTES - 8)) / 8)

describe('the head of a recording', () => {
  it.each([0, 1, 48_000, RIFF_MOST])('of %i frames is that of a WAV as all read it', (frames) => {
    const head = read(wavHeader(frames))
    const { data, riff } = sizes(frames)
    expect(head).toEqual({
      ...SOUND, ...sizes(frames), kind: 'RIFF', told32: [riff, data, frames],
      chunks: ['JUNK 28', 'fmt  16', 'fact 4', 'data'],
    })
  })

  it.each([RIFF_MOST + 1, RIFF_MOST + 20, 2 ** 29, 2 ** 30, 24 * 3_600 * 48_000])(
    'of %i frames has its sizes in 64 bits', (frames) => {
      expect(read(wavHeader(frames))).toEqual({
        ...SOUND, ...sizes(frames), kind: 'RF64', told32: [UNKNOWN, UNKNOWN, UNKNOWN],
        chunks: ['ds64 28', 'fmt  16', 'fact 4', 'data'],
      })
    })
})
