// What becomes of a press whose button is not on the page: by its hotkey, or by a menu of its run.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const media = {
  missing: 'does not exist: 19.wav', version: null, type: 'audio/wav', notShown: null, video: null,
  audio: null,
}
const BUTTONS = Array.from({ length: 20 }, (_, n) => aButton({
  id: `b${n}`, title: `Bed ${n}`, ...(n === 19 ? { hotkey: 'F8', media } : {}),
}))
const opened = () => VirtualWall.open(showOf([listOf('l1', BUTTONS)]))

test('is told over the grid, until its page is opened, and six seconds at most', async () => {
  const wall = await opened()
  await wall.key('F8')
  expect(wall.text('.banners')).toBe('Bed 19: does not exist: 19.wav')
  wall.model.places.find('b19')
  await pass(60)
  expect([wall.text('.banners'), wall.texts('.cell-message')]).toEqual(
    ['', ['does not exist: 19.wav']])
  wall.model.places.openPage(0)
  await pass(60)
  expect(wall.text('.banners')).not.toBe('')
  await pass(6_000)
  expect(wall.text('.banners')).toBe('')
})

test('stands for six seconds from the last press on, whatever else ends meanwhile', async () => {
  const [first, last] = ['F8', 'F9'].map((hotkey, n) =>
    aButton({ id: `b${30 + n}`, title: `Bed ${30 + n}`, hotkey, media }))
  const buttons = [...BUTTONS.slice(0, 19), first!, last!]
  const wall = await VirtualWall.open(showOf([listOf('l1', buttons)]))
  await wall.key('F8')
  await pass(4_000)
  await wall.key('F8')
  await pass(4_000)
  expect(wall.text('.banners')).toMatch(/^Bed 30:/)
  await wall.key('F9')
  await pass(4_000)
  expect(wall.text('.banners')).toMatch(/^Bed 31:/)
})

test('is told in the row of its run alone, where it has one', async () => {
  const wall = await opened()
  await wall.tell({ runs: [aRun({ buttonId: 'b18', title: 'Bed 18' })] })
  wall.daemon.answers = [{ status: 409, body: { error: 'app_gone', message: 'it is not so' } }]
  await wall.click(wall.named('Pause Bed 18'))
  expect([wall.text('.banners'), wall.texts('.row-words')]).toEqual(['', ['it is not so']])
})

test('is told over the grid where its run has no row, since other runs have them all', async () => {
  const wall = await opened()
  const others = Array.from({ length: 9 }, (_, n) =>
    aRun({ executionId: `r${n}`, buttonId: `other ${n}`, serial: n + 2 }))
  const paused = aRun({ executionId: 'bed', buttonId: 'b19', title: 'Bed 19', state: 'paused' })
  const still = { ...paused, serial: 1, anchor: { ...paused.anchor, moving: false } }
  await wall.tell({ runs: [still, ...others] })
  expect(wall.texts('.row-title')).not.toContain('Bed 19')
  wall.daemon.answers = [{ status: 503, body: { error: 'x', message: 'no sound output' } }]
  await wall.key('F8')
  expect(wall.text('.banners')).toBe('Bed 19: no sound output')
})

test('names a button that has no title', async () => {
  const wall = await VirtualWall.open(showOf([listOf('l1', BUTTONS.map((button) =>
    ({ ...button, title: button.id === 'b19' ? ' ' : button.title })))]))
  await wall.key('F8')
  expect(wall.text('.banners')).toBe('button without a title: does not exist: 19.wav')
})

test('a run whose button left the show is stopped by the menu of its row', async () => {
  const wall = await opened()
  await wall.tell({ runs: [aRun({ buttonId: 'gone', title: 'Old bed' })] })
  await wall.click(wall.named('Menu of the run of Old bed'))
  await wall.click(wall.named('Cut'))
  expect(wall.daemon.posts).toEqual([
    { path: '/buttons/gone/stop', body: { executionId: 'e1', fadeOutMs: 0 } },
  ])
})

test('without a connection the banner of that says enough', async () => {
  const wall = await opened()
  wall.daemon.die()
  await pass(100)
  await wall.key('F8')
  expect(wall.text('.banners')).toMatch(/^No connection.*out of date\.$/)
  // A screen reader says it at once, whatever it is in the middle of.
  expect(wall.find('.banners').getAttribute('aria-live')).toBe('assertive')
})
