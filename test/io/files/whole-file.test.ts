// A file that is written whole: its folders are made, and where none can be it is told at once.
import {
  existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openNewFile } from '../../../src/io/files/new-file.js'
import { replaceWhole, writeWhole } from '../../../src/io/files/whole-file.js'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cartwall-whole-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const asItWas = (): Promise<boolean> => Promise.resolve(true)
const modeOf = (path: string): number => statSync(path).mode & 0o777

it('is there with the folders above it, and for its user alone', async () => {
  const path = join(folder, 'a/b/c.json')
  expect(await writeWhole(path, 'one')).toBe(true)
  expect(await writeWhole(path, 'two')).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect([modeOf(path), modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))])
    .toEqual([0o600, 0o700, 0o700])
})

it('is there also where others make the same folders at that moment', async () => {
  const paths = ['1', '2', '3', '4'].map((name) => join(folder, 'a/b/c', name))
  expect(await Promise.all(paths.map((path) => writeWhole(path, 'one'))))
    .toEqual([true, true, true, true])
})

// Daemons of two containers with one cache have one process number, 1.
it('is one of those that two write at one moment, and no draft is left', async () => {
  const path = join(folder, 'facts.json')
  const written = await Promise.all(['one', 'two'].map((text) => writeWhole(path, text)))
  expect(written).toEqual([true, true])
  expect(['one', 'two']).toContain(readFileSync(path, 'utf8'))
  expect(readdirSync(folder)).toEqual(['facts.json'])
})

it('has the mode of the file that it is to be like', async () => {
  const [path, own] = [join(folder, 'show.json'), statSync(folder)]
  for (const mode of [0o664, 0o604]) {
    const like = { uid: own.uid, gid: own.gid, mode }
    expect(await replaceWhole(path, 'one', like, asItWas)).toBeNull()
    expect([modeOf(path), readFileSync(path, 'utf8')]).toEqual([mode, 'one'])
  }
  expect(readdirSync(folder)).toEqual(['show.json'])
})

it.runIf(process.getuid?.() === 0)('has its owner too, where that may be given away', async () => {
  const path = join(folder, 'show.json')
  const like = { uid: 1_234, gid: 2_345, mode: 0o640 }
  expect(await replaceWhole(path, 'one', like, asItWas)).toBeNull()
  const { uid, gid } = statSync(path)
  expect([uid, gid, modeOf(path)]).toEqual([1_234, 2_345, 0o640])
})

it('is replaced by one of several at a time, and not where it was changed meanwhile', async () => {
  const [path, like] = [join(folder, 'show.json'), statSync(folder)]
  writeFileSync(path, 'none')
  // The first one is held up until the others were answered.
  const first = await replaceWhole(path, 'one', like, async () => {
    const others = ['two', 'three'].map((text) => replaceWhole(path, text, like, asItWas))
    expect(await Promise.all(others)).toEqual(['taken', 'taken'])
    return true
  })
  expect([first, readFileSync(path, 'utf8')]).toEqual([null, 'one'])
  const changed = replaceWhole(path, 'four', like, () => {
    writeFileSync(path, 'an editor’s')
    return Promise.resolve(false)
  })
  expect([await changed, readFileSync(path, 'utf8')]).toEqual(['changed', 'an editor’s'])
  mkdirSync(join(folder, 'there/already'), { recursive: true })
  expect(await replaceWhole(join(folder, 'there'), 'x', like, asItWas))
    .toEqual({ failure: 'EISDIR: illegal operation on a directory' })
  expect(await replaceWhole(join(folder, 'no/show'), 'x', like, asItWas))
    .toEqual({ failure: 'ENOENT: no such file or directory' })
  expect(readdirSync(folder).sort()).toEqual(['show.json', 'there'])
})

it('is not written below a file, and that is told', async () => {
  writeFileSync(join(folder, 'file'), '')
  expect(await writeWhole(join(folder, 'file/a/b.json'), 'one')).toBe(false)
})

it('leaves nothing of it behind where it cannot take its place', async () => {
  mkdirSync(join(folder, 'there/already'), { recursive: true })
  expect(await writeWhole(join(folder, 'there'), 'one')).toBe(false)
  expect(readdirSync(folder)).toEqual(['there'])
})

// There `mkdir` with `recursive` never ends.
it.skipIf(!existsSync('/proc/self'))('is not written where no folder can be made', async () => {
  expect(await writeWhole('/proc/nowhere/cartwall/a.json', 'one')).toBe(false)
})

it('a recording is not for everybody to read', async () => {
  const { file, path } = await openNewFile(join(folder, 'night.wav'))
  await file.close()
  expect(modeOf(path) & 0o007).toBe(0)
})
