// What stands on the caps of the buttons and on the sheet of keys, on keyboards of other countries.
// @vitest-environment happy-dom
import { expect, onTestFinished, test } from 'vitest'
import { aButton } from '../../pages/wall/show-parts.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const HOTKEYS = [null, 'KeyQ', 'Semicolon', 'Slash', 'Quote', 'Numpad7']
const SHOW = showOf([listOf('l1', HOTKEYS.map((hotkey, n) =>
  aButton({ id: `b${n}`, hotkey })), { columns: 3 })])

const FRENCH = new Map([
  ['Digit1', '&'], ['KeyQ', 'a'], ['KeyP', 'p'], ['KeyA', 'q'], ['Semicolon', 'm'], ['KeyZ', 'w'],
  ['Slash', '!'], ['BracketLeft', '^'], ['BracketRight', '$'], ['Minus', ')'], ['Equal', '='],
  ['Backquote', '²'], ['Quote', 'ù'],
])
const GERMAN = new Map([
  ['KeyQ', 'q'], ['KeyP', 'p'], ['KeyA', 'a'], ['Semicolon', 'ö'], ['KeyZ', 'y'], ['Slash', '-'],
  ['BracketLeft', 'ü'], ['BracketRight', '+'], ['Minus', 'ß'], ['Equal', '´'], ['Backquote', '^'],
  ['Quote', 'ä'],
])

test('the sheet, and PANIC itself, say what fades and what does not', async () => {
  const wall = await VirtualWall.open(SHOW)
  await wall.key('F1')
  const hint = document.querySelector('.panic')?.getAttribute('title')
  for (const words of [hint, wall.texts('.keys dd').at(-2)]) {
    expect(words).toMatch(/sound fades, images and lights end at once.* within 5 seconds: silence/i)
  }
})

test.each<readonly [string, ReadonlyMap<string, string> | null, string, readonly string[]]>([
  ['French', FRENCH, '1 A M ! Ù N7', ['1 – 0, A – P, Q – M, W – !', '^ $', ') =', '²']],
  ['German', GERMAN, '1 Q Ö - Ä N7', ['1 – 0, Q – P, A – Ö, Y – -', 'Ü +', 'ß ´', '^']],
  ['unknown', null, "1 Q ; / ' N7", ['1 – 0, Q – P, A – ;, Z – /', '[ ]', '- =', '`']],
])('of one that is %s', async (_what, layout, caps, sheet) => {
  if (layout !== null) {
    const keyboard = { getLayoutMap: () => Promise.resolve(layout) }
    Object.defineProperty(navigator, 'keyboard', { configurable: true, value: keyboard })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'keyboard'))
  }
  const wall = await VirtualWall.open(SHOW)
  expect(wall.texts('.cap').join(' ')).toBe(caps)
  await wall.key('F1')
  const [first, ...others] = wall.texts('.keys dt')
  expect([first, others[3]?.replace('Page Up, Page Down, ', ''), ...others.slice(4, 6)])
    .toEqual(sheet)
})
