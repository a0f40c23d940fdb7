// Images that broke off half way, or lie in another file, as `cartwall check` tells of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { truncatedImageFault } from '../../../src/io/media/truncated-image.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-truncated-image-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const faultOf = (bytes: Buffer): Promise<string | null> => {
  const path = join(folder, 'picture')
  writeFileSync(path, bytes)
  return truncatedImageFault(path)
}

const CUT_OFF = 'is cut off: copy it, or save it, anew'
const big = (n: number): string => String.fromCharCode(0, 0, n >> 8, n & 0xff)
const little = (n: number): string => String.fromCharCode(n & 0xff, n >> 8, 0, 0)
const chunk = (name: string, body: string): string => `${big(body.length)}${name}${body}SUM.`
const box = (name: string, body: string): string => `${big(body.length + 8)}${name}${body}`
/** A JPEG within a JPEG: the preview that a camera puts in front. */
const preview = '\xff\xe1\0\x0aExif\xff\xd8\xff\xd9'
const svg = (root: string): string => `<?xml version="1.0"?>\n<svg ${root}><g>art</g></svg>\n`

const WHOLE: readonly (readonly [string, string])[] = [
  ['PNG', `\x89PNG\r\n\x1a\n${chunk('IHDR', 'x'.repeat(13))}${chunk('IDAT', 'y'.repeat(300))}`
    + chunk('IEND', '')],
  ['JPEG', `\xff\xd8${preview}\xff\xff\xdb\0\x04ab\xff\xda\0\x04cd${'z'.repeat(90)}\xff\xd9`],
  ['WebP', `RIFF${little(304)}WEBPVP8 ${little(292)}${'y'.repeat(292)}`],
  ['AVIF', `${box('ftyp', 'avif\0\0\0\0')}${box('meta', 'm'.repeat(40))}`
    + box('mdat', 'f'.repeat(20))],
  ['GIF', 'GIF89a\0\x09\0\x09\x80\0\0rgbRGB!\xf9\x04\0\x05\0\0\0!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0'
    + `,\0\0\0\0\x09\0\x09\0\x81${'c'.repeat(12)}\x02\x40${'z'.repeat(64)}\x03abc\0;`],
  ['SVG', svg('xmlns="http://www.w3.org/2000/svg"')],
]

it.each(WHOLE)('a whole %s has no fault', async (_, text) => {
  expect(await faultOf(Buffer.from(text, 'latin1'))).toBeNull()
  if (text.startsWith('<')) return
  expect(await faultOf(Buffer.from(`${text}what others put behind it`, 'latin1'))).toBeNull()
})

it.each(WHOLE)('a %s is told wherever it broke off', async (_, text) => {
  // Of the first bytes alone nobody knows what it was; the last one may be a line's end.
  for (let bytes = 60; bytes < text.length - 2; bytes += 1) {
    expect([bytes, await faultOf(Buffer.from(text.slice(0, bytes), 'latin1'))])
      .toEqual([bytes, CUT_OFF])
  }
})

it('an SVG as it is copied out of a web page names no namespace, and is not shown', async () => {
  expect(await faultOf(Buffer.from(svg('viewBox="0 0 9 9"'))))
    .toMatch(/^has no xmlns="http:\/\/www\.w3\.org\/2000\/svg" in its svg tag/)
  expect(await faultOf(Buffer.from('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>'))).toBeNull()
  // As Illustrator writes it.
  expect(await faultOf(Buffer.from(svg('xmlns="&ns_svg;"')))).toBeNull()
})

const drawing = (within: string): Buffer =>
  Buffer.from(svg('xmlns="http://www.w3.org/2000/svg"').replace('art', within))

it.each([
  ['<image width="9" xlink:href="photo.jpg" />', 'photo.jpg'],
  ['<svg:image\n  href=\'../fotos/m\u00fcller.png\'/>', '../fotos/m\u00fcller.png'],
  ['<image xlink:href="data:image/png;base64,AA=="/><image href="https://a.b/c.png"/>',
    'https://a.b/c.png'],
  ['<use xlink:href="#own"/><use href="icons.svg#star"></use>', 'icons.svg#star'],
  [`<image href="${'a'.repeat(90)}"/>`, 'a'.repeat(80)],
])('a drawing with %s does not have all of its picture within it', async (within, name) => {
  expect(await faultOf(drawing(within))).toBe(
    `draws ${name}, a file of its own, which browsers do not load for an image: embed it`)
})

it.each([
  '<image href="data:image/png;base64,iVBO\nRw0K" xlink:href="photo.jpg"/>',
  '<image sodipodi:absref="/home/a/photo.jpg" xlink:href=" data:image/jpeg;base64,AA"/>',
  '<use href="#a"/><a href="https://a.b"><g/></a><image/><images href="b.png"/>',
  '<!-- <image href="a.png"/> --><!-- <image href="b.png"/>',
])('a drawing with %s has', async (within) => {
  expect(await faultOf(drawing(within))).toBeNull()
})

it('what it has no rule for is left to the browser', async () => {
  for (const head of ['BM6', 'hello', '']) {
    expect(await faultOf(Buffer.from(head))).toBeNull()
  }
})

it('a drawing of a megabyte of tags that never end is told in no time', async () => {
  expect(await faultOf(Buffer.from('<!-- -->' + '<svg '.repeat(200_000)))).toBe(CUT_OFF)
  for (const piece of ['<image ', '<!-- ', '<image xlink:href="#a" ', '<use href=" ']) {
    expect(await faultOf(drawing(piece.repeat(100_000)))).toBeNull()
  }
}, 5_000)
