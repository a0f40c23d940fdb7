// The tools of the header: which one is open, and in red what is wrong. And the menu beside them.
// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LiveParts } from '../../../src/contract/live.js'
import { writeLights } from '../../../src/contract/live-frames.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const opened = (parts: Partial<LiveParts> = {}) =>
  VirtualWall.open(showOf([listOf('l1', [aButton({})])]), parts)

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
  const wall = await VirtualWall.open(showOf([listOf('l1', [aButton({ media })])]))
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

test.each([
  ['off', null, 'fact', 'Nothing is sent: no output is configured.'],
  ['ok', null, 'fact', 'Sending.'],
  ['failing', null, 'fact is-bad', 'Sending fails.'],
  ['failing', 'no route', 'fact is-bad', 'Sending fails: no route'],
] as const)('the lights say how sending goes: %s, %s', async (state, message, look, words) => {
  const wall = await opened({ lights: { state, message } })
  await wall.click(wall.find('.tool[title="Lights"]'))
  expect([wall.find('.panel .fact').className, wall.text('.panel .fact')]).toEqual([look, words])
  expect(wall.text('.panel .fact:nth-of-type(2)')).toMatch(/^No lighting timeline is running/)
})

test('what the search found is told to a screen reader, and focused once chosen', async () => {
  const buttons = ['Bed', 'Horn', 'Boom'].map((title, n) => aButton({ id: `b${n}`, title }))
  const wall = await VirtualWall.open(showOf([listOf('l1', buttons)]))
  const chosen = async (): Promise<string | null | undefined> => {
    await wall.key('Enter', { key: 'Enter' })
    await pass(100)
    return document.activeElement?.closest('[data-button]')?.getAttribute('data-button')
  }
  const told = () =>
    wall.text(`#${wall.find('.search input').getAttribute('aria-activedescendant') ?? 'none'}`)
  await wall.key('Backquote')
  await wall.type(wall.find('.search input'), 'o')
  expect(told()).toBe('HornList l1')
  await wall.key('ArrowDown')
  expect(told()).toBe('BoomList l1')
  expect(await chosen()).toBe('b2')
  // The grid was left at this place: nothing moves in it, and the next Enter is to press it.
  await wall.key('Backquote')
  await wall.type(wall.find('.search input'), 'boom')
  expect(await chosen()).toBe('b2')
})

test('the lights show each channel as bright as it is, and how many of a universe are on',
  async () => {
    const drawn: (readonly number[])[] = []
    const context = {
      createImageData: (width: number, height: number) =>
        ({ data: new Uint8ClampedArray(width * height * 4) }),
      putImageData: ({ data }: ImageData) => drawn.push([...data]),
    }
    const canvas = vi.spyOn(HTMLCanvasElement.prototype, 'getContext')
      .mockReturnValue(context as unknown as RenderingContext)
    onTestFinished(() => canvas.mockRestore())
    const wall = await opened()
    await wall.click(wall.named('Lights'))
    const tell = async (...universes: readonly (readonly [number, Uint8Array])[]) => {
      wall.daemon.levels(writeLights({
        frame: wall.daemon.frame, universes: universes.map(([universe, slots]) =>
          ({ universe, slots })),
      }))
      await pass(60)
      return wall.texts('figcaption')
    }
    const some = Uint8Array.from({ length: 512 }, (_, n) => ({ 0: 255, 33: 1, 511: 100 })[n] ?? 0)
    expect(await tell([0, some], [3, new Uint8Array(512)])).toEqual([
      'Universe 0: 3 of 512 channels are on', 'Universe 3: 0 of 512 channels are on',
    ])
    // Red is the most of it, and nothing is seen through.
    const [first = []] = drawn.splice(0)
    const pixels = Array.from({ length: 512 }, (_, n) => [first[n * 4], first[n * 4 + 3]])
    expect(pixels).toEqual([...some].map((value) => [value, 255]))
    expect(wall.texts('.panel .fact')).toHaveLength(1)
    expect(await tell([0, new Uint8Array(512).fill(7)])).toEqual([
      'Universe 0: 512 of 512 channels are on',
    ])
    expect(drawn.at(-1)?.slice(0, 4)).toEqual([7, 6, 4, 255])
  })

test('the address is a code that a camera finds: dark on light, with room about it', async () => {
  const wall = await opened()
  await wall.click(wall.named('Settings'))
  const size = Number(wall.find('.address svg').getAttribute('viewBox')?.split(' ')[2])
  const path = wall.find('.address path').getAttribute('d') ?? ''
  const dark = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)])
  const isDark = (x: number, y: number) => dark.some(([atX, atY]) => atX === x && atY === y)
  expect([Math.min(...dark.flat()), Math.max(...dark.flat())]).toEqual([4, size - 5])
  // Three corners have a square with a light ring in it.
  const ring = (x: number, y: number) => [isDark(x, y), isDark(x + 1, y + 1), isDark(x + 3, y + 3)]
  const corners = [ring(4, 4), ring(size - 11, 4), ring(4, size - 11)]
  expect(corners).toEqual([1, 2, 3].map(() => [true, false, true]))
  // The one module that is dark in every code: a mirrored one has it elsewhere.
  expect(isDark(12, size - 12)).toBe(true)
})
