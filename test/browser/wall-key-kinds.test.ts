// Keys as browsers tell them: with the browser's own modifiers, taken by something else, and with
// the number that every key has while an input method is on.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { aButton } from '../pages/wall/show-parts.js'
import { DrawnWall, listOf, showOf } from './virtual-wall.js'

const opened = () => DrawnWall.open(showOf([listOf('l1', [aButton({}), aButton({ id: 'b2' })])]))
const paths = (wall: DrawnWall): readonly string[] => wall.daemon.posts.map(({ path }) => path)

test.each(['ctrlKey', 'altKey', 'metaKey'] as const)(
  'a hotkey with %s is the browser\'s: it presses nothing', async (modifier) => {
    const wall = await opened()
    await wall.key('Digit1', { [modifier]: true })
    expect(paths(wall)).toEqual([])
    await wall.key('Digit1')
    expect(paths(wall)).toEqual(['/buttons/b1/play'])
  })

test('a key that something else took, e.g. an extension of the browser, presses nothing',
  async () => {
    const wall = await opened()
    const take = (event: Event): void => event.preventDefault()
    document.body.addEventListener('keydown', take)
    await wall.key('Digit1')
    document.body.removeEventListener('keydown', take)
    expect(paths(wall)).toEqual([])
  })

test('a hotkey presses also while an input method is on, which gives each key one number',
  async () => {
    const wall = await opened()
    await wall.key('Digit2', { key: 'Process', keyCode: 229 })
    expect(paths(wall)).toEqual(['/buttons/b2/play'])
  })

test('a page that is turned by a key has no focus that it had not: Enter presses nothing of it',
  async () => {
    const many = Array.from({ length: 20 }, (_, n) => aButton({ id: `b${n}` }))
    const wall = await DrawnWall.open(showOf([listOf('l1', many)]))
    await wall.key('PageDown')
    await wall.key('Enter')
    expect([document.activeElement?.tagName, paths(wall)]).toEqual(['BODY', []])
  })
