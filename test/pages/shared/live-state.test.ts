// What a page knows of the daemon: what it was told first, and what each change puts in its place.
import { expect, test } from 'vitest'
import type { LiveParts, LiveState } from '../../../src/contract/live.js'
import { applyChange, knownFrom } from '../../../src/pages/shared/live-state.js'
import { image, run } from '../stage/live-runs.js'
import { SILENT } from '../wall/show-parts.js'

const parts: LiveParts = { ...SILENT, runs: [run('bed', {})], image: image('slide', 1) }
const state: LiveState = { ...parts, kind: 'state', n: 4, at: 1, missed: null }
const known = knownFrom(state)

/** Another value for each part but the runs; null where a part may be nothing. */
const OTHER: Omit<LiveParts, 'runs'> = {
  image: null, timelines: [], output: { ...SILENT.output, underruns: 7 },
  lights: { state: 'failing', message: 'no route' }, service: 'shutting_down',
  stages: [{ id: 'a', gone: true, report: null }], show: '"b"', waves: '"w"', armed: 'AQ==',
}
const NAMES = Object.keys(OTHER) as (keyof typeof OTHER)[]

test('of the first message all parts are known, and its number', () => {
  expect(known).toEqual({ ...parts, n: 4 })
})

test.each(NAMES)('a change that names %s replaces it, and leaves all else as it was', (name) => {
  const change = { kind: 'change', n: 5, at: 2, events: [], runs: [], [name]: OTHER[name] } as const
  expect(applyChange(known, change)).toEqual({ ...parts, [name]: OTHER[name], n: 5 })
})

test.each(['image', 'show', 'waves', 'armed'] as const)('a change may take %s away', (name) => {
  const full = { ...known, ...OTHER, image: image('slide', 1) }
  const change = { kind: 'change', n: 5, at: 2, events: [], runs: [], [name]: null } as const
  expect(applyChange(full, change)?.[name]).toBeNull()
})

test('a run that changed keeps its place, a new one comes last, one that is over leaves', () => {
  const first = applyChange(known, {
    kind: 'change', n: 5, at: 2, events: [],
    runs: [run('sting', {}), run('bed', { state: 'paused' })],
  })
  expect(first?.runs.map((one) => `${one.title} ${one.state}`))
    .toEqual(['bed paused', 'sting playing'])
  const over = run('bed', { state: 'stopped', endReason: 'explicit_stop' })
  const last = { kind: 'change', n: 6, at: 3, events: [], runs: [over] } as const
  const then = first && applyChange(first, last)
  expect(then?.runs.map(({ title }) => title)).toEqual(['sting'])
})

test('where a number is missing nothing is put to what is known', () => {
  expect(applyChange(known, { kind: 'change', n: 6, at: 2, events: [], runs: [] })).toBeNull()
})
