// `npm run fuzz` with a seed that is none: nothing is played under a seed that nobody asked for.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const FUZZ = resolve(import.meta.dirname, '../../scripts/fuzz.mjs')

test.each([['abc'], ['--help'], ['7', '8'], ['']])('npm run fuzz -- %s is refused', (...words) => {
  // What is not refused would run for minutes.
  const options = { encoding: 'utf8', timeout: 5_000 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [FUZZ, ...words], options)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain('npm run fuzz -- SEED, a whole number')
}, 20_000)
