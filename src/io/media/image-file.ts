// Tells an image by its first bytes, as browsers do; a name ending in .png proves nothing.
import { open } from 'node:fs/promises'
import { mediaType, SIGNATURE_BYTES } from '../../contract/media-type.js'

/** Pictures that no browser shows, or Safari alone, and where they begin with what. */
const NOT_SHOWN: readonly (readonly [at: number, bytes: string, name: string])[] = [
  // What telephones take. `mif1` stands before other coders too.
  ...['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1'].map((brand) =>
    [4, `ftyp${brand}`, 'HEIC'] as const),
  [0, 'II*\0', 'TIFF'],
  [0, 'MM\0*', 'TIFF'],
  [0, '8BPS', 'Photoshop’s'],
  [0, '%PDF', 'PDF'],
]

const UNSHOWN = 'which browsers do not show: save it as JPEG or PNG'

/** Why a browser shows no image where this file is; null: it does. Rejects as the disk does. */
export const imageFault = async (path: string): Promise<string | null> => {
  const handle = await open(path)
  try {
    const bytes = Buffer.alloc(SIGNATURE_BYTES)
    const { bytesRead } = await handle.read(bytes, 0, SIGNATURE_BYTES, 0)
    return faultOf(bytes.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

const faultOf = (head: Buffer): string | null => {
  const type = mediaType(head)
  if (type.startsWith('image/')) return null
  const text = head.toString('latin1')
  const known = NOT_SHOWN.find(([at, bytes]) => text.startsWith(bytes, at))
  if (known !== undefined) return `is ${known[2]}, ${UNSHOWN}`
  const kind = { video: 'a video', audio: 'sound' }[type.split('/')[0] ?? '']
  return kind === undefined ? 'is not an image' : `is ${kind}, not an image`
}
