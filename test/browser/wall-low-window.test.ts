// Windows that are low, as a phone held sideways or a page at 400 %: the page itself moves there,
// and panic is to be pressed all the same, wherever it was moved to and whatever is open.
import { beforeEach, expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Night', [
  { title: 'Beds', buttons: [{ title: 'Warm' }, { title: 'Cold' }] },
])
const browser = browserBefore(show)

beforeEach(() => show.post('/stop', { fadeOutMs: 0 }))

/** What a finger meets that lands on panic, near its middle and its corners. */
const metAtPanic = (wall: WallPage): Promise<readonly string[]> => wall.page.evaluate(() => {
  const { x, y, width, height } = document.querySelector('.panic')!.getBoundingClientRect()
  return [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].map(([right, down]) =>
    document.elementFromPoint(x + right! * width, y + down! * height)?.className ?? 'out of sight')
})

test.each([[844, 390], [1_024, 520], [320, 256]])(
  'panic is in sight, and its word, in %i x %i', async (width, height) => {
    await show.post(`/buttons/${show.idOf('Warm')}/play`, null)
    await expect.poll(() => show.states()).toEqual(['Warm: playing'])
    const context = await browser().newContext({ viewport: { width, height } })
    const wall = await WallPage.open(context, show.url)
    const free = new Array<string>(5).fill('panic is-calm')
    await wall.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    expect(await metAtPanic(wall)).toEqual(free)
    await wall.page.getByRole('button', { name: 'Menu of the run of Warm' }).click()
    await wall.page.locator('.menu').waitFor()
    expect(await metAtPanic(wall)).toEqual(free)
    await wall.panic.click()
    const told = wall.page.locator('.panic-told')
    await expect.poll(() => told.textContent()).toMatch(/1 fading/)
    const box = await told.boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height)
    await context.close()
  })
