// What coders of MP3 pad: silence in front of the sound and behind it, which their tag tells of.
import { open } from 'node:fs/promises'
import type { Padding } from './padding.js'

const ID3_BYTES = 10
/** The tag is in the first frame of sound. */
const HEAD_BYTES = 4_096
/** The tag of LAME, and of ffmpeg, whose own names are those of its libraries. */
const CODERS = new Set(['LAME', 'Lavf', 'Lavc'])
/** From the coder's name to the padding: 12 bits in front of the sound, 12 behind it. */
const PADDING_AT = 21
/** A decoder leaves out so many more in front, by which it is late itself, and so fewer behind. */
const DECODER_DELAY = 529

/** Null where the file does not say. E.g. 1105 in front and 384 behind: 31 ms of 48 000 Hz. */
export const mp3Padding = async (path: string): Promise<Padding | null> => {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    const read = async (at: number): Promise<Buffer> =>
      bytes.subarray(0, (await file.read(bytes, 0, HEAD_BYTES, at)).bytesRead)
    let at = 0
    let head = await read(at)
    // Several may stand in front of the sound, e.g. one with a cover of some megabytes.
    for (let tag = id3Bytes(head); tag > 0; tag = id3Bytes(head)) {
      at += tag
      head = await read(at)
    }
    return paddingOf(head)
  } finally {
    await file.close()
  }
}

/** Its length in four bytes of seven bits each. */
const id3Bytes = (head: Buffer): number => {
  if (head.length < ID3_BYTES || head.toString('latin1', 0, 3) !== 'ID3') return 0
  return [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (head.readUInt8(at) & 127), 0) + ID3_BYTES
}

const paddingOf = (head: Buffer): Padding | null => {
  const at = Math.max(head.indexOf('Xing'), head.indexOf('Info'))
  if (at < 0 || at + 12 > head.length) return null
  const flags = head.readUInt32BE(at + 4)
  // What may stand in between: a count of frames, one of bytes, a table for seeks, a quality.
  const fields = [4, 4, 100, 4].filter((_, bit) => (flags & (1 << bit)) !== 0)
  const coder = fields.reduce((sum, bytes) => sum + bytes, at + 8)
  const padding = coder + PADDING_AT
  const isOurs = CODERS.has(head.toString('latin1', coder, coder + 4))
  if (padding + 3 > head.length || !isOurs) return null
  const told = head.readUIntBE(padding, 3)
  const [front, behind] = [told >> 12, told & 0xfff]
  const frames = (flags & 1) === 0 ? null : head.readUInt32BE(at + 8)
  return { samples: front + Math.max(behind, DECODER_DELAY), frames }
}
