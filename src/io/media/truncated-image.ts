// Whether an image goes on to its end: a download that broke off shows half a picture, or none.
import { readFile } from 'node:fs/promises'
import { mediaType, SIGNATURE_BYTES } from '../../contract/media-type.js'
import { CUT_OFF, svgFault } from './svg-fault.js'

/** What keeps a browser from showing all of this image; null: nothing that is looked for. */
export const truncatedImageFault = async (path: string): Promise<string | null> => {
  const bytes = await readFile(path)
  const type = mediaType(bytes.subarray(0, SIGNATURE_BYTES))
  if (type === 'image/svg+xml') return svgFault(bytes.toString('latin1'))
  return WHOLE[type]?.(bytes) === false ? CUT_OFF : null
}

/** Chunks of a length, a name, the content and a sum; the last one is named so. */
const isWholePng = (bytes: Buffer): boolean => {
  for (let at = 8; at + 12 <= bytes.length;) {
    const isLast = bytes.toString('latin1', at + 4, at + 8) === 'IEND'
    at += 12 + bytes.readUInt32BE(at)
    if (isLast) return at <= bytes.length
  }
  return false
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9])
const START_OF_SCAN = 0xda

/** Its segments are gone through up to the picture itself: a preview in one has an end as well. */
const isWholeJpeg = (bytes: Buffer): boolean => {
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== START_OF_SCAN) {
    at += bytes[at + 1] === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return bytes.includes(END_OF_JPEG, at)
}

/** The length that it tells may count a last byte that only fills up. */
const isWholeWebp = (bytes: Buffer): boolean => bytes.readUInt32LE(4) + 7 <= bytes.length

/** Boxes, each with its length before it; 0: to the end of the file, 1: it stands in 8 bytes. */
const isWholeAvif = (bytes: Buffer): boolean => {
  for (let at = 0; at + 16 <= bytes.length;) {
    const told = bytes.readUInt32BE(at)
    if (told === 0) return true
    const isPicture = bytes.toString('latin1', at + 4, at + 8) === 'mdat'
    at += Math.max(8, told === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : told)
    if (isPicture) return at <= bytes.length
  }
  // A small one may stand among what tells of it.
  return bytes.includes('idat')
}

const IMAGE = 0x2c
const EXTENSION = 0x21

/** Of an animation that is cut off browsers show the frames that are there: one is enough. */
const hasFrame = (bytes: Buffer): boolean => {
  let at = 13 + coloursBytes(bytes[10] ?? 0)
  while (bytes[at] === EXTENSION) at = behindParts(bytes, at + 2)
  if (bytes[at] !== IMAGE) return at < bytes.length
  return behindParts(bytes, at + 11 + coloursBytes(bytes[at + 9] ?? 0)) <= bytes.length
}

const coloursBytes = (flags: number): number => (flags & 0x80) === 0 ? 0 : 6 << (flags & 7)

/** Each with its length before it; the last one is empty. */
const behindParts = (bytes: Buffer, from: number): number => {
  let at = from
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

const WHOLE: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': isWholePng, 'image/jpeg': isWholeJpeg,
  'image/webp': isWholeWebp, 'image/avif': isWholeAvif, 'image/gif': hasFrame,
}
