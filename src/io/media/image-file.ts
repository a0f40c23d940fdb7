// Tells an image by its first bytes, as browsers do; a name ending in .png proves nothing.
import { open } from 'node:fs/promises'
import { mediaType, SIGNATURE_BYTES } from '../../contract/media-type.js'

export const isImage = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const head = Buffer.alloc(SIGNATURE_BYTES)
    const { bytesRead } = await handle.read(head, 0, SIGNATURE_BYTES, 0)
    return mediaType(head.subarray(0, bytesRead)).startsWith('image/')
  } finally {
    await handle.close()
  }
}
