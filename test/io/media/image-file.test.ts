// What counts as an image: what browsers show, by its first bytes and not by its name.
import {
  mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { imageFault } from '../../../src/io/media/image-file.js'
import { lookAtFile } from '../../../src/io/media/look/file-look.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-image-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (head: string): string => {
  const path = join(folder, 'file.txt')
  writeFileSync(path, head.padEnd(2_000, ' '), 'latin1')
  return path
}

const NOT_SHOWN = 'which browsers do not show: save it as JPEG or PNG'

it.each([
  ['\x89PNG\r\n\x1a\n', 'image/png'], ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a', 'image/gif'], ['GIF89a', 'image/gif'], ['BM6', 'image/bmp'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'], ['\0\0\0\x1cftypavif', 'image/avif'],
  ['\0\0\0\x1cftypavis', 'image/avif'],
  ['\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'image/avif'],
  ['<svg xmlns="">', 'image/svg+xml'],
  ['<?xml version="1.0"?>\n<!-- a -->\n<svg>', 'image/svg+xml'],
])('%j is one, and is told as %s', async (head, type) => {
  const path = written(head)
  expect(await imageFault(path)).toBeNull()
  expect(await lookAtFile(path)).toMatchObject({ kind: 'file', type })
})

it.each([
  ['RIFF\x10\x00\x00\x00WAVEfmt ', 'audio/wav', 'is sound, not an image: make its kind audio'],
  ['fLaC', 'audio/flac', 'is sound, not an image: make its kind audio'],
  ['\0\0\0\x1cftypisom', 'video/mp4', 'is a video, not an image: make its kind video'],
  ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'video/mp4', `is HEIC, ${NOT_SHOWN}`],
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'video/mp4', `is HEIC, ${NOT_SHOWN}`],
  ['\0\0\0\x18ftypheis\0\0\0\0mif1heis', 'video/mp4', `is HEIC, ${NOT_SHOWN}`],
  ['\0\0\0\x18ftypcrx \0\0\0\x01crx isom', 'video/mp4', `is a raw photo, ${NOT_SHOWN}`],
  ['FUJIFILMCCD-RAW 0201', 'application/octet-stream', `is a raw photo, ${NOT_SHOWN}`],
  ['IIU\0\x18\0', 'application/octet-stream', `is a raw photo, ${NOT_SHOWN}`],
  ['IIRO\x08\0', 'application/octet-stream', `is a raw photo, ${NOT_SHOWN}`],
  ['II*\0\x08\0', 'application/octet-stream', `is TIFF, ${NOT_SHOWN}`],
  ['MM\0*\0\0', 'application/octet-stream', `is TIFF, ${NOT_SHOWN}`],
  ['8BPS\0\x01', 'application/octet-stream', `is Photoshop’s, ${NOT_SHOWN}`],
  ['\xff\x0a\xfa', 'application/octet-stream', `is JPEG XL, ${NOT_SHOWN}`],
  ['\0\0\0\x0cJXL \r\n', 'application/octet-stream', `is JPEG XL, ${NOT_SHOWN}`],
  ['\0\0\0\x0cjP  \r\n', 'application/octet-stream', `is JPEG 2000, ${NOT_SHOWN}`],
  ['%PDF-1.7', 'application/octet-stream', `is PDF, ${NOT_SHOWN}`],
  ['a GIF89a', 'application/octet-stream', 'is not an image'],
  ['<svgs>', 'application/octet-stream', 'is not an image'],
  ['', 'application/octet-stream', 'is not an image'],
])('%j is none, and is told as %s', async (head, type, fault) => {
  const path = written(head)
  expect(await imageFault(path)).toBe(fault)
  expect(await lookAtFile(path)).toMatchObject({ kind: 'file', type })
})

it('what is no file is missing, with a word that tells what it is', async () => {
  const path = written('fLaC')
  const kinds = [path, join(folder, 'none'), join(path, 'below'), folder]
  expect(await Promise.all(kinds.map(async (each) => {
    const look = await lookAtFile(each)
    return look.kind === 'file' ? 'file' : look.message
  }))).toEqual(['file', 'the file is missing', 'the file is missing', 'not a file'])
})

it('a file that was replaced is another one, though it is as long and as old', async () => {
  const path = written('fLaC one')
  const before = await lookAtFile(path)
  expect(await lookAtFile(path)).toEqual(before)
  const other = join(folder, 'other')
  writeFileSync(other, 'fLaC two'.padEnd(2_000, ' '))
  const { atime, mtime } = statSync(path)
  utimesSync(other, atime, mtime)
  utimesSync(path, atime, mtime)
  const old = await lookAtFile(path)
  renameSync(other, path)
  const after = await lookAtFile(path)
  expect([old, after].map((look) => look.kind)).toEqual(['file', 'file'])
  expect(after.kind === 'file' && old.kind === 'file' && after.stamp !== old.stamp).toBe(true)
})
