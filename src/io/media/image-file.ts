// Tells an image by its first bytes, as browsers do; a name ending in .png proves nothing.
import { open } from 'node:fs/promises'

const HEAD_BYTES = 1024

/** What each kind begins with, and where. */
const SIGNATURES: readonly (readonly [at: number, bytes: string])[] = [
  [0, '\x89PNG\r\n\x1a\n'],
  [0, '\xff\xd8\xff'],
  [0, 'GIF87a'],
  [0, 'GIF89a'],
  [0, 'BM'],
  [8, 'WEBP'],
  [4, 'ftypavi'],
]

export const isImage = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead).toString('latin1')
    return SIGNATURES.some(([at, bytes]) => head.startsWith(bytes, at)) || /<svg[\s>]/.test(head)
  } finally {
    await handle.close()
  }
}
