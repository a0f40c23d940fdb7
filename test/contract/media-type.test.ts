// What a medium is, by its first bytes: each kind that is known, and nothing for what is none.
import { expect, it } from 'vitest'
import { mediaType, SIGNATURE_BYTES } from '../../src/contract/media-type.js'

const PACKET = `\x47${'\0'.repeat(187)}`
const OGG = `OggS\0\x02${'\0'.repeat(22)}`
const EBML = '\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84'

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'], ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF\0'],
  ['image/jpeg', '\xff\xd8\xff\xe1\x2c\x10Exif\0'], ['image/gif', 'GIF87a\x10\0\x10\0'],
  ['image/gif', 'GIF89a\x10\0\x10\0'], ['image/bmp', 'BM\x36\0\0\0'],
  ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '], ['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
  ['audio/wav', 'RF64\xff\xff\xff\xffWAVEds64'], ['video/x-msvideo', 'RIFF\x24\0\0\0AVI LIST'],
  ['image/avif', '\0\0\0\x20ftypavif\0\0\0\0'], ['image/avif', '\0\0\0\x20ftypavis\0\0\0\0'],
  ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0'], ['video/quicktime', '\0\0\x1c\x20moov\0'],
  ['audio/mp4', '\0\0\0\x20ftypM4A \0\0\0\0'], ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0'],
  ['video/mp4', '\0\0\0\x1cftypmp42\0\0\0\0'], ['video/mp4', '\0\0\0\x1cftypM4V \0\0\0\0'],
  // What stands behind the brands is none of them.
  ['video/mp4', '\0\0\0\x18ftypisom\0\0\0\0isomavc1\0\0\0\x10freeavif'],
  ['audio/flac', 'fLaC\0\0\0\x22'], ['audio/mpeg', 'ID3\x04\0\0\0\0'],
  ['audio/mpeg', '\xff\xfb\x90\x64'], ['video/x-flv', 'FLV\x01\x05'],
  ['video/x-ms-asf', '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9'],
  ['video/mpeg', '\0\0\x01\xba\x44\0'], ['video/webm', `${EBML}webm`],
  ['video/x-matroska', `${EBML}matroska`], ['audio/ogg', `${OGG}OpusHead`],
  ['audio/ogg', `${OGG}\x01vorbis`],
  ['video/ogg', `${OGG}\x80theora`], ['video/mp2t', PACKET + PACKET],
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg">'],
  ['image/svg+xml', '<?xml version="1.0"?>\n<!-- made by hand -->\n<svg\nwidth="5">'],
  ['application/octet-stream', ''], ['application/octet-stream', '<html><script>'],
  // As drawing programs save them, with what they know of themselves in front.
  ['image/svg+xml', `<?xml version="1.0"?>\n<!-- ${'c'.repeat(1500)} -->\n<svg>`],
  ['image/svg+xml', `\xef\xbb\xbf<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [\n${
    '<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n'.repeat(40)}]>\n<svg >`],
  ['image/svg+xml', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">'],
  // A page that holds a drawing is none.
  ['application/octet-stream', '<!DOCTYPE html><html><body><svg >'],
  ['application/octet-stream', '<!---->'.repeat(500)],
  ['application/octet-stream', '<svgish>'], ['application/octet-stream', PACKET],
  ['application/octet-stream', 'xGIF89a'], ['application/octet-stream', 'RIFF\x24\0\0\0ACON'],
  ['application/octet-stream', 'AVI \0\0\0\0'], ['application/octet-stream', 'ftypisom'],
])('%s is %j', (type, head) => {
  expect(mediaType(Buffer.from(head, 'latin1').subarray(0, SIGNATURE_BYTES))).toBe(type)
})
