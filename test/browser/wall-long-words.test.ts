// Long names: titles, lists and refusals are read as far as there is room, and hang out nowhere.
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { browserBefore, type ListJson, WallPage, WallShow } from './wall-rig.js'

const LIST = 'Everything that comes before the doors are opened, with all its songs'
const LONG = 'A walk-in song with its artist, album and year and a note to whoever plays it'
const ARABIC = 'مرحبا بكم في الأمسية: أغنية طويلة جدا لكل الضيوف الذين جاؤوا اليوم إلى هنا'
const SHOUT = 'أغنية!'
const WORD = `${'not-a-blank-in-the-name-of-this-file/'.repeat(5)}song.flac`

const show = new WallShow('Night', [
  { title: LIST, buttons: [{ title: LONG }, { title: ARABIC }, { title: SHOUT }] },
])
const browser = browserBefore(show)

/** How much of what is in an element hangs out at its side. */
const hangingOut = (element: Locator): Promise<number> =>
  element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

test.each([[1_366, 768], [390, 844]])('at %i x %i', async (width, height) => {
  const context = await browser().newContext({ viewport: { width, height } })
  const wall = await WallPage.open(context, show.url)
  await wall.page.keyboard.press('Backquote')
  await wall.page.keyboard.type('song')
  const title = await wall.page.locator('.found-title').boundingBox()
  const panel = await wall.page.locator('.panel').boundingBox()
  expect(title?.width).toBeGreaterThan((panel?.width ?? 0) / 3)
  expect(await hangingOut(wall.page.locator('.panel-body'))).toBe(0)
  await wall.page.keyboard.press('Escape')

  // Set from its own side, where the sign that something is left out has its place as well.
  const sides = await wall.page.locator('.cell-title', { hasText: 'مرحبا' }).evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const [line] = range.getClientRects()
    return { line: line?.right, box: element.getBoundingClientRect().right }
  })
  expect(sides.line).toBeCloseTo(sides.box, 0)

  await context.route('**/play', (route) =>
    route.fulfill({ status: 409, json: { error: 'no', message: `cannot be read: ${WORD}` } }))
  await wall.button(LONG.slice(0, 20)).click()
  const message = wall.page.locator('.cell-message')
  await message.waitFor()
  expect(await hangingOut(message)).toBe(0)
  expect(wall.errors).toEqual([])
  await context.close()
})

/** Those of names whose first letter is not within their box. */
const cutInFront = (names: Locator): Promise<readonly (string | null)[]> =>
  names.evaluateAll((elements) => elements.filter((element) => {
    const range = document.createRange()
    range.setStart(element.firstChild!, 0)
    range.setEnd(element.firstChild!, 1)
    const letter = range.getBoundingClientRect()
    const box = element.getBoundingClientRect()
    return letter.left < box.left - 1 || letter.right > box.right + 1
  }).map((element) => element.getAttribute('class')))

test('names of the right-to-left begin where they are read, wherever they stand', async () => {
  const context = await browser().newContext({ viewport: { width: 1_100, height: 768 } })
  await context.route('**/show', async (route) => {
    const page = await (await route.fetch()).json() as { playlists: readonly object[] }
    const title = `${ARABIC} ${ARABIC} ${ARABIC}`
    const playlists = page.playlists.map((list) => ({ ...list, title }))
    await route.fulfill({ json: { ...page, title, playlists } })
  })
  const wall = await WallPage.open(context, show.url)
  await wall.page.keyboard.press('Backquote')
  await wall.page.keyboard.type('song')
  await wall.page.locator('.found-list').waitFor()
  const names = wall.page.locator('.show-title span, .page-title, .tab-title, .found-list')
  expect(await names.count()).toBe(4)
  expect(await cutInFront(names)).toEqual([])
  await context.close()
})

test('of a name nothing is cut off above and below, e.g. an accent upon an accent', async () => {
  const context = await browser().newContext({ viewport: { width: 1_600, height: 1_080 } })
  const title = 'ẪỄ ปั๊ ฎุ gj'
  await context.route('**/show', async (route) => {
    const page = await (await route.fetch()).json() as { playlists: readonly ListJson[] }
    const playlists = page.playlists.map((list) =>
      ({ ...list, title, buttons: list.buttons.map((button) => ({ ...button, title })) }))
    await route.fulfill({ json: { ...page, title, playlists } })
  })
  const { page } = await WallPage.open(context, show.url)
  const parts = ['.show-title span', '.page-title', '.tab-title', '.cell-title']
  const cut: string[] = []
  for (const part of parts) {
    const name = page.locator(part).last()
    const { x, y, width, height } = (await name.boundingBox())!
    const clip = { x, y: y - 10, width, height: height + 20 }
    const before = await page.screenshot({ clip })
    await name.evaluate((element) => (element.style.overflow = 'visible'))
    if (!before.equals(await page.screenshot({ clip }))) cut.push(part)
  }
  expect(cut).toEqual([])
  await context.close()
})

test('a name of the right-to-left keeps its own order within a sentence', async () => {
  const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
  const wall = await WallPage.open(context, show.url)
  await show.post(`/buttons/${show.idOf(LONG)}/play`, null)
  await show.post(`/buttons/${show.idOf(SHOUT)}/play`, null)
  const name = wall.page.locator('.end-words', { hasText: 'replaced by' }).getByText(SHOUT)
  await name.waitFor()
  const [first, last] = await name.evaluate((element, places) => places.map((at) => {
    const range = document.createRange()
    range.setStart(element.firstChild!, at)
    range.setEnd(element.firstChild!, at + 1)
    return range.getBoundingClientRect().left
  }), [0, SHOUT.length - 1])
  expect(last).toBeLessThan(first ?? 0)

  await show.post(`/buttons/${show.idOf(ARABIC)}/play`, null)
  await wall.page.locator('.end-words').getByText(ARABIC).waitFor()
  expect(await cutInFront(wall.page.locator('.end-words > * > *'))).toEqual([])
  await wall.page.getByRole('button', { name: `Menu of ${ARABIC}` }).click()
  await wall.page.getByRole('menuitem', { name: 'Play with…' }).click()
  const heading = wall.page.locator('.panel h2')
  expect(await heading.textContent()).toBe(`Play ${ARABIC} with`)
  expect(await hangingOut(heading)).toBe(0)
  expect(await cutInFront(heading.getByText(ARABIC))).toEqual([])
  await show.post('/stop', { fadeOutMs: 0 })
  await context.close()
})

const SIZES: readonly (readonly [number, number])[] =
  [[1_366, 768], [1_024, 768], [820, 1_180], [390, 844]]

const FAULTS = Array.from({ length: 20 }, (_, n) => `playlists[3].buttons[${n}].fadeInMs: must be `
  + `a whole number of milliseconds from 0 to 60000 (button "Tone ${n}")`).join('; ')

test.each([...SIZES, [375, 667] as const, [1_024, 600] as const])(
  'a note about fifty faults leaves what plays in sight at %i x %i', async (width, height) => {
    await show.post(`/buttons/${show.idOf(LONG)}/play`, null)
    const context = await browser().newContext({ viewport: { width, height } })
    await context.route('**/api/v1/status', async (route) => {
      const status = await (await route.fetch()).json() as object
      await route.fulfill({ json: { ...status, showError: `${FAULTS}; and 30 more` } })
    })
    const wall = await WallPage.open(context, show.url)
    await wall.page.getByText('and 48 more').waitFor()
    const first = wall.page.getByText('buttons[0].fadeInMs')
    await first.scrollIntoViewIfNeeded()
    const note = await wall.page.locator('.foot-notes').boundingBox()
    const row = await wall.page.locator('.row').first().boundingBox()
    if (note === null || row === null) throw new Error('it is not drawn')
    const isBelow = note.y >= row.y + row.height
    const isBeside = note.x >= row.x + row.width
    expect(isBelow || isBeside).toBe(true)
    // Each fault begins a line of its own.
    const second = await wall.page.getByText('buttons[1].fadeInMs').boundingBox()
    const box = await first.boundingBox()
    expect(second?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
    await show.post('/stop', { fadeOutMs: 0 })
    await context.close()
  })

test.each(SIZES)('a note at the foot covers no button at %i x %i', async (width, height) => {
  const context = await browser().newContext({ viewport: { width, height } })
  await context.route('**/api/v1/status', async (route) => {
    const answer = await route.fetch()
    const status = await answer.json() as object
    await route.fulfill({ json: { ...status, showError: `media: is not there: ${WORD}` } })
  })
  const wall = await WallPage.open(context, show.url)
  await wall.page.getByRole('button', { name: 'Close' }).waitFor()
  const note = await wall.page.locator('.foot-notes').boundingBox()
  const grid = await wall.page.locator('.grid').boundingBox()
  if (note === null || grid === null) throw new Error('it is not drawn')
  const isBelow = note.y >= grid.y + grid.height
  const isBeside = note.x >= grid.x + grid.width
  expect(isBelow || isBeside).toBe(true)
  expect(note.y + note.height).toBeLessThanOrEqual(height)
  expect(await hangingOut(wall.page.locator('.foot-notes'))).toBe(0)
  await wall.page.getByRole('button', { name: 'Close' }).click()
  await context.close()
})
