// What a look calls the same file, on disks that number their files and on those that do not.
import {
  mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { lookAtFile, type Look, type SystemFacts } from '../../../src/io/media/look/file-look.js'
import { QuickLook } from '../../../src/io/media/look/quick-look.js'
import { ProbeCache } from '../../../src/io/media/probe/probe-cache.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-look-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'bed.wav')
writeFileSync(path, 'RIFFabcdWAVE')

const FACTS = {
  duration: 48_000, isEstimate: false, soundEnd: null, picturesEnd: null,
  isInterlaced: false, container: 'wav', video: null, audio: null,
} as never

/** A disk of this kind, whose files have numbers that are higher by so many. */
const diskOf = (type: number, renumbered: number): SystemFacts => ({
  stat: async (file) => {
    const facts = await stat(file)
    return Object.assign(facts, { ino: facts.ino + renumbered })
  },
  statfs: async () => ({ type }),
  realpath,
})

const seen = async (system: SystemFacts) => {
  const look = await lookAtFile(path, system)
  if (look.kind !== 'file') throw new Error('it is there')
  return look
}

describe.each([
  ['FAT', 0x4d44, true], ['exFAT', 0x2011bab0, true], ['FUSE', 0x65735546, true],
  ['ext4', 0xef53, false],
])('a disk of %s whose files have other numbers', (_name, type, isSame) => {
  const [before, after] = [diskOf(type, 0), diskOf(type, 1)]

  it(`has ${isSame ? 'the same files: it was out and is back' : 'other ones'}`, async () => {
    const cache = await ProbeCache.open(null)
    cache.set(path, (await seen(before)).stamp, FACTS)
    expect(cache.get(path, (await seen(after)).stamp) !== null).toBe(isSame)
  })

  it('is asked at a start whether it is the same file, where it is of this machine', async () => {
    const ask = (system: SystemFacts, look: Look) => {
      const kernel = { now: () => undefined, soon: (file: string) => system.stat(file) }
      const longAgo = { look, atMs: -Infinity }
      return new QuickLook(new VirtualTimers(0), kernel).isSame(path, longAgo)
    }
    const look = await seen(before)
    const isOwn = type !== 0x65735546
    expect(await ask(before, look)).toBe(isOwn ? true : null)
    expect(await ask(after, look)).toBe(isOwn ? isSame : null)
    const longer = { ...look, stamp: look.stamp.replace(/^\d+/, '1') }
    expect(await ask(before, longer)).toBe(isOwn ? false : null)
  })
})

describe('the way to a file of this machine', () => {
  const [ext4, fuse] = [0xef53, 0x65735546]
  /** A share is mounted at this folder; what is below it may be of this machine again. */
  const isDirect = async (file: string, share: string | null = null): Promise<boolean | null> => {
    const look = await lookAtFile(file, {
      stat, realpath, statfs: async (at) => ({ type: at === share ? fuse : ext4 }),
    })
    return look.kind === 'file' ? look.own?.isDirect ?? null : null
  }

  it('is direct where neither a link nor a share is on it', async () => {
    const root = realpathSync(folder)
    const deep = join(root, 'show', 'media')
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(deep, 'bed.wav'), 'RIFFabcdWAVE')
    symlinkSync(deep, join(root, 'linked'))
    symlinkSync(join(deep, 'bed.wav'), join(root, 'link.wav'))
    const file = join(deep, 'bed.wav')
    expect(await isDirect(file)).toBe(true)
    expect(await isDirect(join(root, 'linked', 'bed.wav'))).toBe(false)
    expect(await isDirect(join(root, 'link.wav'))).toBe(false)
    for (const share of [deep, join(root, 'show'), '/']) {
      expect(await isDirect(file, share)).toBe(false)
    }
    expect(await isDirect(file, file)).toBeNull()
  })
})
