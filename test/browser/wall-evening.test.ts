// An evening on the wall, by mouse, by touch and by keyboard alone, while an app drives the same
// daemon: after each step the API says what the wall says.
import { beforeEach, describe, expect, test } from 'vitest'
import { browserBefore, expectAgreement, listOf, WallPage, WallShow } from './wall-rig.js'

const show = new WallShow('Friday quiz', [
  {
    title: 'Beds',
    buttons: [
      { title: 'Walk in', isLoopEnabled: true },
      { title: 'Thinking', pauseWhenReplaced: true, fadeOutMs: 400 },
      { title: 'Tension', pauseWhenReplaced: true },
      { title: 'To the screen', kind: 'navigation', target: listOf(2) },
    ],
  },
  {
    title: 'Screen',
    buttons: [
      { title: 'Logo', kind: 'image' },
      { title: 'Correct', allowOverlap: true, ms: 3_000 },
      { title: 'Gone', ms: null, allowOverlap: true },
      { title: 'Long sting', allowOverlap: true, pressAgain: 'stop', fadeOutMs: 6_000 },
    ],
  },
])
const browser = browserBefore(show)

beforeEach(() => show.post('/stop', { fadeOutMs: 0 }))

/** One way to press a button and to change the playlist. */
interface Hand {
  press(wall: WallPage, title: string): Promise<void>
  panic(wall: WallPage): Promise<void>
  open(wall: WallPage, playlist: string): Promise<void>
}

const MOUSE: Hand = {
  press: (wall, title) => wall.button(title).click(),
  panic: (wall) => wall.panic.click(),
  open: (wall, playlist) => wall.tab(playlist).click(),
}

const FINGER: Hand = {
  press: (wall, title) => wall.button(title).tap(),
  panic: (wall) => wall.panic.tap(),
  open: (wall, playlist) => wall.tab(playlist).tap(),
}

/** The keys of the page's places, as the caps on the buttons say. */
const KEYS: Hand = {
  press: async (wall, title) => {
    const cap = await wall.button(title).locator('.cap').textContent()
    await wall.page.keyboard.press(cap ?? '')
  },
  panic: (wall) => wall.page.keyboard.press('Escape'),
  open: async (wall, playlist) => {
    const isOpen = async (): Promise<boolean> =>
      (await wall.tab(playlist).getAttribute('aria-selected')) === 'true'
    while (!(await isOpen())) await wall.page.keyboard.press('Equal')
  },
}

/** Beyond the guard, as a person's next press is. */
const beat = (wall: WallPage): Promise<void> => wall.page.waitForTimeout(330)

const evening = async (wall: WallPage, hand: Hand): Promise<void> => {
  const is = (title: string, state: string): Promise<void> =>
    expect.poll(() => wall.stateOf(title)).toBe(state)
  await hand.open(wall, 'Beds')
  await hand.press(wall, 'Walk in')
  await is('Walk in', 'playing')
  await expectAgreement(wall, show)
  await hand.press(wall, 'Thinking')
  await is('Thinking', 'playing')
  await is('Walk in', 'idle')
  await expectAgreement(wall, show)
  await beat(wall)
  // The host's app pauses the bed for the question, and resumes it, on the same daemon.
  const id = show.idOf('Thinking')
  const { active } = await show.status()
  const executionId = active.find((each) => each.id === id)?.executionId
  await show.post(`/buttons/${id}/pause`, { executionId, fadeOutMs: 0 })
  await is('Thinking', 'paused')
  await expectAgreement(wall, show)
  await hand.press(wall, 'Thinking')
  await is('Thinking', 'playing')
  const again = (await show.status()).active.find((each) => each.id === id)?.executionId
  expect(again, 'a press resumes the same run').toBe(executionId)
  await beat(wall)
  await hand.press(wall, 'Thinking')
  await is('Thinking', 'paused')
  await expectAgreement(wall, show)
  await hand.press(wall, 'Tension')
  await is('Tension', 'playing')
  await secondList(wall, hand, is)
}

const secondList = async (
  wall: WallPage, hand: Hand, is: (title: string, state: string) => Promise<void>,
): Promise<void> => {
  await hand.press(wall, 'To the screen')
  await is('Logo', 'idle')
  await hand.press(wall, 'Logo')
  await is('Logo', 'shown')
  await hand.press(wall, 'Correct')
  await is('Correct', 'playing')
  await expectAgreement(wall, show)
  await is('Correct', 'idle')
  await expect.poll(() => wall.page.locator('.end').first().textContent())
    .toBe('Correctplayed to its end')
  await hand.press(wall, 'Gone')
  await expect.poll(() => wall.page.locator('.cell-message').count()).toBeGreaterThan(0)
  await hand.press(wall, 'Long sting')
  await is('Long sting', 'playing')
  await beat(wall)
  await hand.press(wall, 'Long sting')
  await is('Long sting', 'fading_out')
  await expectAgreement(wall, show)
  await beat(wall)
  await hand.press(wall, 'Long sting')
  await is('Long sting', 'playing')
  await hand.press(wall, 'Logo')
  await is('Logo', 'idle')
  await hand.panic(wall)
  await expect.poll(() => wall.page.locator('.panic-told').textContent())
    .toMatch(/^\d fading(, \d stopped)?$/)
  await is('Long sting', 'fading_out')
  await expectAgreement(wall, show)
  await hand.panic(wall)
  await is('Long sting', 'idle')
  await expect.poll(() => show.states()).toEqual([])
  await expectAgreement(wall, show)
}

describe('an evening', () => {
  test.each([
    ['by mouse', MOUSE, {}],
    ['by touch', FINGER, { hasTouch: true, viewport: { width: 820, height: 1_180 } }],
    ['by keyboard alone', KEYS, {}],
  ] as const)('%s', async (_what, hand, options) => {
    const context = await browser().newContext({
      viewport: { width: 1_366, height: 768 }, ...options,
    })
    const wall = await WallPage.open(context, show.url)
    await evening(wall, hand)
    const { shifts, violations } = await wall.trouble()
    expect(shifts, 'nothing moves, the whole evening').toEqual([])
    expect(violations).toEqual([])
    expect(wall.errors).toEqual([])
    await context.close()
  })

  test('a press with Shift stops with the saved fade, a right click opens the menu', async () => {
    const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
    const wall = await WallPage.open(context, show.url)
    await wall.button('Thinking').click()
    await expect.poll(() => wall.stateOf('Thinking')).toBe('playing')
    await beat(wall)
    await wall.button('Thinking').click({ modifiers: ['Shift'] })
    await expect.poll(() => wall.stateOf('Thinking')).toBe('fading_out')
    await expect.poll(() => wall.stateOf('Thinking')).toBe('idle')
    await wall.button('Tension').click({ button: 'right' })
    await wall.page.getByRole('menuitem', { name: 'Play', exact: true }).click()
    await expect.poll(() => wall.stateOf('Tension')).toBe('playing')
    await wall.button('Tension').click({ button: 'right' })
    await wall.page.getByRole('menuitem', { name: 'Cut' }).click()
    await expect.poll(() => wall.stateOf('Tension')).toBe('idle')
    await context.close()
  })

  test('search finds a title in all playlists, and gives it the focus', async () => {
    const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
    const wall = await WallPage.open(context, show.url)
    await wall.page.keyboard.press('Backquote')
    await wall.page.keyboard.type('long st')
    await wall.page.keyboard.press('Enter')
    await wall.page.locator('.press:focus', { hasText: 'Long sting' }).waitFor()
    await wall.page.keyboard.press('Enter')
    await expect.poll(() => wall.stateOf('Long sting')).toBe('playing')
    await wall.page.keyboard.press('Escape')
    await expect.poll(() => wall.stateOf('Long sting')).toBe('fading_out')
    await context.close()
  })
})

test('every time that is shown is right to a tenth of a second', async () => {
  const context = await browser().newContext({ viewport: { width: 1_366, height: 768 } })
  const wall = await WallPage.open(context, show.url)
  await wall.button('Tension').click()
  await expect.poll(() => wall.stateOf('Tension')).toBe('playing')
  const { active, audio } = await show.status()
  const executionId = active.find(({ title }) => title === 'Tension')?.executionId ?? ''
  for (let n = 0; n < 10; n += 1) {
    await wall.page.waitForTimeout(137)
    const before = (await run(executionId)).positionMs
    const shown = await wall.page.locator('.row-time').first().textContent()
    const after = (await run(executionId)).positionMs
    const [minutes = '0', seconds = '0'] = (shown ?? '').split(':')
    // What is shown counts whole seconds up, of what is heard.
    const left = (Number(minutes) * 60 + Number(seconds)) * 1_000
    expect(left).toBeGreaterThan(60_000 - (after - audio.latencyMs) - 200)
    expect(left).toBeLessThan(60_000 - (before - audio.latencyMs) + 1_200)
  }
  await show.post('/stop', { fadeOutMs: 0 })
  await context.close()
})

const run = async (executionId: string): Promise<{ positionMs: number }> =>
  (await (await fetch(`${show.baseUrl}/executions/${executionId}`)).json()) as {
    positionMs: number
  }

