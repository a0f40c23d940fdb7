// Buttons of 120 px, as of twelve columns on a laptop: what matters is read whole, and what stands
// in one line of them does not lie over its neighbour.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const KEYS = [
  'Numpad7', 'Delete', 'NumpadMultiply', 'Backspace', 'NumpadDivide', 'ScrollLock', 'F12', null,
]
const show = new WallShow('Narrow', [
  {
    title: 'Carts',
    columns: 12,
    buttons: [
      ...KEYS.map((hotkey, n) => ({ title: `Cart ${n}`, hotkey, isLoopEnabled: true })),
      ...[1, 2, 3, 4].map((n) => ({ title: `Gone ${n}`, ms: null })),
      { title: 'Folder', media: 'folder.wav', ms: null },
    ],
  },
])
mkdirSync(join(show.folder, 'folder.wav'))
const browser = browserBefore(show)

test('caps, signs and warnings of the narrowest buttons have room', async () => {
  const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
  const wall = await WallPage.open(context, show.url)
  // Files are looked into one after the other, beginning once the service has settled.
  await wall.page.locator('.is-missing', { hasText: 'Folder' }).waitFor({ timeout: 30_000 })
  const cells = await wall.page.locator('.cell').evaluateAll((all) => all.map((cell) => {
    const [cap, ...signs] = [...cell.querySelectorAll('.cap, .kind, .more .icon')]
      .map((each) => each.getBoundingClientRect())
    const whole = (selector: string): boolean =>
      [...cell.querySelectorAll(selector)].every((each) => each.scrollWidth <= each.clientWidth)
    return {
      width: Math.round(cell.getBoundingClientRect().width),
      isFree: signs.every(({ left }) => left >= (cap?.right ?? 0)),
      isWhole: whole('.cap') && whole('.state-word'),
      words: cell.querySelector<HTMLElement>('.cell-state')?.innerText.trim(),
    }
  }))
  expect(cells.map(({ width }) => width < 130)).not.toContain(false)
  expect(cells.map(({ isFree }) => isFree)).not.toContain(false)
  expect(cells.map(({ isWhole }) => isWhole)).not.toContain(false)
  expect(cells.filter(({ words }) => words?.startsWith('missing'))).toHaveLength(4)
  // What is told of the other has no room there, and is told by its press.
  await wall.button('Folder').click()
  await wall.page.getByRole('alert').waitFor()
  await context.close()
})
