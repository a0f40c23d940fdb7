// Images that broke off half way, as `cartwall check` tells of them.
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

it('what it has no rule for is left to the browser', async () => {
  for (const head of ['BM6', 'hello', '']) {
    expect(await faultOf(Buffer.from(head))).toBeNull()
  }
})
