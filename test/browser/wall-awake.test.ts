// The screen of a wall stays on: a key that wakes it would press a button too.
import { expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Awake', [{ title: 'Beds', buttons: [{ title: 'Warm' }] }])
const browser = browserBefore(show)

test('by a wake lock, where the browser has one', async () => {
  const context = await browser().newContext()
  await context.addInitScript(() => {
    const { wakeLock } = navigator
    const request = wakeLock.request.bind(wakeLock)
    wakeLock.request = async (type) => {
      document.documentElement.dataset['locks'] = type
      return request(type)
    }
  })
  const wall = await WallPage.open(context, show.url)
  const locks = (): Promise<string | undefined> =>
    wall.page.evaluate(() => document.documentElement.dataset['locks'])
  await expect.poll(locks).toBe('screen')
  expect(wall.errors).toEqual([])
})

test('a page of the LAN, which has none, by a video that nobody sees or touches', async () => {
  const context = await browser().newContext()
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'wakeLock'))
  const wall = await WallPage.open(context, show.url)
  const video = wall.page.locator('video')
  await expect.poll(() => video.count()).toBe(1)
  const told = (): Promise<unknown> => video.evaluate((each) => {
    const one = each as HTMLVideoElement
    const { left, top, right, bottom } = one.getBoundingClientRect()
    return {
      plays: !one.paused && one.readyState >= one.HAVE_CURRENT_DATA,
      isSilent: one.muted,
      // Chromium counts what lies within the window.
      isWithin: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
      isTouched: document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === one,
      isSeen: Number(getComputedStyle(one).opacity) > 0,
    }
  })
  await expect.poll(told).toEqual({
    plays: true, isSilent: true, isWithin: true, isTouched: false, isSeen: false,
  })
  // One that was paused, e.g. by a browser that saves power, plays again with the next touch.
  await video.evaluate((one) => (one as HTMLVideoElement).pause())
  await wall.button('Warm').click()
  await expect.poll(() => video.evaluate((one) => (one as HTMLVideoElement).paused)).toBe(false)
  await expect.poll(() => wall.stateOf('Warm')).toBe('playing')
  expect(wall.errors).toEqual([])
})
