// Windows that are low, as a phone held sideways or a page at 400 %: the page itself moves there,
// and panic is to be pressed all the same, wherever it was moved to and whatever is open.
import { beforeEach, expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Night', [
  { title: 'Beds', buttons: [{ title: 'Warm' }, { title: 'Cold' }] },
  { title: 'Songs', buttons: Array.from({ length: 12 }, (_, n) => ({ title: `Song ${n}` })) },
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

test.each([[844, 390], [640, 360], [390, 500]])(
  'what plays and what is wrong is in sight before anything is moved, in %i x %i',
  async (width, height) => {
    await show.post(`/buttons/${show.idOf('Warm')}/play`, null)
    const context = await browser().newContext({ viewport: { width, height } })
    const wall = await WallPage.open(context, show.url)
    const row = wall.page.locator('.row', { hasText: 'Warm' })
    await row.waitFor()
    const seen = [row, wall.page.getByText('nothing is heard').locator('visible=true').first()]
    for (const each of seen) {
      const box = await each.boundingBox()
      expect(box?.y).toBeGreaterThanOrEqual(0)
      // The last pixels of a row are the gap to the next one.
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height + 4)
    }
    // What a button that the keyboard reaches is called is not behind it.
    await wall.page.keyboard.press('End')
    const focus = await wall.page.locator('.press:focus .cell-title').boundingBox()
    const now = await wall.page.locator('.now').boundingBox()
    expect((focus?.y ?? 0) + (focus?.height ?? 0)).toBeLessThanOrEqual(now?.y ?? 0)
    // Drawn up it shows the rest.
    await wall.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const ends = await wall.page.locator('.now').boundingBox()
    expect((ends?.y ?? 0) + (ends?.height ?? 0)).toBeLessThanOrEqual(height)
    expect((await wall.trouble()).shifts).toEqual([])
    await context.close()
  })

test.each([[844, 700], [900, 700], [1_024, 600], [1_366, 768]])(
  'the title of the show is read, or not there, in %i x %i', async (width, height) => {
    const context = await browser().newContext({ viewport: { width, height } })
    const wall = await WallPage.open(context, show.url)
    const title = wall.page.locator('.show-title span')
    const isSeen = await title.evaluate((each) =>
      each.checkVisibility({ visibilityProperty: true }))
    const { width: own = 0 } = await title.boundingBox() ?? {}
    expect(isSeen ? own > 84 : own <= 84).toBe(true)
    await context.close()
  })

test.each([[1_280, 600], [844, 390]])(
  'what the search would choose is in sight, in %i x %i', async (width, height) => {
    const context = await browser().newContext({ viewport: { width, height } })
    const wall = await WallPage.open(context, show.url)
    const chosen = wall.page.locator('.found-one[aria-selected="true"]')
    const bottom = async (): Promise<number> => {
      const box = await chosen.boundingBox()
      return (box?.y ?? Infinity) + (box?.height ?? 0)
    }
    await wall.page.keyboard.press('Backquote')
    await wall.page.keyboard.type('song')
    for (let n = 0; n < 11; n += 1) await wall.page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen.textContent()).toContain('Song 11')
    expect(await bottom()).toBeLessThanOrEqual(height)
    for (let n = 0; n < 11; n += 1) await wall.page.keyboard.press('ArrowUp')
    await expect.poll(() => chosen.textContent()).toContain('Song 0')
    const field = await wall.page.locator('.search input').boundingBox()
    const head = await wall.page.locator('.panel-head').boundingBox()
    expect(field?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0))
    await context.close()
  })

test('a menu that is open is in sight still when a tablet is turned', async () => {
  const context = await browser().newContext({ viewport: { width: 1_180, height: 820 } })
  const wall = await WallPage.open(context, show.url)
  await wall.page.getByRole('button', { name: 'Menu of Cold' }).click()
  await wall.page.locator('.menu').waitFor()
  await wall.page.setViewportSize({ width: 500, height: 820 })
  const right = async (): Promise<number> => {
    const box = await wall.page.locator('.menu').boundingBox()
    return (box?.x ?? Infinity) + (box?.width ?? 0)
  }
  await expect.poll(right).toBeLessThanOrEqual(500)
  await context.close()
})
