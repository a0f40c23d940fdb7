// Bars and times of runs: where they are, where they go, and that they stand without a daemon.
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { writeLevels } from '../../../src/contract/live-frames.js'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const SECOND = 48_000
const RUN = '00000000-0000-4000-8000-000000000001'
const BUTTONS = ['Warm', 'Cool'].map((title, n) => aButton({ id: `b${n + 1}`, title }))

const opened = () => VirtualWall.open(showOf([listOf('l1', BUTTONS)]))

/** One of ten seconds, at `position` from this moment on. */
const moving = (wall: VirtualWall, position: number, more: Partial<LiveRun> = {}): LiveRun => aRun({
  executionId: RUN, range: { start: 0, end: 10 * SECOND }, duration: 60 * SECOND,
  anchor: {
    at: wall.daemon.frame, position: position * SECOND, moving: true, until: 10 * SECOND,
    then: { kind: 'end' },
  },
  ...more,
})

/** The bars that move: where from and to, in percent, and for how long. */
const bars = (wall: VirtualWall): readonly string[] => wall.moved
  .filter(({ element, isOver }) => !isOver && element.matches('.row-progress, .wave-progress'))
  .map(({ from, to, ms }) => {
    const [a, b] = [from, to].map((at) => Math.round(Number(/-?[\d.]+/.exec(at)?.[0]) + 100))
    return `${a}-${b} in ${Math.round(ms / 100) / 10} s`
  })

describe('a time', () => {
  test('is there as soon as its button and its row say that it plays', async () => {
    const wall = await opened()
    wall.daemon.tell({ runs: [moving(wall, 4)] })
    const seen = new Set<string>()
    for (let ms = 0; ms < 60; ms += 1) {
      await pass(1)
      const times = document.querySelectorAll('.is-playing :is(.cell-time, .row-time)')
      for (const { textContent } of times) seen.add(textContent)
    }
    expect([...seen]).toEqual(['6.0', '5.9'])
  })
})

describe('a bar', () => {
  test('goes from where the run is to its End, and stands while that is paused', async () => {
    const wall = await opened()
    await wall.tell({ runs: [moving(wall, 4)] })
    expect(bars(wall)).toEqual(['40-100 in 6 s', '40-100 in 6 s'])
    const { anchor } = moving(wall, 5)
    const paused = { ...anchor, moving: false, until: null, then: null }
    await wall.tell({ runs: [moving(wall, 5, { state: 'paused', anchor: paused })] })
    expect(bars(wall)).toEqual([])
    expect(wall.find('.row-progress').style.transform).toBe('translateX(-50%)')
    await wall.tell({ runs: [moving(wall, 5)] })
    expect(bars(wall)).toEqual(['50-100 in 5 s', '50-100 in 5 s'])
  })

  test('goes to where its run will wrap, pause or be crossed', async () => {
    const wall = await opened()
    const { anchor } = moving(wall, 4)
    const until = 8 * SECOND
    await wall.tell({ runs: [moving(wall, 4, { anchor: { ...anchor, until } })] })
    expect(bars(wall)).toEqual(['40-80 in 4 s', '40-80 in 4 s'])
  })

  test('of a fade shrinks', async () => {
    const wall = await opened()
    const { frame } = wall.daemon
    const fade = { begin: frame, end: frame + 4 * SECOND, from: 1, to: 0 }
    await wall.tell({ runs: [moving(wall, 1, { state: 'fading_out', fade })] })
    const share = () => Number(/[\d.]+/.exec(wall.find('.fade-bar').style.transform)?.[0])
    await pass(1_000)
    expect(share()).toBeCloseTo(0.75, 1)
    await pass(2_000)
    expect(share()).toBeCloseTo(0.25, 1)
  })
})

describe('without a daemon', () => {
  test('times, bars and meters stand, and all is right once it is back', async () => {
    const wall = await opened()
    await wall.tell({ runs: [moving(wall, 1)] })
    const loud = { left: 1, right: 0.5 }
    wall.daemon.levels(writeLevels({
      frame: 0, master: loud, runs: [{ executionId: RUN, ...loud }],
    }))
    const meters = () => [...document.querySelectorAll<HTMLElement>('.meter-bar')]
      .map(({ style }) => Math.round(Number(/ ([\d.]+)%/.exec(style.clipPath)?.[1])))
    const loss = Math.round((100 * 20 * Math.log10(2)) / 48)
    expect(meters()).toEqual([0, loss, 0, loss])
    expect(wall.text('.row-time')).toMatch(/^\d\.\d$/)
    const soon = () => wall.find('.row-time').dataset['soon']
    expect(soon()).toBe('very')
    wall.daemon.die()
    await pass(100)
    expect(soon()).toBe('no')
    expect(meters()).toEqual([100, 100, 100, 100])
    expect(wall.texts('.row-time, .is-playing .cell-time')).toEqual(['––:––', '––:––'])
    expect(bars(wall)).toEqual([])
    wall.daemon.isThere = true
    await pass(1_500)
    expect(wall.text('.row-time')).toMatch(/^\d\.\d$/)
    expect(bars(wall)).toHaveLength(2)
  })

  test('the bar of a fade stands too', async () => {
    const wall = await opened()
    const { frame } = wall.daemon
    const fade = { begin: frame, end: frame + 40 * SECOND, from: 1, to: 0 }
    await wall.tell({ runs: [moving(wall, 1, { state: 'fading_out', fade })] })
    wall.daemon.die()
    await pass(100)
    const before = wall.find('.fade-bar').style.transform
    await pass(5_000)
    expect(wall.find('.fade-bar').style.transform).toBe(before)
  })
})

test('a machine that slept with its connection has the right time a moment after', async () => {
  const wall = await opened()
  await wall.tell({ runs: [moving(wall, 0)] })
  await pass(1_000)
  expect(wall.text('.row-time')).toMatch(/^8\.[89]|9\.0$/)
  // Its clock stood still, the daemon's did not.
  wall.daemon.sleptMs = 5_000
  await pass(1_300)
  expect(Number(wall.text('.row-time'))).toBeCloseTo(2.6, 0)
  expect(bars(wall)[0]).toMatch(/^[67]\d-100 in [23]\.\d s$/)
})

test('a loop that comes round is no news to a screen reader', async () => {
  const wall = await opened()
  const said = (): string => wall.text('.wall > [aria-live="polite"]')
  const [one, other] = ['e1', 'e2'].map((executionId) =>
    moving(wall, 0, { executionId, title: executionId, loops: true })) as [LiveRun, LiveRun]
  await wall.tell({ runs: [one, other] })
  await pass(5_000)
  const before = said()
  for (const run of [one, other, one]) {
    await wall.tell({ runs: [{ ...run, anchor: { ...run.anchor, at: wall.daemon.frame } }] })
    await pass(2_000)
    expect(said()).toBe(before)
  }
  await wall.tell({ runs: [{ ...one, state: 'fading_out' }] })
  expect(said()).toBe('e1 fades out')
})
