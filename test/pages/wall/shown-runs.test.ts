// Where more runs are on than Now playing has rows: which of them stay in sight.
import { expect, test } from 'vitest'
import { shownRuns } from '../../../src/pages/wall/shown-runs.js'
import { aRun } from './show-parts.js'

const SECOND = 48_000
const anchor = {
  at: 0, position: 0, moving: true, until: null, then: null,
} as const
/** The later it is started the longer it plays; a loop never ends. */
const run = (serial: number, more: object = {}) => aRun({
  serial, executionId: `run ${serial}`, range: { start: 0, end: serial * SECOND }, anchor, ...more,
})
const serials = (runs: readonly { readonly serial: number }[]) => runs.map(({ serial }) => serial)

test('all are, newest first, where they have room', () => {
  expect(serials(shownRuns([run(1), run(3), run(2)], 3))).toEqual([3, 2, 1])
})

test('the newest is, and those that end soonest', () => {
  const runs = [1, 2, 3, 4, 5, 6].map((serial) => run(serial))
  expect(serials(shownRuns(runs, 3))).toEqual([6, 2, 1])
})

test('what goes round, stands still or has no end yet gives way to what ends', () => {
  const runs = [
    run(1, { loops: true }), run(2, { anchor: { ...anchor, moving: false } }),
    run(3, { range: { start: 0, end: null }, duration: null }), run(4), run(5), run(6),
  ]
  expect(serials(shownRuns(runs, 3))).toEqual([6, 5, 4])
  expect(serials(shownRuns(runs, 4))).toEqual([6, 5, 4, 3])
})
