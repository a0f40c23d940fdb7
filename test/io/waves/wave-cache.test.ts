// The waveforms that are kept on disk: bounded by what was used last, and nothing but ours goes.
import {
  mkdtempSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WaveCache, waveKey } from '../../../src/io/waves/wave-cache.js'
import { PeakFold } from '../../../src/io/waves/wave-peaks.js'

const MB = 1_024 * 1_024

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-waves-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Holes on the disk: a size, and no bytes. Used at that second. */
const keep = (name: string, megabytes: number, usedAt: number): void => {
  const file = join(folder, name)
  writeFileSync(file, '')
  truncateSync(file, megabytes * MB)
  utimesSync(file, usedAt, usedAt)
}

it('what was used longest ago goes where they are too much', async () => {
  const names = Array.from({ length: 6 }, (_, n) => `${waveKey(`/${n}.flac`, 'stamp')}.dat`)
  // The first was used last.
  for (const [n, name] of names.entries()) keep(name, 120, 1_000_000 - n)
  keep('notes.dat', 400, 1)
  keep(`${names[0]!}.123.new`, 1, 996_000)
  await new WaveCache(folder).prune(1_000_000_000)
  expect(readdirSync(folder).sort()).toEqual([...names.slice(0, 4), 'notes.dat'].sort())
})

it('a draft that another daemon writes at this moment stays, one that was left goes', async () => {
  const file = `${waveKey('/bed.flac', 's')}.dat`
  const [written, left] = [`${file}.1.new`, `${file}.2.new`]
  keep(written, 1, 999_999)
  keep(left, 1, 996_000)
  await new WaveCache(folder).prune(1_000_000_000)
  expect(readdirSync(folder)).toEqual([written])
})

it('and the same goes for their number: five thousand stay', async () => {
  const names = Array.from({ length: 5_003 }, (_, n) => `${waveKey(`/${n}.flac`, 'stamp')}.dat`)
  for (const [n, name] of names.entries()) keep(name, 0, 1_000_000 - n)
  await new WaveCache(folder).prune(1_000_000_000)
  expect(readdirSync(folder).sort()).toEqual(names.slice(0, 5_000).sort())
})

it('one that is of use is noted once a day, at its time', async () => {
  const [cache, day, now] = [new WaveCache(folder), 86_400, 1_700_000_000]
  const usedAfter = async (usedAt: number): Promise<number> => {
    const key = waveKey('/bed.flac', `${usedAt}`)
    keep(`${key}.dat`, 0, usedAt)
    await cache.touch(key, now * 1_000)
    return statSync(join(folder, `${key}.dat`)).mtimeMs / 1_000
  }
  const used = [now - 10 * day, now - day - 1, now - day + 1, now - 1]
  expect(await Promise.all(used.map(usedAfter))).toEqual([now, now, used[2], used[3]])
  // Where it is gone it is made again.
  await cache.touch(waveKey('/gone.flac', ''), now * 1_000)
})

it('what was kept is read again, and nothing where it is damaged or another', async () => {
  const fold = new PeakFold(10)
  fold.add(new Float32Array(512).fill(1))
  const dat = fold.end() ?? Buffer.alloc(0)
  const [cache, key] = [new WaveCache(join(folder, 'new')), waveKey('/bed.flac', 'one')]
  expect(await cache.read(key)).toBeNull()
  expect(await cache.write(key, dat)).toBe(true)
  expect(await cache.read(key)).toEqual(dat)
  expect(await cache.read(waveKey('/bed.flac', 'two'))).toBeNull()
  truncateSync(join(folder, 'new', `${key}.dat`), dat.length - 1)
  expect(await cache.read(key)).toBeNull()
})
