// How exactly ffmpeg seeks in a file: by its kind, and for OGG by whether it is several in a row.

/**
 * `exact`: to the sample. `coarse`: its time stamps are rounded, e.g. WebM's to milliseconds, so
 * that a decode is up to 8 ms off after a seek. `never`: a seek passes over the rest of the file.
 */
export type Seeking = 'exact' | 'coarse' | 'never'

const COARSE = new Set(['video/webm', 'video/x-matroska', 'video/x-msvideo', 'video/x-flv'])

/** The last page of any OGG begins in here: a page has 65 307 bytes at most. */
export const OGG_TAIL_BYTES = 65_536

const FLAGS = 5
const SERIAL = 14
const HEADER_BYTES = 27
const BEGINS_STREAM = 2

/** `tail`: the last bytes of an OGG file; of another kind they are not looked at. */
export const seekingOf = (type: string, head: Buffer, tail: Buffer): Seeking => {
  if (COARSE.has(type)) return 'coarse'
  return type.endsWith('/ogg') && isChained(head, tail) ? 'never' : 'exact'
}

/** A chain, e.g. a recorded radio stream: its last page is of no stream that begins the file. */
const isChained = (head: Buffer, tail: Buffer): boolean => {
  const begun = new Set(
    pagesOf(head).filter((at) => (head.readUInt8(at + FLAGS) & BEGINS_STREAM) !== 0)
      .map((at) => head.readUInt32LE(at + SERIAL)),
  )
  const last = pagesOf(tail).at(-1)
  return begun.size > 0 && last !== undefined && !begun.has(tail.readUInt32LE(last + SERIAL))
}

/** Where pages of the format's only version begin. */
const pagesOf = (bytes: Buffer): number[] => {
  const found: number[] = []
  let at = bytes.indexOf('OggS')
  while (at >= 0 && at + HEADER_BYTES <= bytes.length) {
    if (bytes.readUInt8(at + 4) === 0) found.push(at)
    at = bytes.indexOf('OggS', at + 4)
  }
  return found
}
