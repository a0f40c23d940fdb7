// Many: a thousand buttons, twenty runs, five walls in one browser, which has six connections to a
// host for all of its tabs together: every wall hears of a press, and every press gets through.
// It wants a machine to itself: set CARTWALL_MANY to run it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { expectAgreement, WallPage, WallShow } from './wall-rig.js'

const WALLS = 5
const RUNS = 20
const BUTTONS = 1_000
/** Twenty decoders start at once here, on a machine that may do other things. */
const WITHIN = { timeout: 15_000 }

const show = new WallShow('Many', [
  {
    title: 'Sounds',
    buttons: Array.from({ length: RUNS }, (_each, n) => ({
      title: `Sound ${String.fromCharCode(65 + n)}`, allowOverlap: true,
    })),
  },
  {
    title: 'Pictures',
    buttons: Array.from({ length: BUTTONS - RUNS }, (_each, n) => ({
      title: `Picture ${n + 1}`, kind: 'image',
    })),
  },
])
let browser: Browser
let context: BrowserContext
const walls: WallPage[] = []

beforeAll(async () => {
  if (process.env['CARTWALL_MANY'] === undefined) return
  browser = await launchChromium()
  await show.start()
  context = await browser.newContext({ viewport: { width: 1_366, height: 768 } })
  for (let n = 0; n < WALLS; n += 1) walls.push(await WallPage.open(context, show.url))
})

afterAll(async () => {
  await browser.close()
  await show.clean()
})

const wallAt = (n: number): WallPage => {
  const wall = walls[n % WALLS]
  if (wall === undefined) throw new Error(`there is no wall ${n}`)
  return wall
}

const isAsked = process.env['CARTWALL_MANY'] !== undefined
const many = test.skipIf(!isAsked)

many('what is pressed on any wall is seen on every wall', async () => {
  for (let n = 0; n < RUNS; n += 1) {
    const title = `Sound ${String.fromCharCode(65 + n)}`
    await wallAt(n).button(title).click()
  }
  for (const wall of walls) {
    await expect.poll(() => wall.page.locator('.cell.is-playing').count(), WITHIN).toBe(RUNS)
    expect(await wall.page.locator('.row').count()).toBe(8)
    expect(await wall.page.locator('.now-more').textContent()).toBe(`${RUNS - 8} more`)
  }
})

many('a panic on one wall is silence on all', async () => {
  await wallAt(2).panic.click()
  await wallAt(3).panic.click()
  await wallAt(2).panic.click()
  for (const wall of walls) {
    await expect.poll(() => wall.page.locator('.cell.is-idle').count(), WITHIN).toBe(RUNS)
    await expectAgreement(wall, show)
    expect(wall.errors).toEqual([])
  }
})
