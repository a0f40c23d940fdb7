// The waveforms that are kept on disk: bounded by what was used last, and nothing but ours goes.
import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WaveCache, waveKey } from '../../../src/io/waves/wave-cache.js'

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
  keep(`${names[0]!}.123.new`, 1, 1_000_000)
  await new WaveCache(folder).prune()
  expect(readdirSync(folder).sort()).toEqual([...names.slice(0, 4), 'notes.dat'].sort())
})
