// Clicks that no pointer made, as those of a screen reader or a switch: each is a press of its own.
// Without a browser, which takes no touch away when a test asks for it.
import { signal } from '@preact/signals'
import { beforeEach, expect, test, vi } from 'vitest'
import { knownFrom } from '../../../src/pages/shared/live-state.js'
import { Presses } from '../../../src/pages/wall/press/presses.js'
import { pressHandlers } from '../../../src/pages/wall/view/cell-gestures.js'
import type { WallModel } from '../../../src/pages/wall/wall-model.js'
import { PageTime } from '../../pages/wall/page-time.js'
import { aButton, SILENT } from '../../pages/wall/show-parts.js'

let time = new PageTime()
const sent: string[] = []
vi.mock('../../../src/client/time.js', () => ({
  nowMs: () => time.now(), after: (ms: number, act: () => void) => time.after(ms, act),
}))
vi.mock('../../../src/pages/wall/press/press-ports.js', () => ({
  pressPorts: {
    now: () => time.now(), after: (ms: number, act: () => void) => time.after(ms, act),
    key: () => 'key',
    post: (path: string) => {
      sent.push(path)
      return Promise.resolve({ status: 202, body: { result: 'accepted' } })
    },
  },
}))

/** A button of a wall, and what happens to it. */
const opened = () => {
  const heard = new Map<string, (event: unknown) => void>()
  vi.stubGlobal('document', {
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      heard.set(type, listener),
  })
  const state = { kind: 'state' as const, n: 1, at: 0, missed: null, ...SILENT }
  const presses = new Presses(signal(knownFrom(state)), () => undefined)
  presses.isConnected = true
  const settings = signal({ theme: 'dark', actOnRelease: false, letterKeys: true })
  const model = { presses, settings } as unknown as WallModel
  const { onClick, onPointerDown } = pressHandlers(model, aButton({}))
  const target = { hasPointerCapture: () => false }
  return {
    click: (timeStamp = time.now()) => onClick?.({ shiftKey: false, timeStamp } as never),
    clickWithCtrl: () => {
      const mouse = { pointerId: 1, pointerType: 'mouse', button: 0, shiftKey: false }
      onPointerDown?.({ ...mouse, ctrlKey: true, currentTarget: target } as never)
    },
    touch: (pointerId: number) => {
      heard.get('pointerdown')?.({ pointerId })
      onPointerDown?.({ button: 0, pointerId, shiftKey: false, currentTarget: target } as never)
    },
    down: (event: object) => heard.get('pointerdown')?.(event),
    menuOfBrowser: (event: object) => heard.get('contextmenu')?.(event),
    /** How a touch ends: let go, or taken away by the browser. */
    end: (how: 'pointerup' | 'pointercancel', pointerId: number) =>
      heard.get(how)?.({ pointerId, timeStamp: time.now() }),
  }
}

beforeEach(() => {
  time = new PageTime()
  sent.length = 0
})

test.each(['pointerup', 'pointercancel'] as const)(
  'after a touch that ended by %s, whose own click is none', async (how) => {
    const wall = opened()
    wall.touch(1)
    await time.pass(400)
    wall.end(how, 1)
    await time.pass(100)
    wall.click()
    await time.pass(1_000)
    expect(sent).toHaveLength(1)
    wall.click()
    await time.pass(10)
    expect(sent).toHaveLength(2)
  })

test('after a touch, whose own click is none, however late a busy page comes to it', async () => {
  const wall = opened()
  wall.touch(1)
  await time.pass(100)
  wall.end('pointerup', 1)
  const letGoAt = time.now()
  await time.pass(2_000)
  wall.click(letGoAt)
  await time.pass(10)
  expect(sent).toHaveLength(1)
})

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0], ['Mozilla/5.0 (X11; Linux x86_64)', 1],
])('a click with Ctrl is a press, but the menu on a Mac: %s', async (userAgent, presses) => {
  vi.stubGlobal('navigator', { userAgent })
  const wall = opened()
  wall.clickWithCtrl()
  await time.pass(10)
  expect(sent).toHaveLength(presses)
})

test('after a right click whose end the menu of the browser kept to itself', async () => {
  const wall = opened()
  wall.down({ pointerId: 1, button: 2 })
  wall.menuOfBrowser({ pointerId: 1, defaultPrevented: false })
  await time.pass(1_000)
  wall.click()
  await time.pass(10)
  expect(sent).toHaveLength(1)
})

test('not while a finger stays down, for which browsers open a menu as well', async () => {
  const wall = opened()
  wall.touch(5)
  wall.menuOfBrowser({ pointerId: 5, defaultPrevented: true })
  await time.pass(1_000)
  wall.click()
  await time.pass(10)
  expect(sent).toHaveLength(1)
})

test('not while another finger is down: nobody can tell whose click it is', async () => {
  const wall = opened()
  wall.touch(1)
  await time.pass(5_000)
  wall.click()
  await time.pass(10)
  expect(sent).toHaveLength(1)
})
