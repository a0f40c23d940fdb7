// Now playing: what becomes of a press there, also of a run whose button is in no show any more.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Edited', [
  { title: 'Beds', buttons: [{ title: 'Warm' }, { title: 'Cool' }] },
])
const browser = browserBefore(show)

test('a run whose button is in no show any more is stopped there; refusals are told', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.button('Warm').click()
  await wall.page.locator('.row.is-playing', { hasText: 'Warm' }).waitFor()
  const written = JSON.parse(readFileSync(join(show.folder, 'show.json'), 'utf8')) as {
    playlists: { buttons: unknown[] }[]
  }
  written.playlists[0]?.buttons.shift()
  show.writeFile('show.json', JSON.stringify(written))
  await wall.button('Warm').waitFor({ state: 'detached' })

  const menu = wall.page.getByRole('button', { name: 'Menu of the run of Warm' })
  await menu.click()
  await wall.page.getByRole('menuitem', { name: 'Restart' }).click()
  const words = wall.page.locator('.row', { hasText: 'Warm' }).locator('.row-words')
  await expect.poll(() => words.textContent()).toMatch(/button/)
  await menu.click()
  await wall.page.getByRole('menuitem', { name: 'Cut' }).click()
  await expect.poll(() => show.states()).toEqual([])
  expect(wall.errors).toEqual([])
})

test('an Enter that is held is one press: on the menu of a run, and on panic', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  const stops: string[] = []
  wall.page.on('request', (request) => {
    if (request.url().endsWith('/stop')) stops.push(request.postData() ?? '')
  })
  await wall.button('Cool').click()
  await wall.page.locator('.row.is-playing', { hasText: 'Cool' }).waitFor()
  const runs = async () => (await show.status()).active.map(({ executionId }) => executionId)
  const before = await runs()
  const { keyboard } = wall.page
  const held = async (key: string): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await keyboard.down(key)
    await keyboard.up(key)
  }
  await wall.page.getByRole('button', { name: 'Menu of the run of Cool' }).focus()
  await held('Enter')
  await wall.page.getByRole('menuitem', { name: 'Restart' }).waitFor()
  await keyboard.press('Escape')
  expect(await runs()).toEqual(before)
  await wall.panic.focus()
  await held('NumpadEnter')
  await expect.poll(() => stops.length).toBeGreaterThan(0)
  expect(stops).toEqual(['{"fadeOutMs":1500}'])
})
