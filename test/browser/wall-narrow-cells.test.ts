// Buttons of 120 px, as of twelve columns on a laptop: what matters is read whole, and what stands
// in one line of them does not lie over its neighbour.
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOOKED_INTO_MS } from '../devices/daemon-rig.js'
import { wavHead } from '../devices/wav-head.js'
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
  {
    title: 'Beds',
    columns: 4,
    buttons: [
      { title: 'Hour', media: 'hour.wav', ms: null, isLoopEnabled: true },
      ...['b', 'c', 'd'].map((title) => ({ title })),
    ],
  },
])
mkdirSync(join(show.folder, 'folder.wav'))
/** Silence of 61 minutes, of which a disk keeps the beginning alone. */
const HOUR = join(show.folder, 'hour.wav')
const FRAMES = 3_660 * 8_000
const FORMAT = { kind: 'integers', sampleBytes: 2, channels: 1, rate: 8_000 } as const
writeFileSync(HOUR, wavHead(FORMAT, FRAMES))
truncateSync(HOUR, wavHead(FORMAT, FRAMES).length + 2 * FRAMES)
const browser = browserBefore(show)

test('caps, signs and warnings of the narrowest buttons have room', async () => {
  const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
  const wall = await WallPage.open(context, show.url)
  // Files are looked into one after the other, beginning once the service has settled.
  const folder = wall.page.locator('.is-missing', { hasText: 'Folder' })
  await folder.waitFor({ timeout: LOOKED_INTO_MS })
  const cells = await wall.page.locator('.cell').evaluateAll((all) => all.map((cell) => {
    const [cap, ...signs] = [...cell.querySelectorAll('.cap, .kind, .more .icon')]
      .map((each) => each.getBoundingClientRect())
    const whole = (selector: string): boolean =>
      [...cell.querySelectorAll(selector)].every((each) => each.scrollWidth <= each.clientWidth)
    return {
      width: Math.round(cell.getBoundingClientRect().width),
      isFree: signs.every(({ left }) => left >= (cap?.right ?? 0)),
      isWhole: whole('.cap') && whole('.state-word'),
      // What has no room is drawn in letters of no size.
      words: [...cell.querySelectorAll<HTMLElement>('.state-word')]
        .filter((word) => getComputedStyle(word).fontSize !== '0px')
        .map(({ innerText }) => innerText).join(),
    }
  }))
  expect(cells.map(({ width }) => width < 130)).not.toContain(false)
  expect(cells.map(({ isFree }) => isFree)).not.toContain(false)
  expect(cells.map(({ isWhole }) => isWhole)).not.toContain(false)
  expect(cells.filter(({ words }) => words.startsWith('missing'))).toHaveLength(4)
  // What is told of the other has no room there, and is told by its press.
  await wall.button('Folder').click()
  await wall.page.getByRole('alert').waitFor()
  await context.close()
})

test('a time of more than an hour covers no word, on a button nor in Now playing', async () => {
  const context = await browser().newContext({ viewport: { width: 1_024, height: 700 } })
  const wall = await WallPage.open(context, show.url)
  await wall.tab('Beds').click()
  await wall.button('Hour').click()
  const time = wall.page.locator('.is-playing .cell-time')
  await expect.poll(() => time.textContent()).toMatch(/^1:0\d:\d\d$/)
  // Where the words end that are seen, and where the digits begin.
  const gaps = await wall.page.evaluate(() => {
    const written = (selector: string): DOMRect => {
      const range = document.createRange()
      range.selectNodeContents(document.querySelector(selector)!)
      return range.getBoundingClientRect()
    }
    return [['.is-playing .state-word', '.is-playing .cell-time'], ['.row-words', '.row-time']]
      .map(([words = '', digits = '']) => {
        const box = document.querySelector(words)!.getBoundingClientRect()
        return written(digits).left - Math.min(box.right, written(words).right)
      })
  })
  expect(gaps.filter((gap) => gap < 0)).toEqual([])
  await context.close()
})
