// Where a run is and how long it still has, from its anchor: starts, pauses, ends and wraps.
import { describe, expect, test } from 'vitest'
import {
  courseOf, fadeProgress, positionAt, progressAt, remainingMs, soonAt, timeText,
} from '../../../src/pages/wall/position.js'
import { aRun } from './show-parts.js'

const SECOND = 48_000
const anchor = {
  at: 1_000, position: 0, moving: true, until: 480_000, then: { kind: 'end' },
} as const

describe('a run that plays to its End', () => {
  const run = aRun({ anchor })

  test.each([
    [0, 0, 10_000],
    [1_000, 0, 10_000],
    [1_000 + SECOND, SECOND, 9_000],
    [1_000 + 10 * SECOND, 10 * SECOND, 0],
    [1_000 + 99 * SECOND, 10 * SECOND, 0],
  ])('at frame %i', (heard, position, remaining) => {
    expect(positionAt(run, heard)).toBe(position)
    expect(remainingMs(run, heard)).toBe(remaining)
  })

  test('counts to the configured End and from the Start, not in the source', () => {
    const inner = aRun({
      range: { start: 2 * SECOND, end: 6 * SECOND }, duration: 20 * SECOND,
      anchor: { ...anchor, position: 3 * SECOND, until: 6 * SECOND },
    })
    expect(remainingMs(inner, 1_000)).toBe(3_000)
    expect(progressAt(inner, 1_000)).toBe(0.25)
  })

  test('has no remaining time while no end is known', () => {
    const open = aRun({
      range: { start: 0, end: null },
      duration: null,
      anchor: { ...anchor, until: null, then: null },
    })
    expect(remainingMs(open, 50_000)).toBeNull()
    expect(positionAt(open, 1_000 + SECOND)).toBe(SECOND)
    expect(courseOf(open, 1_000)).toEqual({ from: 0, to: 0, ms: 0 })
  })
})

describe('what ends within half a minute is marked, within ten seconds the more', () => {
  const until = 60 * SECOND
  const run = (change: object) =>
    aRun({ range: { start: 0, end: until }, anchor: { ...anchor, at: 0, until }, ...change })

  test.each([[0, 'no'], [29, 'no'], [30, 'soon'], [49, 'soon'], [50, 'very'], [60, 'very']])(
    'after %i s', (seconds, mark) => expect(soonAt(run({}), seconds * SECOND)).toBe(mark))

  test('but not what goes round, stands still, or has no end yet', () => {
    const still = { ...anchor, at: 0, until, moving: false, position: 55 * SECOND }
    for (const change of [
      { loops: true }, { anchor: still }, { range: { start: 0, end: null }, duration: null },
    ]) expect(soonAt(run(change), 55 * SECOND)).toBe('no')
  })

  test('nor what fades out before its End, e.g. a loop, which never comes to it', () => {
    const fading = (over: number) => soonAt(run({
      state: 'fading_out',
      anchor: { ...anchor, at: 0, until: over * SECOND, then: { kind: 'end' } },
    }), 55 * SECOND)
    expect([fading(57), fading(60)]).toEqual(['no', 'very'])
  })
})

test('a paused run stays where it is', () => {
  const still = { ...anchor, position: 67 * SECOND, moving: false }
  const paused = aRun({ state: 'paused', anchor: still })
  expect(positionAt(paused, 9e9)).toBe(67 * SECOND)
})

test('a loop goes on over its seam, pass after pass, until the next anchor is told', () => {
  const loop = aRun({
    range: { start: SECOND, end: 5 * SECOND },
    anchor: {
      at: 0, position: SECOND, moving: true, until: 5 * SECOND,
      then: { kind: 'wrap', to: 2 * SECOND },
    },
  })
  expect(positionAt(loop, 4 * SECOND)).toBe(5 * SECOND)
  expect(positionAt(loop, 4.5 * SECOND)).toBe(2.5 * SECOND)
  expect(remainingMs(loop, 4.5 * SECOND)).toBe(2_500)
  expect(positionAt(loop, (4 + 3 * 5 + 1) * SECOND)).toBe(3 * SECOND)
})

describe('the course of a progress bar', () => {
  test('runs from here to the end in the time that is left', () => {
    expect(courseOf(aRun({ anchor }), 1_000 + 5 * SECOND)).toEqual({ from: 0.5, to: 1, ms: 5_000 })
  })

  test('stands still while paused and while the sound starves', () => {
    const still = { from: 0.5, to: 0.5, ms: 0 }
    const half = { ...anchor, position: 240_000 }
    expect(courseOf(aRun({ anchor: { ...half, moving: false } }), 0)).toEqual(still)
    expect(courseOf(aRun({ anchor: half, starving: true }), 0)).toEqual(still)
  })
})

test('a fade is over when it is over', () => {
  const run = aRun({ fade: { begin: 100, end: 300, from: 1, to: 0 } })
  expect([0, 100, 200, 400].map((heard) => fadeProgress(run, heard))).toEqual([0, 0, 0.5, 1])
  expect(fadeProgress(aRun({ fade: { begin: 100, end: 100, from: 1, to: 0 } }), 100)).toBe(1)
})

test.each([
  [0, true, '0.0'], [9_400, true, '9.4'], [9_440, true, '9.4'],
  [9_460, true, '9.5'], [9_949, true, '9.9'],
  [9_950, true, '0:10'],
  // Of so little more than a second nobody would see a second.
  [67_000, true, '1:07'], [67_000.5, true, '1:07'], [67_002, true, '1:08'],
  [66_100, true, '1:07'], [3_723_000, true, '1:02:03'],
  [67_999, false, '1:07'], [9_400, false, '0:09'],
])('%s ms (tenths %s) reads %s', (ms, withTenths, text) => {
  expect(timeText(ms, withTenths)).toBe(text)
})
