// Now playing: what becomes of a press there, also of a run whose button is in no show any more.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Edited', [
  {
    title: 'Beds',
    buttons: [
      { title: 'Warm' }, { title: 'Cool' }, { title: 'Poster', kind: 'image' },
      { title: 'Short', ms: 60_000 },
    ],
  },
])
const browser = browserBefore(show)

const saveWithout = (title: string): void => {
  const written = JSON.parse(readFileSync(join(show.folder, 'show.json'), 'utf8')) as {
    playlists: { buttons: { title: string }[] }[]
  }
  const [list] = written.playlists
  if (list !== undefined) list.buttons = list.buttons.filter((button) => button.title !== title)
  show.writeFile('show.json', JSON.stringify(written))
}

test('a run whose button is in no show any more is stopped there; refusals are told', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.button('Warm').click()
  await wall.page.locator('.row.is-playing', { hasText: 'Warm' }).waitFor()
  saveWithout('Warm')
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

test('a picture is there, also once its button is in no show any more, and stopped', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.button('Poster').click()
  await expect.poll(() => wall.stateOf('Poster')).toBe('shown')
  const words = () => wall.page.locator('.row-words').allTextContents()
  await expect.poll(words).toEqual(['shown'])
  saveWithout('Poster')
  await expect.poll(words).toEqual(['its button is not in the show any more'])
  await wall.page.getByRole('button', { name: 'Stop Poster' }).click()
  await expect.poll(() => show.states()).toEqual([])
  await expect.poll(() => wall.page.locator('.row').count()).toBe(0)
})

test.each([[390, 844], [820, 1_180]])('%d x %d says there what its header has no room for',
  async (width, height) => {
    const context = await browser().newContext({ viewport: { width, height } })
    const wall = await WallPage.open(context, show.url)
    await wall.page.getByText('nothing is heard').locator('visible=true').waitFor()
    await context.close()
  })

test('the bar of a run is where the run is, on a wall that is opened in its middle', async () => {
  const context = await browser().newContext()
  const first = await WallPage.open(context, show.url)
  await first.button('Short').click()
  await first.page.locator('.row.is-playing', { hasText: 'Short' }).waitFor()
  await first.page.waitForTimeout(6_000)
  const wall = await WallPage.open(context, show.url)
  const shareOf = (selector: string): Promise<number> =>
    wall.page.locator(selector).first().evaluate((bar) => {
      const { m41 } = new DOMMatrix(getComputedStyle(bar).transform)
      return 1 + m41 / bar.getBoundingClientRect().width
    })
  await wall.page.waitForTimeout(500)
  for (const bar of ['.row-progress', '.is-playing .wave-progress']) {
    const [run] = (await show.status()).active
    const share = await shareOf(bar)
    expect(Math.abs(share - (run?.positionMs ?? 0) / 60_000)).toBeLessThan(0.05)
  }
  await show.post('/stop', { fadeOutMs: 0 })
  await context.close()
})
