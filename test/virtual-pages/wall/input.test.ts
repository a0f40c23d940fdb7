// Keys and touches on the wall: pages, lists, the search, the focus; which press is sent.
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const buttons = (list: string, count: number) => Array.from({ length: count }, (_, n) =>
  aButton({ id: `${list}-${n}`, title: `${list} ${'abcdefghijklmnopqrstuvwxyz'[n]}` }))
const LISTS = [
  listOf('l1', buttons('Bed', 20)), listOf('l2', buttons('Sting', 15)),
  listOf('l3', [...buttons('Film', 2), aButton({ id: 'last', title: 'Über den Wolken' })]),
]
const opened = (settings = {}) => VirtualWall.open(showOf(LISTS, settings))
/** The first title of the page, and which page it is. */
const page = (wall: VirtualWall): readonly unknown[] =>
  [wall.texts('.cell-title')[0], wall.texts('.page-number')[0] ?? null]
const focused = (): string =>
  document.activeElement?.querySelector('.cell-title')?.textContent
    ?? document.activeElement?.tagName ?? ''

describe('keys', () => {
  test('turn pages and playlists, and coming back each page is found again', async () => {
    const wall = await opened()
    const seen: unknown[] = [page(wall)]
    for (const code of [
      'PageDown', 'BracketRight', 'BracketLeft', 'PageUp', 'PageUp', 'PageDown', 'Equal',
      'PageDown', 'Equal', 'Equal', 'Minus', 'Minus',
    ]) {
      await wall.key(code)
      seen.push(page(wall))
    }
    const { perPage } = wall.model.places.grid.value
    const at = (list: string, n: number) => {
      const of = list === 'Bed' ? 20 : 15
      const title = `${list} ${'abcdefghijklmnopqrstuvwxyz'[n * perPage]}`
      return [title, `${n + 1}/${Math.ceil(of / perPage)}`]
    }
    expect(perPage).toBeLessThan(8)
    expect(seen).toEqual([
      at('Bed', 0), at('Bed', 1), at('Bed', 2), at('Bed', 1), at('Bed', 0), at('Bed', 0),
      at('Bed', 1), at('Sting', 0), at('Sting', 1), ['Film a', null], at('Bed', 1),
      ['Film a', null], at('Sting', 1),
    ])
  })

  test('move the focus in the grid, which goes along to another page', async () => {
    const wall = await opened()
    wall.find('.press').focus()
    const walked: string[] = []
    for (const code of [
      'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'End', 'Home', 'PageDown', 'ArrowRight',
      'Equal', 'ArrowRight',
    ]) {
      await wall.key(code)
      walked.push(focused())
    }
    const { columns, perPage } = wall.model.places.grid.value
    const of = (list: string, n: number) => `${list} ${'abcdefghijklmnopqrstuvwxyz'[n]}`
    expect(walked).toEqual([
      of('Bed', 1), of('Bed', 1 + columns), of('Bed', columns), of('Bed', 0),
      of('Bed', perPage - 1), of('Bed', 0), of('Bed', perPage), of('Bed', perPage + 1),
      of('Sting', 0), of('Sting', 1),
    ])
    await wall.key('Enter', { shiftKey: true })
    await wall.key('NumpadEnter')
    expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/buttons/Sting-1/play'])
  })

  test('that open a playlist take the focus along into it', async () => {
    const link = aButton({ id: 'link', title: 'More', kind: 'navigation', target: 'l2' })
    const lists = [listOf('l1', [link]), listOf('l2', buttons('Sting', 2))]
    const wall = await VirtualWall.open(showOf(lists))
    wall.find('.press').focus()
    await wall.key('Enter')
    expect(focused()).toBe('Sting a')
    await wall.key('ArrowRight')
    expect(focused()).toBe('Sting b')
  })
})

describe('tabs', () => {
  test('are walked by arrows, round and round; the one that is open has the focus', async () => {
    const wall = await opened()
    const tabs = () => [...document.querySelectorAll<HTMLElement>('.tab')]
    tabs()[0]?.focus()
    const open = (): readonly unknown[] => [
      tabs().findIndex((tab) => tab.getAttribute('aria-selected') === 'true'),
      tabs().findIndex((tab) => tab === document.activeElement),
      tabs().filter(({ tabIndex }) => tabIndex === 0).length,
    ]
    const walked: unknown[] = []
    for (const code of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp']) {
      await wall.key(code)
      walked.push(open())
    }
    expect(walked).toEqual([1, 2, 0, 2, 1].map((n) => [n, n, 1]))
  })

  test('leave the keys of the browser alone, as Alt and an arrow, which goes back', async () => {
    const wall = await opened()
    wall.find('.tab').focus()
    const back = { bubbles: true, cancelable: true, code: 'ArrowLeft', altKey: true }
    expect(wall.find('.tab').dispatchEvent(new KeyboardEvent('keydown', back))).toBe(true)
    expect(wall.find('.tab').ariaSelected ?? wall.find('.tab').getAttribute('aria-selected'))
      .toBe('true')
  })
})

test('the tab of a list whose lights run has a mark', async () => {
  const wall = await opened()
  const marked = () => document.querySelectorAll('.tab-mark.is-playing').length
  expect(marked()).toBe(0)
  await wall.tell({ timelines: [{
    dmxExecutionId: 'd1', buttonId: 'last', title: 'Blue', sync: 'internal', at: 0, position: 0,
    moving: true, duration: 1, loop: false, lastDriftMs: null, worstDriftMs: null,
  }] })
  expect(marked()).toBe(1)
})

describe('the search', () => {
  const search = async (text: string): Promise<VirtualWall> => {
    const wall = await opened()
    wall.find('.press').focus()
    await wall.key('Backquote')
    await wall.type(wall.find('.search input'), text)
    return wall
  }
  const selected = (wall: VirtualWall) => wall.texts('.found-one[aria-selected="true"]')

  test.each([
    ['uber', ['Über den WolkenList l3']], ['wolken den', ['Über den WolkenList l3']],
    ['wolken bed', []], ['film', ['Film aList l3', 'Film bList l3']], ['   ', []],
  ])('%j finds %j', async (text, found) => {
    const wall = await search(text)
    expect(wall.texts('.found-one')).toEqual(found)
  })

  test('shows twelve at most, and says how many more there are, or that there is none',
    async () => {
      const wall = await search('bed')
      expect(wall.texts('.found-one')).toHaveLength(12)
      const said = async (text: string) => {
        await wall.type(wall.find('.search input'), text)
        return wall.text('.search [role="status"]')
      }
      expect(wall.text('.search [role="status"]')).toBe('and 8 more: type on')
      expect(await said('bed a')).toBe('')
      expect(await said('bed z')).toBe('No title has that in it')
    })

  test('goes up and down, begins anew as one types on, and turns to what was chosen', async () => {
    const wall = await search('sting')
    for (const code of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await wall.key(code)
    expect(selected(wall)).toEqual(['Sting cList l2'])
    await wall.type(wall.find('.search input'), 'sting n')
    expect(selected(wall)).toEqual([wall.texts('.found-one')[0]])
    await wall.type(wall.find('.search input'), 'sting')
    await wall.key('ArrowUp')
    expect(selected(wall)).toEqual(['Sting aList l2'])
    for (let n = 0; n < 20; n += 1) await wall.key('ArrowDown')
    expect(selected(wall)).toEqual(['Sting lList l2'])
    await wall.key('Enter', { key: 'Enter', repeat: true })
    await wall.key('Enter', { key: 'Enter', isComposing: true })
    expect(wall.texts('.search')).toHaveLength(1)
    await wall.key('Enter', { key: 'Enter' })
    await pass(100)
    expect(focused()).toBe('Sting l')
    expect(wall.texts('.search')).toEqual([])
    expect(wall.daemon.posts).toEqual([])
  })

  test.each([['the number pad', 'NumpadEnter'], ['a phone', '']])(
    'is answered by the Enter of %s too', async (_of, code) => {
      const wall = await search('sting b')
      await wall.key(code, { key: 'Enter' })
      await pass(100)
      expect(focused()).toBe('Sting b')
    })

  test('chooses the last one where a show that was saved has fewer', async () => {
    const wall = await search('sting')
    for (let n = 0; n < 5; n += 1) await wall.key('ArrowDown')
    wall.model.loaded.value = { etag: '"s2"', page: showOf([listOf('l2', buttons('Sting', 3))]) }
    await pass(60)
    expect(selected(wall)).toEqual(['Sting cList l2'])
    await wall.key('Enter', { key: 'Enter' })
    await pass(100)
    expect(focused()).toBe('Sting c')
  })

  test('is walked by the number pad without NumLock, and by keys that have no place', async () => {
    const wall = await search('sting')
    await wall.key('Numpad2', { key: 'ArrowDown' })
    await wall.key('', { key: 'ArrowDown' })
    await wall.key('Numpad8', { key: 'ArrowUp' })
    expect(selected(wall)).toEqual(['Sting bList l2'])
  })

  test('chooses nothing by the Enter that ends a word in Safari', async () => {
    const wall = await search('sting b')
    // There it comes after the composition, with the number that keys of an input method have.
    await wall.key('Enter', { key: 'Enter', keyCode: 229 })
    await wall.key('Escape', { key: 'Escape', keyCode: 229 })
    expect(wall.texts('.search')).toHaveLength(1)
    expect(wall.daemon.posts).toEqual([])
  })

  test('gives the focus back where nothing was chosen', async () => {
    const wall = await search('sting')
    expect(document.activeElement?.tagName).toBe('INPUT')
    await wall.key('Digit1')
    await wall.key('Escape')
    expect(focused()).toBe('Bed a')
    expect(wall.daemon.posts).toEqual([])
  })
})

test('Esc of a keyboard on the screen, which has no places, panics', async () => {
  const wall = await opened()
  await wall.key('', { key: 'Escape' })
  await pass(100)
  expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/stop'])
})

test('what is set on one wall is set on the others of this browser', async () => {
  const wall = await opened()
  const kept = { theme: 'light', actOnRelease: true, letterKeys: true }
  // As the other one does it, of which this one is told.
  localStorage.setItem('cartwall.wall', JSON.stringify({ ...kept, ofAnotherVersion: 1 }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'cartwall.wall' }))
  await pass(60)
  expect(wall.model.settings.value).toEqual(kept)
  expect(localStorage.getItem('cartwall.wall')).toContain('ofAnotherVersion')
  expect(document.documentElement.dataset['theme']).toBe('light')
  await wall.click(wall.named('Settings'))
  await wall.click(wall.find('.switch input[type="checkbox"]'))
  expect(JSON.parse(localStorage.getItem('cartwall.wall') ?? '')).toEqual(
    { ...kept, letterKeys: false })
})

describe('a press', () => {
  const paths = (wall: VirtualWall) => wall.daemon.posts.map(({ path }) => path)
  const press = (wall: VirtualWall) => wall.find('.press')

  test('acts when a pointer goes down; by the main button alone', async () => {
    const wall = await opened()
    await wall.press(press(wall), { button: 2 })
    await pass(1_000)
    press(wall).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 4 }))
    expect(paths(wall)).toEqual(['/buttons/Bed-0/play'])
  })

  test('acts when it is let go, where that is set: once', async () => {
    const wall = await opened()
    wall.model.settings.value = { ...wall.model.settings.value, actOnRelease: true }
    press(wall).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 }))
    await pass(500)
    expect(paths(wall)).toEqual([])
    press(wall).dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 }))
    press(wall).click()
    await pass(500)
    expect(paths(wall)).toEqual(['/buttons/Bed-0/play'])
  })

  test('acts as each finger is let go on its button, of which no click need come', async () => {
    const wall = await opened()
    wall.model.settings.value = { ...wall.model.settings.value, actOnRelease: true }
    const finger = (type: string, pointerId: number, on: HTMLElement) =>
      on.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId }))
    const cell = (n: number) => wall.cell(`Bed-${n}`).querySelector<HTMLElement>('.press')!
    finger('pointerdown', 7, wall.find('.header'))
    for (const n of [0, 1, 2, 3]) finger('pointerdown', n, cell(n))
    // One slides to its neighbour, and one is taken away: neither is a press.
    finger('pointerup', 0, cell(1))
    finger('pointercancel', 3, cell(3))
    finger('pointerup', 2, cell(2))
    finger('pointerup', 1, cell(1))
    finger('pointerup', 7, cell(0))
    await pass(500)
    expect(paths(wall)).toEqual(['/buttons/Bed-2/play', '/buttons/Bed-1/play'])
    finger('pointerdown', 3, wall.find('.header'))
    finger('pointerup', 3, cell(3))
    await pass(500)
    expect(paths(wall)).toHaveLength(2)
  })

  test('whose answer is lost with the connection says so', async () => {
    const wall = await opened()
    wall.daemon.answers = ['none']
    await wall.press(press(wall))
    wall.daemon.die()
    await pass(100)
    expect(wall.texts('.cell-message')).toEqual(['not sent: no answer'])
  })

  test('is guarded as long as the configuration says', async () => {
    const wall = await opened({ guardMs: 1_000 })
    for (let n = 0; n < 4; n += 1) {
      await wall.key('Digit1')
      await pass(340)
    }
    expect(paths(wall)).toHaveLength(2)
  })

  test('is seen until it has its answer, or says that there was none', async () => {
    const wall = await opened()
    const taken = { status: 202, body: {} }
    wall.daemon.answers = ['none', taken, 'broken', 'broken', 'broken', 'broken']
    const said = () => [wall.cell('Bed-0').className, ...wall.texts('.cell-message')]
    await wall.key('Digit1')
    await pass(500)
    expect(said()).toEqual(['cell is-idle was-pressed'])
    await wall.key('Digit1')
    expect(said()).toEqual(['cell is-idle was-pressed was-ignored', 'on its way'])
    await pass(1_000)
    expect(said()).toEqual(['cell is-idle', 'on its way'])
    await wall.key('Digit1')
    expect(said()).toEqual(['cell is-idle was-pressed'])
    await pass(2_000)
    expect(said()).toEqual(['cell is-idle', 'not sent: no answer'])
    expect(paths(wall)).toHaveLength(6)
  })

  test.each([false, true])('with Shift stops what is on, let go (%s) or not', async (letGo) => {
    const wall = await opened()
    wall.model.settings.value = { ...wall.model.settings.value, actOnRelease: letGo }
    await wall.tell({ runs: [aRun({ buttonId: 'Bed-0' })] })
    await wall.press(press(wall), { shiftKey: true })
    const path = '/buttons/Bed-0/stop'
    expect(wall.daemon.posts).toEqual([{ path, body: { executionId: 'e1' } }])
    // Of a switch or a script, which have no pointer.
    await pass(1_000)
    press(wall).dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))
    expect(wall.daemon.posts).toHaveLength(2)
    expect(wall.daemon.posts[1]?.path).toBe(path)
  })

  test.each([[true, 'stop'], [false, 'pause']])(
    'of the number pad as Home, with NumLock %s, is a %s: Windows tells no Shift of it',
    async (isNumLockOn, command) => {
      const pad = listOf('l1', [aButton({ id: 'pad', hotkey: 'Numpad7' })])
      const wall = await VirtualWall.open(showOf([pad]), { runs: [aRun({ buttonId: 'pad' })] })
      const event = new KeyboardEvent('keydown', { code: 'Numpad7', key: 'Home', bubbles: true })
      event.getModifierState = () => isNumLockOn
      document.body.dispatchEvent(event)
      expect(paths(wall)).toEqual([`/buttons/pad/${command}`])
    })
})
