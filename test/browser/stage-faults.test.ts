// The stage where something stands in its way: a file that is away, or broken, for a while.
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { button, delay, LOOKED_INTO_MS, type ButtonJson } from '../devices/daemon-rig.js'
import { CLIP, H264 } from './stage-clips.js'
import { StageRig, UNHEARD } from './stage-rig.js'

const WITHIN = { timeout: 15_000 }
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const image = (): string => join(rig.daemon.folder, 'pixel.png')

const rig = new StageRig(UNHEARD)
const buttons = [{ kind: 'video', media: 'blue.mp4' }, { kind: 'image', media: 'pixel.png' }]

/** As an export leaves it that is not done yet. */
const writeImage = (bytes: number): void =>
  writeFileSync(image(), Buffer.from(PIXEL, 'base64').subarray(0, bytes))

beforeAll(async () => {
  const clip = { framesPerSecond: 25, seconds: 60, ground: 'blue', coding: H264 } as const
  await rig.clips([clip], ['blue.mp4'])
  writeImage(40)
  await rig.open([{ buttons }])
})

afterEach(() => rig.silence([2]))
afterAll(() => rig.close())

const open = async (address: string, away: () => boolean): Promise<Page> => {
  const viewport = { width: CLIP.width, height: CLIP.height }
  const page = await rig.browser.newPage({ viewport })
  await page.route('**/media/**', (route) => away() ? route.abort() : route.continue())
  await page.goto(`${rig.address}${address}`)
  return page
}

/** The show is saved anew, and read by the page. */
const saved = async (page: Page, title: string, all: readonly ButtonJson[] = buttons) => {
  const read = page.waitForResponse(/\/show$/)
  rig.daemon.writeShow([{ buttons: all, title }])
  await read
}

const diagnostics = (page: Page) => async (): Promise<string> =>
  (await page.locator('#diagnostics').textContent()) ?? ''

test('a file that could not be had is shown once it can, in the middle of its run', async () => {
  let isAway = true
  const page = await open('/stage?name=cut', () => isAway)
  await rig.play(1)
  const failed = () => page.locator('video').evaluateAll((all) =>
    all.filter((one) => (one as HTMLVideoElement).error !== null).length)
  await expect.poll(failed, WITHIN).toBeGreaterThan(0)
  isAway = false
  const furthest = () => page.locator('video').evaluateAll((all) =>
    Math.max(...all.map((one) => (one as HTMLVideoElement).currentTime)))
  await expect.poll(furthest, WITHIN).toBeGreaterThan(2)
  await page.close()
})

test('an image that was broken is not told to be so once it is whole, and shown', async () => {
  const page = await open('/stage?name=image', () => false)
  await page.keyboard.press('d')
  expect((await rig.daemon.post(`/buttons/${button(2)}/play`)).status).toBe(202)
  await expect.poll(diagnostics(page), WITHIN).toContain('cannot be decoded')
  writeImage(Infinity)
  await saved(page, 'whole')
  const whole = page.locator('img:not(.hidden)')
  await expect.poll(() => whole.evaluateAll((all) =>
    all.map((one) => (one as HTMLImageElement).naturalWidth)), WITHIN).toEqual([1])
  await expect.poll(diagnostics(page), { timeout: 2_000 }).not.toContain('cannot be decoded')
  await page.close()
})

test('an image that is shown stays, where its file is replaced by a broken one', async () => {
  const page = await open('/stage?name=broken', () => false)
  await page.keyboard.press('d')
  expect((await rig.daemon.post(`/buttons/${button(2)}/play`)).status).toBe(202)
  const seen = page.locator('img:not(.hidden)')
  await seen.waitFor()
  writeImage(40)
  await saved(page, 'broken')
  await expect.poll(diagnostics(page), WITHIN).toContain('cannot be decoded')
  await delay(800)
  expect(await seen.evaluateAll((all) =>
    all.map((one) => (one as HTMLImageElement).naturalWidth))).toEqual([1])
  writeImage(Infinity)
  await page.close()
})

test('the spare of a video is of its new file, where that is replaced before it is played',
  async () => {
    const page = await open('/stage?name=spare', () => false)
    const spare = page.locator('video[src]')
    const before = await spare.first().getAttribute('src')
    const time = new Date(Date.now() - 60_000)
    utimesSync(join(rig.daemon.folder, 'blue.mp4'), time, time)
    await saved(page, 'touched')
    const source = (): Promise<string | null> => spare.first().getAttribute('src')
    await expect.poll(source, { timeout: LOOKED_INTO_MS }).not.toBe(before)
    await page.close()
  })

test('an image that is started beneath a video is loaded before the video ends', async () => {
  const page = await open('/stage?name=beneath', () => false)
  await page.keyboard.press('d')
  const executionId = await rig.play(1)
  await page.locator('video:not(.hidden)').waitFor()
  expect((await rig.daemon.post(`/buttons/${button(2)}/play`)).status).toBe(202)
  await page.locator('img').waitFor({ state: 'attached' })
  expect(await page.locator('img:not(.hidden)').count()).toBe(0)
  // It is told now and then.
  await expect.poll(diagnostics(page)).toContain(executionId)
  await rig.daemon.post(`/buttons/${button(2)}/stop`)
  await page.close()
})

test('pictures whose buttons left the show stay: the seam of a loop, an image, a stage anew',
  async () => {
    const page = await open('/stage?name=left', () => false)
    await page.keyboard.press('d')
    rig.daemon.writeShow([{
      buttons: [{ ...buttons[0], endMs: 1_500, fit: 'cover' }, buttons[1] ?? {}],
    }])
    await delay(1_500)
    expect((await rig.daemon.post(`/buttons/${button(2)}/play`)).status).toBe(202)
    const executionId = await rig.play(1, { loop: true })
    await page.locator('img').waitFor({ state: 'attached' })
    await saved(page, 'empty', [])
    await delay(4_000)
    const told = await diagnostics(page)()
    expect(told).toMatch(new RegExp(`on ${button(2)}@\\d+ < ${executionId}/[2-9]`))
    expect(told).not.toContain(`${button(1)}:`)
    const seen = page.locator('video:not(.hidden)')
    expect(await seen.evaluateAll((all) => all.map((one) => one.style.objectFit)))
      .toEqual(['cover'])
    await rig.daemon.post(`/buttons/${button(1)}/stop`, { executionId, fadeOutMs: 0 })
    await page.reload()
    await page.locator('img:not(.hidden)').waitFor()
    await saved(page, 'whole again')
    await page.close()
  })

test('the offset that was set by a key is not taken back when the show is saved', async () => {
  const page = await open('/stage?name=offset&offsetMs=40', () => false)
  await page.keyboard.press('d')
  await page.keyboard.press('+')
  await expect.poll(diagnostics(page), WITHIN).toContain('offset 45 ms')
  await saved(page, 'another')
  await delay(600)
  expect(await diagnostics(page)()).toContain('offset 45 ms')
  await page.close()
})
