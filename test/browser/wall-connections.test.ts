// A browser has six connections to a host for all of its tabs together, and large videos that are
// paused on stages keep one each: what a wall asks for waits for none of them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { WallPage, WallShow } from './wall-rig.js'

const CONNECTIONS = 6
const WITHIN = { timeout: 15_000 }
/** More than what browser and system read ahead: some 60 MB. */
const LARGE_MS = 3_600_000

const show = new WallShow('Two screens', [
  { title: 'Clips', buttons: [{ title: 'Bed' }, { title: 'Large', ms: LARGE_MS }] },
])
let browser: Browser
let wall: WallPage
let beside: Page

/** As stages hold what is paused: what is beyond its first seconds is left at the daemon. */
const holdAll = (page: Page): Promise<void> =>
  page.evaluate(async ({ path, count }) => {
    for (let n = 0; n < count; n += 1) {
      const media = new Audio(`${path}?n=${n}`)
      media.preload = 'auto'
      document.body.append(media)
      await new Promise((done) => media.addEventListener('canplaythrough', done))
    }
  }, { path: `/media/${show.idOf('Large')}`, count: CONNECTIONS })

beforeAll(async () => {
  const [launched] = await Promise.all([launchChromium(), show.start()])
  browser = launched
  const context = await browser.newContext()
  wall = await WallPage.open(context, show.url)
  beside = await context.newPage()
  await beside.goto(`${show.url}stage?name=beside`)
})

afterAll(async () => {
  await browser.close()
  await show.clean()
})

test('a press, a panic and a show that is saved wait for none', async () => {
  await holdAll(beside)
  // A wall that missed an answer meanwhile, on a machine with much to do, takes no press.
  await wall.page.locator('.wall[data-connection="live"]').waitFor()
  await wall.button('Bed').click()
  await expect.poll(() => show.states(), WITHIN).toEqual(['Bed: playing'])
  await wall.panic.click()
  await expect.poll(() => show.states(), WITHIN).toEqual([])
  const playlists = [{ id: '00000000-0000-4000-8000-000000090001', title: 'Saved', buttons: [] }]
  show.writeFile('show.json', JSON.stringify({ version: 1, title: 'Two screens', playlists }))
  await wall.tab('Saved').waitFor()
})
