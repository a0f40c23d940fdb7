// The start of the simulation: what is compiled, from which place, and what stands in its way.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync,
  utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cartwall-sim-start-'))
const tree = join(folder, 'tree')

const start = (path: string) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath, [path, 'year', '--days', '0'], { cwd: folder, encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

/** A checkout of its own, as far as the simulation needs it. */
beforeAll(() => {
  mkdirSync(tree)
  for (const name of ['src', 'sim', 'package.json']) {
    cpSync(join(ROOT, name), join(tree, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('sim/start.mjs', () => {
  test('says what to do where nothing can be compiled', () => {
    // A file where the folder would be is in the way of every account, root too.
    writeFileSync(join(tree, '.cache'), '')
    const { status, stdout, stderr } = start(join(tree, 'sim/start.mjs'))
    rmSync(join(tree, '.cache'))
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^what changed cannot be compiled into .+: .+\nstart it once where /)
  }, 60_000)

  test('runs through a link as well', () => {
    symlinkSync(tree, join(folder, 'link'))
    const { status, stdout } = start(join(folder, 'link/sim/start.mjs'))
    expect([status, stdout]).toEqual([0, expect.stringContaining('as it should be')])
  }, 60_000)

  test('runs what is there, also where an earlier copy was moved back', () => {
    const file = join(tree, 'sim/play/year.ts')
    copyFileSync(file, `${file}.kept`)
    utimesSync(`${file}.kept`, 1_700_000_000, 1_700_000_000)
    writeFileSync(file, readFileSync(file, 'utf8').replace('as it should be', 'edited'))
    expect(start(join(tree, 'sim/start.mjs')).stdout).toContain('edited')
    renameSync(`${file}.kept`, file)
    expect(start(join(tree, 'sim/start.mjs')).stdout).toContain('as it should be')
  }, 60_000)
})
