// What coders of Opus put in front of the sound, 6.5 ms mostly. In OGG its first page tells of it,
// and the last one counts it (RFC 7845, 4.2).
import { open } from 'node:fs/promises'
import type { Padding } from './padding.js'

/** A page that a film begins with may stand in front of that of the sound. */
const HEAD_BYTES = 4_096
const MARK = 'OpusHead'
const PRE_SKIP_AT = 10

/** Null where it is not told. E.g. 312 samples, of 48 000 Hz whatever went into the coder. */
export const opusPadding = async (path: string): Promise<Padding | null> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const at = buffer.indexOf(MARK)
    if (at < 0 || at + PRE_SKIP_AT + 2 > bytesRead) return null
    return { samples: buffer.readUInt16LE(at + PRE_SKIP_AT), frames: null }
  } finally {
    await file.close()
  }
}
