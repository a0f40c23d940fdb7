// Keys as browsers tell them: with the browser's own modifiers, taken by something else, and with
// the number that every key has while an input method is on.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { schemaText, showSchema } from '../../../src/io/show/file-schemas.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const opened = () => VirtualWall.open(showOf([listOf('l1', [aButton({}), aButton({ id: 'b2' })])]))
const paths = (wall: VirtualWall): readonly string[] => wall.daemon.posts.map(({ path }) => path)

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

test('a hotkey presses while its playlist is open, as an editor is told of it', async () => {
  const wall = await VirtualWall.open(showOf([
    listOf('l1', [aButton({})]), listOf('l2', [aButton({ id: 'b2', hotkey: 'KeyG' })]),
  ]))
  await wall.key('KeyG')
  expect(paths(wall)).toEqual([])
  await wall.key('Equal')
  await wall.key('KeyG')
  expect(paths(wall)).toEqual(['/buttons/b2/play'])
  expect(schemaText(showSchema('1'))).toContain('; it presses while that is open')
})

test('a page that is turned by a key has no focus that it had not: Enter presses nothing of it',
  async () => {
    const many = Array.from({ length: 20 }, (_, n) => aButton({ id: `b${n}` }))
    const wall = await VirtualWall.open(showOf([listOf('l1', many)]))
    await wall.key('PageDown')
    await wall.key('Enter')
    expect([document.activeElement?.tagName, paths(wall)]).toEqual(['BODY', []])
  })

/** Another show is saved, in which this list has these buttons. */
const saved = async (wall: VirtualWall, ids: readonly string[]): Promise<void> => {
  const lists = [listOf('l1', [aButton({})]), listOf('l2', ids.map((id) => aButton({ id })))]
  wall.daemon.save(showOf(lists))
  await pass(1_000)
}

test('a list that was empty takes no focus out of the search once it has buttons', async () => {
  const wall = await VirtualWall.open(showOf([listOf('l1', [aButton({})]), listOf('l2', [])]))
  wall.find('.press').focus()
  await wall.key('Equal')
  expect(wall.texts('.empty')).toEqual(['This playlist has no buttons'])
  await wall.key('Backquote')
  await saved(wall, ['b2'])
  expect([wall.texts('.cell-title').length, document.activeElement?.tagName]).toEqual([1, 'INPUT'])
})

test('who left the grid is not brought back into it by a show that is saved', async () => {
  const wall = await VirtualWall.open(
    showOf([listOf('l1', [aButton({})]), listOf('l2', [aButton({ id: 'b2' })])]))
  wall.find('.press').focus()
  await wall.key('Equal')
  expect(document.activeElement?.className).toBe('press')
  wall.find('.press').blur()
  await saved(wall, ['b3', 'b2'])
  expect([wall.texts('.cell-title').length, document.activeElement?.tagName]).toEqual([2, 'BODY'])
})

test('a key of the wall is kept from the browser, which would search or scroll by it', async () => {
  await opened()
  const isLeft = (code: string): boolean =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', {
      code, bubbles: true, cancelable: true,
    }))
  expect(['Slash', 'Digit1', 'PageDown', 'ArrowDown', 'F1', 'F5', 'F11', 'Tab'].filter(isLeft))
    .toEqual(['F5', 'F11', 'Tab'])
})
