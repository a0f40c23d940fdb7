// A file that is dragged onto a page by mistake: browsers open it over the wall or the stage.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserBefore, WallShow } from './wall-rig.js'

const show = new WallShow('Night', [{ title: 'Beds', buttons: [{ title: 'Warm' }] }])
const browser = browserBefore(show)

test.each(['', 'stage'])('is not opened over /%s', async (path) => {
  const context = await browser().newContext()
  const page = await context.newPage()
  await page.goto(`${show.url}${path}`)
  const debug = await context.newCDPSession(page)
  const data = { items: [], files: [join(show.folder, '1.wav')], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await debug.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
    await page.waitForTimeout(100)
  }
  await page.waitForTimeout(500)
  expect(context.pages().map((each) => each.url())).toEqual([`${show.url}${path}`])
  await context.close()
})
