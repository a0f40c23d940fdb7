// What a look calls the same file, on disks that number their files and on those that do not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { lookAtFile, type Look, type SystemFacts } from '../../../src/io/media/look/file-look.js'
import { QuickLook } from '../../../src/io/media/look/quick-look.js'
import { ProbeCache } from '../../../src/io/media/probe-cache.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-look-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'bed.wav')
writeFileSync(path, 'RIFFabcdWAVE')

const FACTS = {
  duration: 48_000, isEstimate: false, hasAudio: true, hasVideo: false, channels: 2,
  soundEnd: null, container: 'wav', video: null, audio: null,
} as never

/** A disk of this kind, whose files have numbers that are higher by so many. */
const diskOf = (type: number, renumbered: number): SystemFacts => ({
  stat: async (file) => {
    const facts = await stat(file)
    return Object.assign(facts, { ino: facts.ino + renumbered })
  },
  statfs: async () => ({ type }),
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
