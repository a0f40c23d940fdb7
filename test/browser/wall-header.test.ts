// The header in windows of every width: each tool is reached, none by way of panic, and what is
// wrong is read.
import { expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('A quiz night in the hall', [
  { title: 'Beds', buttons: [{ title: 'Warm' }, { title: 'Cool' }] },
])
const browser = browserBefore(show)

const TOOLS = ['Search', 'Stages', 'Lights', 'Keys', 'Settings'] as const

const openAt = async (width: number, height: number): Promise<WallPage> =>
  WallPage.open(await browser().newContext({ viewport: { width, height } }), show.url)

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The free way between two boxes; below zero they lie over one another. */
const between = (a: Box, b: Box): number => Math.max(
  a.x - b.x - b.width, b.x - a.x - a.width, a.y - b.y - b.height, b.y - a.y - a.height,
)

const boxOf = async (wall: WallPage, name: string): Promise<Box> => {
  const box = await wall.page.getByRole('button', { name }).boundingBox()
  if (box === null) throw new Error(`${name} is not drawn`)
  return box
}

test.each([
  [320, 640], [320, 256], [340, 640], [360, 640], [374, 667], [375, 667], [390, 844], [600, 900],
  [640, 360], [844, 390], [1_024, 600], [1_366, 768],
])('at %i x %i every tool is touched, and panic by none of them', async (width, height) => {
  const wall = await openAt(width, height)
  const panic = await boxOf(wall, 'Panic')
  for (const name of TOOLS) {
    const box = await boxOf(wall, name)
    expect(between(box, panic), name).toBeGreaterThanOrEqual(8)
    expect(box.x, name).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width, name).toBeLessThanOrEqual(width)
    expect(Math.min(box.width, box.height), name).toBeGreaterThanOrEqual(44)
    // Both ends of it are its own.
    for (const x of [box.x + 2, box.x + box.width - 2]) {
      const met = await wall.page.evaluate(
        ([left, top]) => document.elementFromPoint(left, top)?.closest('button')?.title,
        [x, box.y + box.height / 2] as const,
      )
      expect(met).toBe(name)
    }
  }
  await wall.page.context().close()
})

/** Whether all that is in an element is seen in it. */
const isWhole = (wall: WallPage, selector: string): Promise<boolean> =>
  wall.page.locator(selector).first().evaluate((element) =>
    element.clientWidth > 0 && element.scrollWidth <= element.clientWidth
      && element.scrollHeight <= element.clientHeight)

test('a stage that is gone is read whole, in the header or beside Now playing', async () => {
  const wide = await openAt(1_366, 768)
  const phone = await openAt(390, 844)
  const stage = await browser().newPage()
  await stage.goto(`${show.url}stage`)
  await wide.page.getByRole('button', { name: 'Stages: 1 in step' }).waitFor()
  await stage.close()
  await wide.page.getByRole('button', { name: 'Stages: gone: 1' }).waitFor()
  expect(await isWhole(wide, '.tool-note')).toBe(true)
  const trouble = phone.page.locator('.now-trouble')
  await expect.poll(() => trouble.textContent()).toBe('nothing is heard stage gone: 1')
  expect(await isWhole(phone, '.now-trouble')).toBe(true)
  for (const { page } of [wide, phone]) await page.context().close()
})

test('Ctrl A marks nothing of the wall, and what a field holds', async () => {
  const wall = await openAt(1_366, 768)
  const marked = (): Promise<string | undefined> =>
    wall.page.evaluate(() => getSelection()?.toString().trim())
  await wall.page.keyboard.press('Control+a')
  expect(await marked()).toBe('')
  await wall.page.keyboard.press('Backquote')
  await wall.page.keyboard.type('warm')
  await wall.page.keyboard.press('Control+a')
  expect(await marked()).toBe('warm')
  await wall.page.context().close()
})
