// Watching a show file: written, replaced, gone and back, its folder too; one call for each change.
import { realTimers } from '../../src/clock/real.js'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { showMark, watchShow, type Watching } from '../../src/io/show/show-watch.js'

/** Longer than the watch takes to settle, shorter than its regular look. */
const SETTLED_MS = 700

let folder = ''
let file = ''
let calls = 0
let watching: Watching

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-watch-'))
  mkdirSync(join(folder, 'show'))
  file = join(folder, 'show', 'show.json')
  writeFileSync(file, 'one')
  calls = 0
  watching = watchShow(file, await showMark(file), realTimers(), {
    changed: () => (calls += 1), gone: () => undefined,
  })
  await sleep(100)
})
afterEach(() => {
  watching.close()
  rmSync(folder, { recursive: true })
})

const callsAfter = async (act: () => void, waitMs: number): Promise<number> => {
  const before = calls
  act()
  await sleep(waitMs)
  return calls - before
}

it('tells a write, and a replacement by rename as editors do it, once each', async () => {
  expect(await callsAfter(() => writeFileSync(file, 'two'), SETTLED_MS)).toBe(1)
  const replace = (): void => {
    writeFileSync(`${file}.new`, 'two')
    renameSync(`${file}.new`, file)
  }
  expect(await callsAfter(replace, SETTLED_MS)).toBe(1)
  const burst = (): void => {
    for (let n = 0; n < 20; n += 1) writeFileSync(file, `burst ${String(n)}`)
  }
  expect(await callsAfter(burst, SETTLED_MS)).toBe(1)
})

it('says nothing of other files, of a file that is gone, or after close', async () => {
  expect(await callsAfter(() => writeFileSync(`${file}.bak`, 'x'), SETTLED_MS)).toBe(0)
  expect(await callsAfter(() => rmSync(file), SETTLED_MS)).toBe(0)
  expect(await callsAfter(() => writeFileSync(file, 'back'), SETTLED_MS)).toBe(1)
  watching.close()
  expect(await callsAfter(() => writeFileSync(file, 'unseen'), 2_500)).toBe(0)
})

it('goes on when the whole folder was taken away and made again', async () => {
  await callsAfter(() => rmSync(join(folder, 'show'), { recursive: true }), 2_500)
  const again = (): void => {
    mkdirSync(join(folder, 'show'))
    writeFileSync(file, 'again')
  }
  expect(await callsAfter(again, 2_500)).toBe(1)
  // The new folder is watched as the old one was: no need to wait for the regular look.
  expect(await callsAfter(() => writeFileSync(file, 'and again'), SETTLED_MS)).toBe(1)
})

const isRoot = process.geteuid?.() === 0
it.runIf(isRoot)('tells one that this user may not look at any more, and may again', async () => {
  // The folder above is its owner's alone.
  const nobody = (): void => process.seteuid?.(65_534)
  try {
    expect(await callsAfter(nobody, 2_500)).toBe(1)
    expect(await callsAfter(() => undefined, 4_000)).toBe(0)
  } finally {
    process.seteuid?.(0)
  }
  expect(await callsAfter(() => undefined, 2_500)).toBe(1)
})
