// Files to record into: what is there is kept, whatever it is, and the new one gets a number.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openNewFile, recordingFault } from '../../../src/io/files/new-file.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-new-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const opened = async (name: string): Promise<string> => {
  const { file, path } = await openNewFile(join(folder, name))
  await file.close()
  return path.slice(folder.length + 1)
}

const there = (...names: readonly string[]): void => {
  for (const name of names) writeFileSync(join(folder, name), `this is ${name}`)
}

describe('a new file', () => {
  test.each([
    ['out.wav', [], 'out.wav'],
    ['out.wav', ['out.wav'], 'out.2.wav'],
    ['out.wav', ['out.wav', 'out.2.wav', 'out.4.wav'], 'out.3.wav'],
    ['night', ['night'], 'night-2'],
    ['night', ['night', 'night-2', 'night-2.1'], 'night-3'],
    ['.night', ['.night'], '.night-2'],
    // The first part is gone, the others are not: they must not become parts of another night.
    ['night.jsonl', ['night.jsonl.7'], 'night.2.jsonl'],
    ['night.jsonl', ['night.jsonl.bak', 'night.jsonl.bak2'], 'night.jsonl'],
  ])('%s beside %j becomes %s', async (asked, names, made) => {
    there(...names)
    expect(await opened(asked)).toBe(made)
    for (const name of names) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe(`this is ${name}`)
    }
  })

  test('many at the same moment are many files', async () => {
    const paths = await Promise.all(Array.from({ length: 12 }, () => opened('out.wav')))
    expect(new Set(paths).size).toBe(12)
    expect(readdirSync(folder).length).toBe(12)
  })

  test('a link that leads nowhere is kept, and not followed', async () => {
    symlinkSync(join(folder, 'elsewhere.wav'), join(folder, 'out.wav'))
    expect(await opened('out.wav')).toBe('out.2.wav')
    expect(readdirSync(folder).sort()).toEqual(['out.2.wav', 'out.wav'])
  })

  test('where no file can be made the reason is told', async () => {
    await expect(opened('gone/out.wav')).rejects.toThrow(/ENOENT/)
    await expect(opened('n'.repeat(300))).rejects.toThrow(/ENAMETOOLONG/)
  })
})

describe('what cannot be recorded into', () => {
  test('for want of a folder is told; none is made', async () => {
    there('file')
    const missing = /^there is no folder .*: make it, or name another$/
    expect(await recordingFault(join(folder, 'gone', 'out.wav'))).toMatch(missing)
    expect(await recordingFault(join(folder, 'file', 'out.wav'))).toMatch(missing)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  test('as it is no file is told by its kind; a file, or nothing, is fine', async () => {
    there('file')
    mkdirSync(join(folder, 'folder'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await recordingFault(join(folder, 'file'))).toBeNull()
    expect(await recordingFault(join(folder, 'nothing'))).toBeNull()
    const folderSays = /folder is a folder: name a file in it/
    expect(await recordingFault(join(folder, 'folder'))).toMatch(folderSays)
    expect(await recordingFault(join(folder, 'pipe'))).toMatch(/pipe is a named pipe: name a file/)
    expect(await recordingFault('/dev/null')).toMatch(/^\/dev\/null is a device: name a file/)
  })
})
