// Keys of a wall on which something happens meanwhile: the show is edited, a panel stands open.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buttonOf } from '../devices/client-daemon.js'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const sting = (n: number) => ({ title: `Sting ${n}`, ms: 200 })
const show = new WallShow('Edited', [
  { title: 'Beds', buttons: [{ title: 'Warm' }, { title: 'Cool' }, { title: 'Calm' }] },
  { title: 'Stings', buttons: Array.from({ length: 40 }, (_, n) => sting(n)) },
  ...Array.from({ length: 8 }, (_, n) => ({ title: `Another list ${n}`, buttons: [] })),
])
const browser = browserBefore(show)

interface Written {
  readonly playlists: { buttons: { title: string; id: string }[] }[]
}

const edit = (change: (buttons: { title: string; id: string }[]) => void): void => {
  const written = JSON.parse(readFileSync(join(show.folder, 'show.json'), 'utf8')) as Written
  change(written.playlists[0]?.buttons ?? [])
  show.writeFile('show.json', JSON.stringify(written))
}

const focused = (wall: WallPage): Promise<string> => wall.page.evaluate(() =>
  document.activeElement?.querySelector(':scope > .cell-title')?.textContent
    ?? document.activeElement?.tagName ?? '')

const FAST: readonly (readonly [readonly string[], string])[] = [
  // Two lists that have buttons, and back.
  [['Equal', 'Minus'], 'Warm'], [['Equal', 'Minus', 'Equal'], 'Sting 0'],
  // Through all the empty ones, and around.
  [new Array<string>(10).fill('Equal'), 'Warm'], [new Array<string>(11).fill('Equal'), 'Sting 0'],
  [['Equal', 'ArrowRight', 'ArrowRight', 'PageDown', 'PageUp', 'ArrowRight'], 'Sting 1'],
]

test.each(FAST)('after %j, held or fast, the focus is where they led', async (codes, title) => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.button('Warm').focus()
  await Promise.all(codes.map((code) => wall.page.keyboard.down(code)))
  await expect.poll(() => focused(wall)).toBe(title)
  expect(await focused(wall)).toBe(title)
  await wall.page.keyboard.press('End')
  await expect.poll(() => focused(wall)).not.toBe(title)
  expect(await focused(wall)).toMatch(/Calm|Sting/)
  expect(wall.errors).toEqual([])
})

test('keys bring the focus into the grid from the page, and press nothing by that', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  const press = async (code: string): Promise<string> => {
    await wall.page.keyboard.press(code)
    return focused(wall)
  }
  expect(await press('Enter')).toBe('BODY')
  expect(await press('Space')).toBe('BODY')
  expect(await press('ArrowRight')).toBe('Warm')
  expect(await press('ArrowRight')).toBe('Cool')
  await wall.page.locator('.pages').click()
  expect(await focused(wall)).toBe('BODY')
  expect(await press('ArrowRight')).toBe('Cool')
  await wall.page.locator('.pages').click()
  expect(await press('End')).toBe('Calm')
  await wall.page.locator('.pages').click()
  expect(await press('Shift+F10')).toBe('Calm')
  await wall.page.keyboard.press('Shift+F10')
  await wall.page.getByRole('menu', { name: 'Calm' }).waitFor()
  await wall.page.keyboard.press('Escape')
  expect(await show.states()).toEqual([])
})

test('the place of a button that left the show keeps the focus, and Enter presses no neighbour',
  async () => {
    const wall = await WallPage.open(await browser().newContext(), show.url)
    await wall.button('Cool').focus()
    const before = readFileSync(join(show.folder, 'show.json'), 'utf8')
    edit((buttons) => buttons.splice(1, 1))
    await wall.button('Cool').waitFor({ state: 'detached' })
    await wall.page.keyboard.press('Enter')
    await wall.page.keyboard.press('ArrowRight')
    expect(await focused(wall)).toBe('Calm')
    expect(await show.states()).toEqual([])
    show.writeFile('show.json', before)
    await wall.button('Cool').waitFor()
  })

test('Enter presses the button that has the focus, where others came before it', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.button('Cool').focus()
  edit((buttons) => {
    const [first] = buttons
    if (first !== undefined) buttons.unshift({ ...first, id: buttonOf(50), title: 'New' })
  })
  await wall.button('New').waitFor()
  expect(await focused(wall)).toBe('Cool')
  await wall.page.keyboard.press('Enter')
  await expect.poll(() => show.states()).toEqual(['Cool: playing'])
  await wall.page.keyboard.press('ArrowRight')
  await expect.poll(() => focused(wall)).toBe('Calm')
  await show.post('/stop', { fadeOutMs: 0 })
  expect(wall.errors).toEqual([])
})

test('the focus stays in the search, where an arrow before it had led nowhere', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.page.locator('.press').first().focus()
  await wall.page.keyboard.press('ArrowLeft')
  await wall.page.keyboard.press('Backquote')
  await wall.page.keyboard.type('ca')
  edit((buttons) => buttons.pop())
  await wall.button('Calm').waitFor({ state: 'detached' })
  await wall.page.evaluate(() => new Promise((drawn) =>
    requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await focused(wall)).toBe('INPUT')
  expect(wall.errors).toEqual([])
})

test('keys press buttons while the lights stand open beside them, once the grid has the focus',
  async () => {
    const wall = await WallPage.open(await browser().newContext(), show.url)
    await wall.page.getByRole('button', { name: 'Lights' }).click()
    await wall.page.keyboard.press('Digit1')
    await wall.page.locator('.press').last().focus()
    await wall.page.keyboard.press('Digit2')
    await expect.poll(() => show.states()).toEqual(['Warm: playing'])
    await wall.page.getByRole('button', { name: 'Search' }).click()
    await wall.page.locator('.press').last().focus()
    await wall.page.keyboard.press('Digit3')
    await wall.page.waitForTimeout(300)
    expect(await show.states()).toEqual(['Warm: playing'])
    await show.post('/stop', { fadeOutMs: 0 })
  })

test('the tab of the playlist that is open is seen, whatever opened it', async () => {
  const context = await browser().newContext({ viewport: { width: 390, height: 844 } })
  const wall = await WallPage.open(context, show.url)
  const tab = wall.page.locator('.tab[aria-selected="true"]')
  for (const title of ['Another list 7', 'Another list 6']) {
    await wall.page.keyboard.press('Minus')
    await expect.poll(() => tab.textContent()).toContain(title)
    const box = await tab.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }
  expect((await wall.trouble()).shifts).toEqual([])
  await context.close()
})
