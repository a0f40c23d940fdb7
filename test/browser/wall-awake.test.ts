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

test('a page of the LAN, which has none, works as ever', async () => {
  const context = await browser().newContext()
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'wakeLock'))
  const wall = await WallPage.open(context, show.url)
  await wall.button('Warm').click()
  await expect.poll(() => wall.stateOf('Warm')).toBe('playing')
  expect(wall.errors).toEqual([])
})
