// The budgets of the wall that every run asserts: its size, what it asks for, and that it works as
// a page of the LAN, which is no secure context.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const PAGES = resolve(import.meta.dirname, '../../dist/pages')
const WALL_BYTES = 60 * 1_024
const REQUESTS_UNTIL_USABLE = 6
const BUTTONS = 1_000

const buttons = Array.from({ length: BUTTONS }, (_each, n) => ({
  title: `Button ${n + 1}`, kind: 'image',
}))
const show = new WallShow('Budgets', [
  { title: 'Beds', buttons: [{ title: 'Warm' }] }, { title: 'Many', buttons },
])
const browser = browserBefore(show)

test('page, script and style are at most 60 KB, compressed', () => {
  const html = readFileSync(join(PAGES, 'index.html'), 'utf8')
  const names = [...html.matchAll(/\/assets\/([\w.-]+)"/g)].map(([, name]) => name ?? '')
  expect(names.length).toBeGreaterThanOrEqual(2)
  const assets = names.map((name) => readFileSync(join(PAGES, 'assets', name)))
  const bytes = [Buffer.from(html), ...assets].map((part) => gzipSync(part, { level: 9 }).length)
  expect(bytes.reduce((sum, part) => sum + part)).toBeLessThanOrEqual(WALL_BYTES)
  // Whoever asks gets it as it was compressed when it was built.
  const there = readdirSync(join(PAGES, 'assets'))
  for (const name of names) {
    expect(there).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]))
  }
})

describe('a wall of 1000 buttons', () => {
  test('is usable after six requests, and has one page of them in it', async () => {
    // A daemon that is still looking into a thousand files names one show after the other.
    await show.settled()
    const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) asked.push(new URL(request.url()).pathname)
    })
    page.on('websocket', (socket) => asked.push(new URL(socket.url()).pathname))
    await page.goto(show.url)
    await page.locator('.wall[data-connection="live"] .cell').first().waitFor()
    expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(REQUESTS_UNTIL_USABLE)
    await page.getByRole('tab', { name: 'Many' }).click()
    await page.getByRole('button', { name: /^Button 1$/ }).waitFor()
    expect(await page.locator('.cell').count()).toBeLessThan(50)
    await page.getByRole('button', { name: 'Next page' }).click()
    expect(await page.locator('.page-number').textContent()).toMatch(/^2\/\d+$/)
    expect(await page.locator('.cell').count()).toBeLessThan(50)
    const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight)
    expect(scrolls).toBe(false)
    await context.close()
  })
})

test('works as a page of the LAN, where a browser lends less', async () => {
  const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
  await context.addInitScript(() => {
    for (const [of, names] of [
      [Crypto.prototype, ['randomUUID', 'subtle']],
      [Navigator.prototype, ['wakeLock', 'clipboard', 'keyboard', 'serviceWorker', 'locks']],
    ] as const) {
      for (const name of names) Reflect.deleteProperty(of, name)
    }
  })
  const wall = await WallPage.open(context, show.url)
  expect(await wall.page.evaluate(() => 'randomUUID' in crypto)).toBe(false)
  await wall.button('Warm').click()
  await expect.poll(() => wall.stateOf('Warm')).toBe('playing')
  await wall.page.getByRole('button', { name: 'Settings' }).click()
  await wall.page.getByRole('img', { name: show.url }).waitFor()
  await wall.panic.click()
  await expect.poll(() => wall.page.locator('.panic-told').textContent()).toBe('1 fading')
  expect(wall.errors).toEqual([])
  expect((await wall.trouble()).violations).toEqual([])
  await context.close()
})
