// Which gestures on PANIC are a panic, and what lies beneath the sign of one that was not sent.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const opened = () => VirtualWall.open(showOf([listOf('l1', [aButton({})])]))

test('a click without a pointer, as of Enter or a screen reader, is a panic too', async () => {
  const wall = await opened()
  await wall.press(wall.named('Panic'))
  await pass(1_000)
  wall.named('Panic').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }))
  await pass(60)
  expect(wall.daemon.posts).toEqual([
    { path: '/stop', body: { fadeOutMs: 1_500 } }, { path: '/stop', body: { fadeOutMs: 0 } },
  ])
})

test('a button of a mouse that is not the main one is none', async () => {
  const wall = await opened()
  for (const button of [1, 2]) {
    const down = { bubbles: true, pointerId: 1, button }
    wall.named('Panic').dispatchEvent(new PointerEvent('pointerdown', down))
  }
  await pass(60)
  expect(wall.daemon.posts).toEqual([])
})

test('after it nothing is sent again of what was pressed before and has no answer', async () => {
  const wall = await opened()
  wall.daemon.answers = ['none']
  await wall.key('Digit1')
  await wall.key('Escape')
  await pass(5_000)
  expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/buttons/b1/play', '/stop'])
  expect(wall.cell('b1').className).toBe('cell is-idle')
})

test('a double tap on the sign of one that was not sent presses nothing beneath', async () => {
  const wall = await opened()
  document.elementsFromPoint = () => []
  wall.daemon.answers = ['broken', 'broken', 'broken', 'broken']
  await wall.key('Escape')
  await pass(5_000)
  wall.daemon.posts.length = 0
  const here = { clientX: 90, clientY: 60 }
  await wall.press(wall.find('.panic-told'), here)
  expect(wall.text('.panic-told')).toBe('')
  await wall.press(wall.find('.press'), here)
  expect(wall.daemon.posts).toEqual([])
  await pass(300)
  await wall.press(wall.find('.press'), here)
  expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/buttons/b1/play'])
})

test('by an Esc that is held stays told, where it was refused: it takes no sign away', async () => {
  const wall = await opened()
  wall.daemon.answers = [{ status: 403, body: { error: 'license_restricted', message: 'no' } }]
  await wall.key('Escape')
  expect(wall.text('.panic-told')).toMatch(/^PANIC WAS REFUSED/)
  for (let n = 0; n < 20; n += 1) await wall.key('Escape', { repeat: true })
  expect(wall.text('.panic-told')).toMatch(/^PANIC WAS REFUSED/)
  await wall.key('KeyX')
  expect(wall.text('.panic-told')).toBe('')
})
