// The strip above the grid: the page turns by its signs and by a swipe, and by nothing else.
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const buttons = Array.from({ length: 20 }, (_, n) => aButton({ id: `b${n}`, title: `Bed ${n}` }))
const opened = () => VirtualWall.open(showOf([listOf('l1', buttons)]))

describe('the strip above the grid', () => {
  const swipe = async (wall: VirtualWall, from: number, to: number): Promise<void> => {
    const strip = wall.find('.pages')
    strip.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, clientX: from }))
    strip.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, clientX: to }))
    await pass(60)
  }

  test('turns the page by a swipe, not by a tap, and by its signs as far as there are pages',
    async () => {
      const wall = await opened()
      const at: unknown[] = []
      for (const [from, to] of [[200, 100], [100, 61], [100, 139], [100, 60], [60, 100]] as const) {
        await swipe(wall, from, to)
        at.push(wall.text('.page-number').split('/')[0])
      }
      expect(at).toEqual(['2', '2', '2', '3', '2'])
      await wall.click(wall.named('Previous page'))
      expect(wall.named('Previous page').matches(':disabled')).toBe(true)
      for (let n = 1; n < wall.model.places.grid.value.pages; n += 1) {
        expect(wall.named('Next page').matches(':disabled')).toBe(false)
        await wall.click(wall.named('Next page'))
      }
      expect(wall.named('Next page').matches(':disabled')).toBe(true)
    })

  test('turns it by no two fingers that rest, nor by a pointer from elsewhere', async () => {
    const wall = await opened()
    const strip = wall.find('.pages')
    const on = (target: Element, type: string, pointerId: number, clientX: number) =>
      target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId, clientX }))
    on(strip, 'pointerdown', 1, 60)
    on(strip, 'pointerdown', 2, 400)
    on(strip, 'pointerup', 1, 60)
    on(strip, 'pointerup', 2, 400)
    // Let go outside, and pressed again outside.
    on(strip, 'pointerdown', 1, 400)
    strip.dispatchEvent(new PointerEvent('pointerleave', { pointerId: 1 }))
    on(wall.find('.header'), 'pointerup', 1, 300)
    on(wall.find('.grid'), 'pointerdown', 1, 100)
    on(strip, 'pointerup', 1, 100)
    on(strip, 'pointerdown', 3, 400)
    on(strip, 'pointercancel', 3, 400)
    on(strip, 'pointerup', 3, 100)
    await pass(60)
    expect(wall.text('.page-number').split('/')[0]).toBe('1')
  })

  test('turns one page where the mouse is dragged over a sign, not two', async () => {
    const wall = await opened()
    const next = wall.named('Next page')
    const mouse = { bubbles: true, pointerId: 1 }
    next.dispatchEvent(new PointerEvent('pointerdown', { ...mouse, clientX: 70 }))
    next.dispatchEvent(new PointerEvent('pointerup', { ...mouse, clientX: 20 }))
    await wall.click(next)
    expect(wall.text('.page-number').split('/')[0]).toBe('2')
  })

  test('turns by a finger that began on a sign, and says to a screen reader where it is',
    async () => {
      const wall = await opened()
      const next = wall.named('Next page')
      const finger = { bubbles: true, pointerId: 1, pointerType: 'touch' }
      next.dispatchEvent(new PointerEvent('pointerdown', { ...finger, clientX: 300 }))
      wall.find('.pages').dispatchEvent(new PointerEvent('pointerup', { ...finger, clientX: 200 }))
      await pass(60)
      expect(wall.text('.page-number')).toMatch(/^2\/\d$/)
      expect(wall.find('.page-number').getAttribute('aria-live')).toBe('polite')
    })

  test('a list without buttons says so', async () => {
    const wall = await VirtualWall.open(showOf([listOf('l1', [], { title: 'Beds' })]))
    expect(wall.texts('.pages, .empty')).toEqual(['Beds', 'This playlist has no buttons'])
    // As before its first show was read.
    wall.model.loaded.value = null
    await pass(60)
    expect(wall.texts('.pages, .empty')).toEqual(['', 'Waiting for the show'])
  })
})

test('a wall that is loaded anew has the page open that it had; one beside it has its own',
  async () => {
    const wall = await opened()
    await wall.click(wall.named('Next page'))
    const again = await opened()
    expect(again.text('.page-number')).toMatch(/^2/)
    expect(localStorage.getItem('cartwall.place')).toBeNull()
    sessionStorage.clear()
    expect((await opened()).text('.page-number')).toMatch(/^1/)
  })
