// Now playing has eight rows: who has them where pictures and lights are on, with sounds or alone.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveTimeline } from '../../../src/contract/live.js'
import { aRun } from '../../pages/wall/show-parts.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const image = { buttonId: 'poster', title: 'Poster', at: 0 }
const timelinesOf = (count: number): readonly LiveTimeline[] =>
  Array.from({ length: count }, (_, n) => ({
    dmxExecutionId: `d${n + 1}`, buttonId: `light ${n + 1}`, title: `Wash ${n + 1}`,
    sync: 'internal', at: 0, position: 0, moving: true, duration: 480_000, loop: true,
    lastDriftMs: null, worstDriftMs: null,
  }))
const runsOf = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    aRun({ executionId: `r${n}`, buttonId: `sound ${n}`, title: `Bed ${n}`, serial: n }))
const washes = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `Wash ${from + n}`)

const rowsOf = async (runs: number, lights: number) => {
  const wall = await VirtualWall.open(showOf([listOf('l1', [])]))
  await wall.tell({ runs: runsOf(runs), image, timelines: timelinesOf(lights) })
  const titles = wall.texts('.row-title')
  return { sounds: runs === 0 ? 0 : titles.filter((title) => title.startsWith('Bed')).length,
    others: titles.filter((title) => !title.startsWith('Bed')), more: wall.text('.now-more') }
}

test('of lights alone as many are told, and can be stopped, as there are rows', async () => {
  expect(await rowsOf(0, 7)).toEqual(
    { sounds: 0, others: ['Poster', ...washes(1, 7)], more: '' })
})

test('of more lights the newest are, beside the picture', async () => {
  expect(await rowsOf(0, 10)).toEqual(
    { sounds: 0, others: ['Poster', ...washes(4, 10)], more: '3 more' })
  expect(await rowsOf(2, 7)).toEqual(
    { sounds: 2, others: ['Poster', ...washes(3, 7)], more: '2 more' })
})

test('many sounds leave four rows to them', async () => {
  expect(await rowsOf(9, 5)).toEqual(
    { sounds: 4, others: ['Poster', ...washes(3, 5)], more: '7 more' })
})

test('a time has room for hours where it has some, and takes none of the title else', async () => {
  const wall = await VirtualWall.open(showOf([listOf('l1', [])]))
  const of = (n: number, minutes: number) => {
    const end = minutes * 60_000 * 48
    const anchor = { at: 0, position: 0, moving: false, until: end, then: null }
    const range = { start: 0, end }
    return aRun({ executionId: `r${n}`, buttonId: `b${n}`, serial: n, range, anchor })
  }
  await wall.tell({ runs: [of(2, 61), of(1, 59)] })
  const times = [...document.querySelectorAll('.row-time')]
  expect(times.map((time) => [time.textContent, time.hasAttribute('data-hours')])).toEqual([
    ['1:01:00', true], ['59:00', false],
  ])
})
