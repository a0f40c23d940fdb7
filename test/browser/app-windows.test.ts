// Ten windows of an app and two videos that buffer, in one browser, which has six connections to a
// host for all of them together: every press arrives, and a panic is silence.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { AppWindows, evening } from './app-rig.js'
import { launchChromium } from './chromium.js'

const ROUNDS = 2
/** What is asked for on a machine of one's own; `bench/browser/app.ts` says what it is. */
const SOON_MS = 100
/** How many times as long as a bare request of the same page, where the machine is busy. */
const BARE_TIMES = 10
/** The client gives up after 5 s: what hangs on a connection that never comes takes as long. */
const HANGING_MS = 3_000

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const app = new AppWindows()
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  await app.open(await browser.newContext())
})

afterAll(async () => {
  await browser.close()
  await app.clean()
})

test('every press arrives at once, and a panic in one window is silence in all', async () => {
  const { bare, presses, panics } = await evening(app, ROUNDS)
  // The room was taken all the while. A browser that opens one anew has one for a moment, or three.
  await expect.poll(() => app.held()).toBeGreaterThanOrEqual(2)
  const soonMs = SOON_MS + BARE_TIMES * median(bare)
  for (const times of [presses, panics]) {
    expect(median(times)).toBeLessThan(soonMs)
    expect(Math.max(...times)).toBeLessThan(HANGING_MS)
  }
  expect((await app.show.status()).active).toEqual([])
  const modes = await Promise.all(app.windows.map((page) => page.evaluate(() => window.app.mode)))
  expect(new Set(modes)).toEqual(new Set(['live']))
})
