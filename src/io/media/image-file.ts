// Tells an image by its first bytes, as browsers do; a name ending in .png proves nothing.
import { open } from 'node:fs/promises'
import { mediaType, SIGNATURE_BYTES } from '../../contract/media-type.js'

const RAW = 'a raw photo'

/** Pictures that no browser shows, or Safari alone, and where they begin with what. */
const NOT_SHOWN: readonly (readonly [at: number, bytes: string, name: string])[] = [
  // What telephones take. `mif1` stands before other coders too.
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'].map(
    (brand) => [4, `ftyp${brand}`, 'HEIC'] as const),
  // Of cameras, as far as they are no TIFF: Canon, Fujifilm, Panasonic, Olympus.
  [4, 'ftypcrx ', RAW],
  ...['FUJIFILMCCD-RAW', 'IIU\0', 'IIRO', 'IIRS', 'MMOR'].map((head) => [0, head, RAW] as const),
  [0, 'II*\0', 'TIFF'],
  [0, 'MM\0*', 'TIFF'],
  [0, '8BPS', 'Photoshop’s'],
  [0, '%PDF', 'PDF'],
  [0, '\xff\x0a', 'JPEG XL'],
  [4, 'JXL ', 'JPEG XL'],
  [4, 'jP  ', 'JPEG 2000'],
]

const UNSHOWN = 'which browsers do not show: save it as JPEG or PNG'

const OTHERS: Readonly<Record<string, string>> = {
  video: 'is a video, not an image: make its kind video',
  audio: 'is sound, not an image: make its kind audio',
}

/** Why a browser shows no image where this file is; null: it does. Rejects as the disk does. */
export const imageFault = async (path: string): Promise<string | null> => {
  const head = await headOf(path)
  const type = mediaType(head)
  if (type.startsWith('image/')) return null
  return unshown(head) ?? OTHERS[type.split('/')[0] ?? ''] ?? 'is not an image'
}

/** By a content type alone, as pages are told of it; null: a browser shows it. */
export const notImageReason = (type: string): string | null =>
  type.startsWith('image/') ? null : 'it is no image that browsers show: save it as JPEG or PNG'

/** What to do with a picture that no browser shows; null: it is none that is known. */
export const unshownImage = async (path: string): Promise<string | null> => {
  const head = await headOf(path)
  return mediaType(head).startsWith('image/') ? null : unshown(head)
}

const unshown = (head: Buffer): string | null => {
  const text = head.toString('latin1')
  const known = NOT_SHOWN.find(([at, bytes]) => text.startsWith(bytes, at))
  return known === undefined ? null : `is ${known[2]}, ${UNSHOWN}`
}

const headOf = async (path: string): Promise<Buffer> => {
  const handle = await open(path)
  try {
    const bytes = Buffer.alloc(SIGNATURE_BYTES)
    const { bytesRead } = await handle.read(bytes, 0, SIGNATURE_BYTES, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
