// The content type of a media file by its first bytes: what it is, not what its name says.

/** As many bytes are looked at: drawing programs put much of their own in front of an SVG. */
export const SIGNATURE_BYTES = 4096
/** Of these each other kind is told. */
const HEAD_BYTES = 1024

/** What each kind begins with, and where; the first that fits. */
const SIGNATURES: readonly (readonly [at: number, bytes: string, type: string])[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [0, 'BM', 'image/bmp'],
  [8, 'WEBP', 'image/webp'],
  [8, 'WAVE', 'audio/wav'],
  [8, 'AVI ', 'video/x-msvideo'],
  [4, 'ftypqt', 'video/quicktime'],
  [4, 'ftypM4A', 'audio/mp4'],
  [4, 'ftyp', 'video/mp4'],
  [4, 'moov', 'video/quicktime'],
  [0, 'fLaC', 'audio/flac'],
  [0, 'ID3', 'audio/mpeg'],
  [0, '\xff\xfb', 'audio/mpeg'],
  [0, 'FLV', 'video/x-flv'],
  [0, '\x00\x00\x01\xba', 'video/mpeg'],
  [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video/x-ms-asf'],
]

/** Where nothing is recognised, a browser must not guess: with `nosniff` it shows nothing. */
const UNKNOWN = 'application/octet-stream'

export const mediaType = (head: Buffer): string => {
  const text = head.toString('latin1', 0, HEAD_BYTES)
  if (hasAvif(head, text)) return 'image/avif'
  const known = SIGNATURES.find(([at, bytes]) => text.startsWith(bytes, at))
  if (known !== undefined) return known[2]
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'video/webm' : MATROSKA
  if (text.startsWith('OggS')) return /theora|VP80/.test(text) ? 'video/ogg' : 'audio/ogg'
  if (head[0] === 0x47 && head[188] === 0x47) return 'video/mp2t'
  return SVG.test(head.toString('latin1')) ? 'image/svg+xml' : UNKNOWN
}

const MATROSKA = 'video/x-matroska'

/** Some programs write AVIF as one of several brands of a picture. */
const hasAvif = (head: Buffer, text: string): boolean =>
  text.startsWith('ftyp', 4) &&
  /^(?:.{4})*avi[fs]/s.test(text.slice(8, Math.min(head.length, head.readUInt32BE(0))))

/** Its first element, behind declarations, comments and a type of document; no page with an SVG. */
const PROLOG = [
  /\s/, /<\?(?:(?!\?>)[^])*\?>/, /<!--(?:(?!-->)[^])*-->/, /<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/,
].map(({ source }) => source).join('|')
const SVG = new RegExp(`^(?:\\xef\\xbb\\xbf)?(?:${PROLOG})*<(?:[\\w-]+:)?svg[\\s>]`, 'i')
