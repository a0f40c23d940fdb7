// A browser that translates pages by itself: the wall's words stay those of what is so now.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Night', [{ title: 'Beds', buttons: [{ title: 'Warm' }] }])
const browser = browserBefore(show)

/** As Chrome does it: each text that may be translated gives its place to another one. */
const translate = (page: Page): Promise<void> => page.evaluate(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
  for (const text of texts.filter(({ parentElement }) => parentElement?.translate === true)) {
    const word = document.createElement('span')
    word.textContent = text.data
    text.replaceWith(word)
  }
})

test('a translation, which would go on saying what was, is not made', async () => {
  const wall = await WallPage.open(await browser().newContext(), show.url)
  await wall.button('Warm').click()
  const words = () => wall.page.locator('.state-word, .row-words').allInnerTexts()
  await expect.poll(words).toEqual(['playing', 'playing'])
  await translate(wall.page)
  await show.post('/stop', { fadeOutMs: 0 })
  await expect.poll(() => wall.stateOf('Warm')).toBe('idle')
  expect(await words()).toEqual([''])
  expect(wall.errors).toEqual([])
})
