// From elsewhere nothing works: a page of another origin in the same browser reads no show and no
// waveforms, frames no page, and presses nothing by a form.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { WallShow } from './wall-rig.js'

const show = new WallShow('At home', [{ title: 'Beds', buttons: [{ title: 'Warm' }] }])
const server = http.createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Elsewhere</title><body></body>')
})
let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  await show.start()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})

afterAll(async () => {
  await browser.close()
  server.close()
  server.closeAllConnections()
  await show.clean()
})

beforeEach(async () => {
  page = await browser.newPage()
  // Another site, and not only another port: a name, where the daemon has a number.
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  return () => page.close()
})

/** What a script of the page gets to read; null: nothing. */
const read = (path: string): Promise<string | null> =>
  page.evaluate(async (url) => {
    try {
      return await (await fetch(url)).text()
    } catch {
      return null
    }
  }, new URL(path, show.url).href)

test.each([
  '/show', '/waves', `/waves/${show.idOf('Warm')}`, `/media/${show.idOf('Warm')}`, '/',
])('%s cannot be read', async (path) => {
  // Whoever asks by hand gets it: what is refused is there.
  const url = new URL(path, show.url)
  await expect.poll(async () => (await fetch(url)).status, { timeout: 20_000 }).toBe(200)
  expect(await read(path)).toBeNull()
})

test('the show cannot be taken in as a script, with whatever it says', async () => {
  const outcome = await page.evaluate(
    (src) =>
      new Promise<string>((done) => {
        const script = document.createElement('script')
        script.addEventListener('load', () => done('loaded'))
        script.addEventListener('error', () => done('refused'))
        script.src = src
        document.body.append(script)
      }),
    new URL('/show', show.url).href,
  )
  expect(outcome).toBe('refused')
})

test('the wall stands in no frame', async () => {
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.src = src
    document.body.append(frame)
  }, show.url)
  await expect.poll(() => page.frames().length).toBe(2)
  const frame = page.frames()[1]
  await frame?.waitForLoadState().catch(() => undefined)
  expect(await frame?.locator('.wall').count().catch(() => 0)).toBe(0)
})

test.each([
  'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain',
])('a form with %s presses nothing', async (enctype) => {
  const action = `${show.baseUrl}/buttons/${show.idOf('Warm')}/play`
  const answered = page.waitForResponse((response) => response.url() === action)
  await page.evaluate(
    ([to, type]) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.action = to ?? ''
      form.enctype = type ?? ''
      document.body.append(form)
      form.submit()
    },
    [action, enctype],
  )
  expect((await answered).status()).toBe(403)
  expect(await show.states()).toEqual([])
})
