// For everyone: axe finds nothing in any state, panel and theme; targets are large enough, the wall
// works at 400 %, in forced colours, and with the letter keys off.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BrowserContext } from 'playwright-core'
import { browserBefore, WallPage, WallShow } from './wall-rig.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const show = new WallShow('For everyone', [
  {
    title: 'All states',
    buttons: [
      { title: 'Plays', allowOverlap: true, color: 'red' },
      { title: 'Waits in pause', allowOverlap: true, color: 'yellow', isLoopEnabled: true },
      { title: 'Fades away', allowOverlap: true, fadeOutMs: 60_000, color: 'blue' },
      { title: 'Is not there', ms: null },
      { title: 'Ends very soon', allowOverlap: true, ms: 9_000 },
      { title: 'A picture', kind: 'image', color: 'green' },
      { title: 'Idle with a title that is much too long for any button that there is on a wall' },
    ],
  },
  { title: 'Empty', buttons: [] },
])
const browser = browserBefore(show)
let context: BrowserContext
let wall: WallPage

beforeEach(async () => {
  await show.post('/stop', { fadeOutMs: 0 })
  context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
  wall = await WallPage.open(context, show.url)
  return () => context.close()
})

/** Every sign of a button that stays long enough to be looked at. */
const inFullSwing = async (): Promise<void> => {
  for (const title of ['Plays', 'Waits in pause', 'Fades away', 'Ends very soon', 'A picture']) {
    await wall.button(title).click()
  }
  for (const title of ['Waits in pause', 'Fades away']) {
    await expect.poll(() => wall.stateOf(title)).toBe('playing')
  }
  await wall.page.waitForTimeout(330)
  await wall.button('Waits in pause').click()
  await wall.button('Fades away').click({ modifiers: ['Shift'] })
  await expect.poll(() => wall.stateOf('Fades away')).toBe('fading_out')
  await expect.poll(() => wall.stateOf('Waits in pause')).toBe('paused')
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}

/** Past the page's policy only as far as a debugger is: scripts of the test itself. */
const violations = async (): Promise<readonly string[]> => {
  const found = await wall.page.evaluate<readonly Violation[]>(
    `${AXE}; axe.run(document, { runOnly: ${JSON.stringify(LEVELS)} }).then((r) => r.violations)`,
  )
  return found.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ target, failureSummary }) =>
      `${String(target)} ${failureSummary ?? ''}`).join(' | ')}`)
}

const setTheme = async (theme: string): Promise<void> => {
  await wall.page.getByRole('button', { name: 'Settings' }).click()
  await wall.page.getByRole('radio', { name: theme }).check()
  await wall.page.keyboard.press('Escape')
}

describe('axe finds nothing', () => {
  test.each(['Dark', 'Dim', 'Light'])('in any state, in the theme %s', async (theme) => {
    await setTheme(theme)
    await inFullSwing()
    expect(await violations()).toEqual([])
  })

  test.each(['Lights', 'Stages', 'Keys', 'Settings', 'Search'])('in the panel %s', async (name) => {
    await wall.page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await wall.page.getByRole('dialog', { name }).waitFor()
    expect(await violations()).toEqual([])
  })

  test('in a menu, in the options, in a refusal and in an empty playlist', async () => {
    await wall.button('Is not there').click()
    await wall.page.locator('.cell-message').waitFor()
    expect(await violations()).toEqual([])
    await wall.page.getByRole('button', { name: 'Menu of Plays' }).click()
    expect(await violations()).toEqual([])
    await wall.page.getByRole('menuitem', { name: 'Play with' }).click()
    expect(await violations()).toEqual([])
    await wall.page.keyboard.press('Escape')
    await wall.tab('Empty').click()
    expect(await violations()).toEqual([])
  })
})

/** WCAG's contrast of two colours, each as r, g, b of 0 to 255. */
const contrast = (a: readonly number[], b: readonly number[]): number => {
  const light = (colour: readonly number[]): number => {
    const [r = 0, g = 0, blue = 0] = colour.map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue
  }
  const [dark = 0, bright = 0] = [light(a), light(b)].toSorted((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

/** Runs in the page: the colour of each text, and every ground that lies under it. */
const colours = (selector: string): { text: number[]; ground: number[]; of: string }[] => {
  const context = document.createElement('canvas').getContext('2d')
  const rgb = (colour: string): number[] => {
    if (context === null) return []
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  return [...document.querySelectorAll(selector)].flatMap((element) => {
    const box = element.closest('.press, .row-box') ?? element
    const colour = rgb(getComputedStyle(element).color)
    const over = [...box.querySelectorAll('.wave-progress, .row-progress')]
    const text = element.getBoundingClientRect()
    const isUnder = (each: Element): boolean => {
      const { top, bottom } = each.getBoundingClientRect()
      return top < text.bottom && bottom > text.top
    }
    const wave = [...box.querySelectorAll('.wave path')].filter(isUnder)
      .map((each) => getComputedStyle(each).fill)
    const grounds = [box, ...over].map((each) => getComputedStyle(each).backgroundColor)
    const own = getComputedStyle(element).backgroundColor
    const under = own.startsWith('rgb(') ? [own] : [...grounds, ...wave]
    return under.map((ground) => ({
      text: colour, ground: rgb(ground), of: `${element.className} ${element.textContent}`,
    }))
  })
}

describe('contrast', () => {
  test.each(['Dark', 'Dim', 'Light'])('of titles and times is 7:1 in %s', async (theme) => {
    await setTheme(theme)
    await inFullSwing()
    const titles = '.cell-title, .row-title, .cell-time.is-counting, .row-time'
    const found = await wall.page.evaluate(colours, titles)
    expect(found.length).toBeGreaterThan(20)
    const low = found
      .map(({ text, ground, of }) => ({ of, text, ground, ratio: contrast(text, ground) }))
      .filter(({ ratio }) => ratio < 7)
    expect(low).toEqual([])
  })
})

test('whatever is pressed is 44 by 44 at least, and panic 120 by 56', async () => {
  await inFullSwing()
  const small = await wall.page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .map((button) => ({ name: button.className, box: button.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ name, box }) => `${name} ${box.width}x${box.height}`))
  expect(small).toEqual([])
  const panic = await wall.panic.boundingBox()
  expect(panic?.width).toBeGreaterThanOrEqual(120)
  expect(panic?.height).toBeGreaterThanOrEqual(56)
})

test('at 400 % nothing is lost: all is there, and nothing hangs out at the side', async () => {
  await wall.page.setViewportSize({ width: 320, height: 256 })
  const out = (): Promise<number> => wall.page.evaluate(() =>
    [...document.querySelectorAll('button, .cell-title')]
      .filter((element) => element.closest('.playlists, .header') === null)
      .map((element) => element.getBoundingClientRect())
      .filter(({ left, right }) => left < 0 || right > innerWidth + 1).length)
  // The page hears of its new size a moment after it has it.
  await expect.poll(out).toBe(0)
  await wall.button('Plays').click()
  await expect.poll(() => wall.stateOf('Plays')).toBe('playing')
  await wall.panic.click()
  await expect.poll(() => wall.page.locator('.panic-told').textContent()).toMatch(/1 fading/)
})

test('forced colours still tell what plays from what waits', async () => {
  await wall.page.emulateMedia({ forcedColors: 'active' })
  await inFullSwing()
  const styles = await Promise.all(
    ['Plays', 'Waits in pause', 'Fades away'].map((title) =>
      wall.button(title).evaluate((element) => getComputedStyle(element).borderTopStyle)))
  expect(new Set(styles).size).toBe(3)
})

test('forced colours show that a press was taken', async () => {
  await wall.page.emulateMedia({ forcedColors: 'active' })
  await wall.page.route('**/play', () => undefined)
  await wall.button('Plays').click()
  const [frame, words] = await wall.page.locator('.was-pressed .press').evaluate((press) =>
    [getComputedStyle(press, '::after').borderTopColor, getComputedStyle(document.body).color])
  expect(frame).toBe(words)
})

test('forced colours tell the playlist that is open from the others', async () => {
  await wall.page.emulateMedia({ forcedColors: 'active' })
  const edge = (title: string): Promise<string> =>
    wall.tab(title).evaluate((tab) => getComputedStyle(tab).borderLeftColor)
  expect(await edge('All states')).not.toBe(await edge('Empty'))
  const ground = await wall.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await edge('Empty')).toBe(ground)
})

test('forced colours draw every sign in the colour of the words beside it', async () => {
  await wall.page.emulateMedia({ forcedColors: 'active' })
  const other = await wall.page.locator('.icon').evaluateAll((icons) =>
    icons.filter((icon) => {
      const around = icon.parentElement
      return around === null || getComputedStyle(icon).fill !== getComputedStyle(around).color
    }).map((icon) => icon.parentElement?.className))
  expect(other).toEqual([])
})

test('forced colours leave the stage black, and what a picture does not fill', async () => {
  await wall.page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  await wall.page.goto(`${show.url}stage`)
  await show.post(`/buttons/${show.idOf('A picture')}/play`, null)
  const picture = wall.page.locator('#screen > img:not(.hidden)')
  await picture.waitFor()
  const grounds = await wall.page.locator('html, body, #screen, #screen > img').evaluateAll(
    (elements) => elements.map((each) => getComputedStyle(each).backgroundColor))
  expect(grounds).toEqual(grounds.map(() => 'rgb(0, 0, 0)'))
})

test('letter keys can be switched off; Esc still panics', async () => {
  await wall.page.getByRole('button', { name: 'Settings' }).click()
  await wall.page.getByRole('checkbox', { name: /Letter and digit keys/ }).uncheck()
  await wall.page.keyboard.press('Escape')
  await wall.page.keyboard.press('Digit1')
  await wall.page.waitForTimeout(300)
  expect(await show.states()).toEqual([])
  await wall.page.keyboard.press('Escape')
  await expect.poll(() => wall.page.locator('.panic-told').textContent()).toBe('Nothing was on')
})

test('Tab reaches panic first, then the playlists, the grid and Now playing', async () => {
  await wall.button('Plays').click()
  await expect.poll(() => wall.stateOf('Plays')).toBe('playing')
  await wall.page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
  })
  const stops: string[] = []
  for (let n = 0; n < 4; n += 1) {
    await wall.page.keyboard.press('Tab')
    stops.push(await wall.page.evaluate(() => document.activeElement?.className ?? ''))
  }
  expect(stops.map((each) => each.split(' ')[0])).toEqual(['panic', 'tab', 'press', 'row-tool'])
})

test('two quick touches on a button zoom nothing, and none lies behind a notch', async () => {
  await inFullSwing()
  await wall.page.getByRole('button', { name: 'Settings' }).click()
  const zooming = await wall.page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((each) => !['none', 'manipulation'].includes(getComputedStyle(each).touchAction))
      .map((button) => button.textContent))
  expect(zooming).toEqual([])
  // Where a page asks for the whole screen, it must leave the room itself.
  const viewport = await wall.page.locator('meta[name="viewport"]').getAttribute('content')
  expect(viewport).toBe('width=device-width, initial-scale=1')
})
