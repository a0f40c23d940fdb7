// Killed and back: a loss is told within two seconds, nothing is pressed by itself, and all is
// right within a second of the daemon listening again, without a reload.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { expectAgreement, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Back', [
  {
    title: 'Beds',
    buttons: [
      { title: 'Warm' }, { title: 'Cold', allowOverlap: true },
      { title: 'Lamps', kind: 'dmx', dmx: { timeline: 'light.json', loop: true } },
    ],
  },
])
const TIMELINE = readFileSync(join(import.meta.dirname, '../../demo/lights/blink.json'), 'utf8')
let browser: Browser
let wall: WallPage

beforeAll(async () => {
  browser = await launchChromium()
  show.writeFile('light.json', TIMELINE)
  await show.start()
  const context = await browser.newContext({ viewport: { width: 1_366, height: 768 } })
  wall = await WallPage.open(context, show.url)
  await wall.page.evaluate(() => (document.body.dataset['mark'] = 'not reloaded'))
})

afterAll(async () => {
  await browser.close()
  await show.clean()
})

const banner = (): Promise<string | null> =>
  wall.page.locator('.banners').textContent({ timeout: 1_000 })

test('killed in the middle, and started again after ten seconds', { timeout: 60_000 }, async () => {
  await show.settled()
  await wall.button('Warm').click()
  await expect.poll(() => wall.stateOf('Warm')).toBe('playing')
  await show.kill()
  await expect.poll(banner, { timeout: 2_000 }).toMatch(/^No connection since \d\d:\d\d:\d\d/)
  const pressUntil = performance.now() + 10_000
  while (performance.now() < pressUntil) {
    await wall.button('Cold').click()
    await wall.page.waitForTimeout(310)
  }
  expect(await wall.page.locator('.cell-message').textContent()).toContain('no connection')
  await show.start()
  await expect.poll(banner, { timeout: 1_000, interval: 20 }).toBe('')
  await wall.isLive()
  await expect.poll(() => wall.stateOf('Warm')).toBe('idle')
  // Whatever was pressed in between does not come true: no run, now or a little later.
  await wall.page.waitForTimeout(1_500)
  expect(await show.states()).toEqual([])
  await expectAgreement(wall, show)
  await wall.button('Cold').click()
  await expect.poll(() => wall.stateOf('Cold')).toBe('playing')
  expect(await wall.page.evaluate(() => document.body.dataset['mark'])).toBe('not reloaded')
})

test('panic without a daemon is told in the largest letters', async () => {
  await show.kill()
  await wall.panic.click()
  const told = wall.page.locator('.panic-told.is-not_sent')
  await told.waitFor({ timeout: 4_000 })
  expect(await told.locator('span').first().textContent()).toBe('PANIC WAS NOT SENT')
  const size = await told.evaluate((element) => getComputedStyle(element).fontSize)
  expect(Number.parseFloat(size)).toBeGreaterThan(100)
  await show.start()
  await wall.isLive()
  // What plays is seen again at once, and what was missed is still said.
  await expect.poll(() => told.count(), { timeout: 2_000 }).toBe(0)
  const words = (): Promise<string | null> => wall.page.locator('.panic-told').textContent()
  expect(await words()).toBe('Connected again: panic was not sent')
  // On a phone too, all of it.
  await wall.page.setViewportSize({ width: 390, height: 844 })
  const box = await wall.page.locator('.panic-told').boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  await wall.page.setViewportSize({ width: 1_366, height: 768 })
  await wall.panic.click()
  await expect.poll(words).toBe('Nothing was on')
})

test('a daemon that hangs: the sign is taken away by a touch that presses nothing', async () => {
  const cell = await wall.button('Warm').boundingBox()
  if (cell === null) throw new Error('no button is seen')
  process.kill(show.pid, 'SIGSTOP')
  try {
    await wall.page.keyboard.press('Escape')
    const told = wall.page.locator('.panic-told.is-not_sent')
    await told.waitFor({ timeout: 10_000 })
    expect(await told.locator('span').first().textContent()).toBe('NO ANSWER TO PANIC')
    await wall.page.mouse.click(cell.x + 20, cell.y + 20)
    await expect.poll(() => told.count(), { timeout: 1_000 }).toBe(0)
    await wall.page.keyboard.press('Escape')
    await told.waitFor({ timeout: 10_000 })
    await wall.page.keyboard.press('Digit1')
    await expect.poll(() => told.count(), { timeout: 1_000 }).toBe(0)
  } finally {
    process.kill(show.pid, 'SIGCONT')
  }
  await wall.isLive()
  await wall.page.waitForTimeout(1_500)
  expect(await show.states()).toEqual([])
})

test('the time of lights stands still without a daemon', async () => {
  await wall.button('Lamps').click()
  await wall.page.getByRole('button', { name: 'Lights' }).click()
  const time = wall.page.locator('.timeline-time')
  await expect.poll(() => time.textContent()).toMatch(/^\d/)
  await show.kill()
  await expect.poll(() => time.textContent()).toBe('––:––')
  await show.start()
  await wall.isLive()
  await wall.page.keyboard.press('Escape')
})

test('a daemon that is told to end says so', async () => {
  process.kill(show.pid, 'SIGTERM')
  await expect.poll(banner, { timeout: 2_000 }).toMatch(/shut/)
  // Once it is gone the sentence is a long one, and covers nothing of what plays.
  await expect.poll(banner).toMatch(/Buttons do nothing/)
  const box = await wall.page.locator('.banner').boundingBox()
  const now = await wall.page.locator('.now').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(now?.x ?? 0)
})
