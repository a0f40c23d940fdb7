// How exactly ffmpeg seeks in a file: by its kind, for OGG by whether it is several in a row or of
// one page, and for WAV by what is in it.

/**
 * `exact`: to the sample. `coarse`: its time stamps are rounded, e.g. WebM's to milliseconds, so
 * that a decode is up to 8 ms off after a seek. `never`: a seek passes over the rest of the file,
 * or goes astray by seconds. `counted`: the same, and its time stamps are wrong from the first one
 * on, so that frames are counted, and it ends where its container says. `with-pictures`: exactly,
 * and where its time begins is known by its pictures, which may be earlier than its sound.
 * `one-side`: exactly, and its one channel is called left or right.
 */
export type Seeking = 'exact' | 'coarse' | 'never' | 'counted' | 'with-pictures' | 'one-side'

const WITH_PICTURES = new Set(['video/mp2t', 'video/mpeg', 'video/ogg'])

const COARSE = new Set([
  'video/webm', 'video/x-matroska', 'video/x-msvideo', 'video/x-flv', 'video/x-ms-asf',
])

/** The last page of any OGG begins in here: a page has 65 307 bytes at most. */
export const OGG_TAIL_BYTES = 65_536

const FLAGS = 5
const POSITION = 6
const SERIAL = 14
const HEADER_BYTES = 27
const BEGINS_STREAM = 2
const ENDS_STREAM = 4
const VORBIS = '\u0001vorbis'

/** `tail`: the last bytes of an OGG file; of another kind they are not looked at. */
export const seekingOf = (type: string, head: Buffer, tail: Buffer): Seeking => {
  if (COARSE.has(type)) return 'coarse'
  if (type.endsWith('/ogg') && isChained(head, tail)) return 'never'
  if (type === 'audio/ogg' && isVorbisOfOnePage(head, tail)) return 'counted'
  if (WITH_PICTURES.has(type)) return 'with-pictures'
  const format = waveFormat(head)
  if (format === null) return 'exact'
  if (!SOUGHT_CODERS.has(format.coder)) return 'never'
  return format.isOneSide ? 'one-side' : 'exact'
}

/**
 * What ffmpeg seeks in exactly in a WAV: PCM, floats, A-law, mu-law, GSM, MP3, AC-3. In ADPCM and
 * its kin it counts bytes as if they were samples: five seconds in is at less than two.
 */
const SOUGHT_CODERS = new Set([1, 3, 6, 7, 0x31, 0x55, 0x2000])
const EXTENSIBLE = 0xfffe
const ONE_SIDES = new Set([1, 2])

interface WaveFormat {
  /** The number of the coder. */
  readonly coder: number
  /** It has one channel, for the left or the right speaker alone. */
  readonly isOneSide: boolean
}

/** That of a WAV (RIFF, RF64) or a W64; null where it is neither. */
const waveFormat = (head: Buffer): WaveFormat | null => {
  const kind = head.toString('latin1', 0, 4)
  const isW64 = kind === 'riff'
  if (!isW64 && !(['RIFF', 'RF64'].includes(kind) && head.toString('latin1', 8, 12) === 'WAVE')) {
    return null
  }
  // The name of a chunk and its length: 4 and 4 bytes, of W64 16 and 8.
  const at = head.indexOf('fmt ') + (isW64 ? 24 : 8)
  const extended = at + 24
  if (!head.includes('fmt ') || extended + 2 > head.length) return null
  const coder = head.readUInt16LE(at)
  if (coder !== EXTENSIBLE) return { coder, isOneSide: false }
  const isOneSide = head.readUInt16LE(at + 2) === 1 && ONE_SIDES.has(head.readUInt32LE(at + 20))
  return { coder: head.readUInt16LE(extended), isOneSide }
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

/**
 * All of its sound is in one page, e.g. a sting of less than a second: ffmpeg begins it 3 to 12 ms
 * late, with silence, and is astray by as much at its end. Pages in front hold no sound.
 */
const isVorbisOfOnePage = (head: Buffer, tail: Buffer): boolean => {
  const [before, last] = pagesOf(tail).slice(-2)
  if (before === undefined || last === undefined || !head.includes(VORBIS)) return false
  const ends = (tail.readUInt8(last + FLAGS) & ENDS_STREAM) !== 0
  return ends && tail.readBigInt64LE(before + POSITION) <= 0n
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
