// The tools of the header: which one is open, and in red what is wrong. And the menu beside them.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveParts } from '../../src/contract/live.js'
import { aButton } from '../pages/wall/show-parts.js'
import { pass } from './virtual-page.js'
import { DrawnWall, listOf, showOf } from './virtual-wall.js'

const opened = (parts: Partial<LiveParts> = {}) =>
  DrawnWall.open(showOf([listOf('l1', [aButton({})])]), parts)

test('a screen reader is told which panel is open, and no other', async () => {
  const wall = await opened()
  const told = () => [...document.querySelectorAll('.tool')]
    .map((tool) => `${tool.getAttribute('title')} ${tool.getAttribute('aria-expanded')}`)
  await wall.click(wall.named('Keys'))
  expect(told()).toEqual(
    ['Search false', 'Stages false', 'Lights false', 'Keys true', 'Settings false'])
  await pass(1_000)
  await wall.click(wall.named('Keys'))
  expect(told()).not.toContain('Keys true')
})

test('a stage that is gone is told in red, one that is in step is not', async () => {
  const report = {
    name: 'left', pace: 'in_step', on: [], p50: 4, p95: 9, framesDropped: 0, seeks: 0,
    visible: true, offsetMs: 0, errors: [],
  } as const
  const wall = await opened({ stages: [{ id: 's', gone: false, report }] })
  expect(wall.texts('.tool-note, .tool-note.is-bad')).toEqual(['1 in step'])
  await wall.tell({ stages: [{ id: 's', gone: true, report }] })
  expect(wall.texts('.tool-note.is-bad')).toEqual(['gone: 1'])
})

test('a right click opens the menu of the button and no other, a finger that rests opens none',
  async () => {
    const wall = await opened()
    const press = wall.find('.press')
    const ask = async (pointerType: string): Promise<boolean> => {
      const event = new PointerEvent('contextmenu', {
        bubbles: true, cancelable: true, pointerId: 1, pointerType,
      })
      const isLeftToBrowser = press.dispatchEvent(event)
      await pass(60)
      return isLeftToBrowser
    }
    expect([await ask('touch'), wall.texts('.menu-title')]).toEqual([false, []])
    expect([await ask('mouse'), wall.texts('.menu-title')]).toEqual([false, ['Warm']])
    // A screen reader hears of the other way to it that it opens a menu.
    expect(wall.named('Menu of Warm').getAttribute('aria-haspopup')).toBe('menu')
  })

test('a menu that is closed closes no panel that is opened after it', async () => {
  const wall = await opened()
  await wall.click(wall.named('Menu of Warm'))
  await wall.key('Escape')
  await pass(1_000)
  await wall.click(wall.named('Lights'))
  await wall.press(wall.find('.press'))
  expect(wall.texts('.panel h2')).toEqual(['Lights'])
})

test('a menu is whole within the window also once a tablet was turned', async () => {
  const wall = await opened()
  const at = { bubbles: true, cancelable: true, clientX: innerWidth - 20, clientY: 200 }
  wall.find('.press').dispatchEvent(new MouseEvent('contextmenu', at))
  await pass(60)
  const before = innerWidth
  Object.assign(window, { innerWidth: 600 })
  window.dispatchEvent(new Event('resize'))
  await pass(60)
  Object.assign(window, { innerWidth: before })
  expect(wall.find('.menu').style.left).toBe('592px')
})

test('the menu of a button whose file is missing says why, and plays it all the same', async () => {
  const media = {
    missing: 'no such file', version: null, type: null, notShown: null, video: null, audio: null,
  }
  const wall = await DrawnWall.open(showOf([listOf('l1', [aButton({ media })])]))
  await wall.click(wall.named('Menu of Warm'))
  expect(wall.texts('.menu-fact, [role="menuitem"]')).toEqual(
    ['no such file', 'Play', 'Play with…'])
  await wall.click(wall.named('Play'))
  expect(wall.daemon.posts).toEqual([{ path: '/buttons/b1/restart', body: null }])
})

test('what is typed while a panel has the focus presses no button', async () => {
  const wall = await opened()
  await wall.click(wall.named('Lights'))
  expect(document.activeElement?.className).toBe('panel-close')
  await wall.key('Digit1')
  expect(wall.daemon.posts).toEqual([])
  wall.find('.press').focus()
  await wall.key('Digit1')
  expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/buttons/b1/play'])
})
