// A double press whose first half opens or closes something: the second half lands on what is
// under the hand by then, and presses nothing of it.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const SHOW = showOf([
  listOf('l1', [aButton({ id: 'go', title: 'Stings', kind: 'navigation', target: 'l2' })]),
  listOf('l2', [aButton({ id: 'horn', title: 'Horn' }), aButton({ id: 'bell', title: 'Bell' })]),
])
const opened = () => VirtualWall.open(SHOW)
const paths = (wall: VirtualWall) => wall.daemon.posts.map(({ path }) => path)
const press = (wall: VirtualWall, id: string) =>
  wall.cell(id).querySelector<HTMLElement>('.press') ?? wall.cell(id)
const HERE = { clientX: 90, clientY: 60 }
const BESIDE = { clientX: 270, clientY: 60 }
/** As the browser counts it. */
const AGAIN = { ...HERE, detail: 2 }

test('on a button that opens a playlist starts nothing of that; the next press does', async () => {
  const wall = await opened()
  await wall.press(press(wall, 'go'), HERE)
  await wall.press(press(wall, 'horn'), HERE)
  expect([paths(wall), wall.cell('horn').className]).toEqual([[], 'cell is-idle was-ignored'])
  await wall.press(press(wall, 'bell'), BESIDE)
  await pass(300)
  await wall.press(press(wall, 'horn'), HERE)
  expect(paths(wall)).toEqual(['/buttons/bell/play', '/buttons/horn/play'])
})

test('of a finger is one where it comes down again beside, as fingers do', async () => {
  const wall = await opened()
  await wall.press(press(wall, 'go'), HERE)
  await wall.press(press(wall, 'horn'), { clientX: 110, clientY: 80 })
  expect(paths(wall)).toEqual([])
})

test.each([
  ['a double click, presses nothing', 2, []],
  ['two clicks that the browser tells apart, presses it', 1, ['/buttons/horn/play']],
])('of a mouse, where it is %s', async (_what, detail, sent) => {
  const wall = await opened()
  await wall.press(press(wall, 'go'), { ...HERE, pointerType: 'mouse' })
  const horn = press(wall, 'horn')
  const down = { bubbles: true, pointerId: 1, ...HERE }
  horn.dispatchEvent(new PointerEvent('pointerdown', { ...down, pointerType: 'mouse' }))
  horn.dispatchEvent(new MouseEvent('mousedown', { ...down, detail }))
  await pass(50)
  expect(paths(wall)).toEqual(sent)
})

test('of a key is meant: a list, and its first sting', async () => {
  const wall = await opened()
  await wall.key('Digit1')
  await wall.key('Digit1')
  expect(paths(wall)).toEqual(['/buttons/horn/play'])
})

test('on a choice of a menu presses no button that the menu lay over', async () => {
  const wall = await opened()
  await wall.key('Equal')
  await wall.click(wall.named('Menu of Horn'))
  await wall.press(wall.named('Play'), HERE)
  await wall.press(press(wall, 'bell'), HERE)
  expect(paths(wall)).toEqual(['/buttons/horn/play'])
})

test('on the sign of a menu chooses nothing of the menu that lies over the sign', async () => {
  const wall = await opened()
  await wall.key('Equal')
  await wall.press(wall.named('Menu of Horn'), HERE)
  await wall.press(wall.named('Play'), AGAIN)
  expect(paths(wall)).toEqual([])
})

test('on what the search found presses neither the grid nor Now playing', async () => {
  const wall = await opened()
  await wall.tell({ runs: [aRun({ buttonId: 'horn', title: 'Horn' })] })
  for (const under of [() => press(wall, 'bell'), () => wall.named('Pause Horn')]) {
    await wall.key('Backquote')
    await wall.type(wall.find('input[type="search"]'), 'horn')
    await wall.press(wall.find('.found-one'), HERE)
    await wall.press(under(), AGAIN)
    await pass(400)
  }
  expect(paths(wall)).toEqual([])
})

test('on a sign of the header opens its panel; by a later press it is closed', async () => {
  const wall = await opened()
  const sign = wall.named('Settings')
  await wall.press(sign, HERE)
  await wall.press(sign, AGAIN)
  // On the narrowest phones the panel lies over its sign, with its cross.
  await wall.press(wall.named('Close'), AGAIN)
  expect(wall.text('.panel h2')).toBe('Settings')
  await pass(300)
  await wall.press(sign, HERE)
  expect(document.querySelector('.panel')).toBeNull()
})
