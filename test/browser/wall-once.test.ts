// Exactly once: over a line that loses, doubles and delays, 500 presses are 500 commands; what must
// not press does not; and without a daemon nothing is pressed, also afterwards.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext } from 'playwright-core'
import type { RunEvent } from '../../src/contract/schemas.js'
import { launchChromium, WallPage, WallShow } from './wall-rig.js'
import { WallProxy, type Fate } from './wall-proxy.js'

const BUTTONS = 20
const PRESSES = 500

const stings = Array.from({ length: BUTTONS }, (_each, n) => ({
  title: `Sting ${String.fromCharCode(65 + n)}`, ms: 20_000, allowOverlap: true,
  pressAgain: 'restart',
}))
const show = new WallShow('Once', [{ title: 'Stings', buttons: stings }])
let browser: Browser
let proxy: WallProxy
let context: BrowserContext
let wall: WallPage

/** Every run that the daemon started, counted from its event stream. */
class Starts {
  count = 0
  readonly #over = new AbortController()

  async listen(): Promise<void> {
    const { body } = await fetch(`${show.baseUrl}/events`, { signal: this.#over.signal })
    void this.#read(body as ReadableStream<Uint8Array<ArrayBuffer>>).catch(() => undefined)
  }

  end(): void {
    this.#over.abort()
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let text = ''
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += value
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines.filter((each) => each.startsWith('data: {'))) {
        const data = JSON.parse(line.slice(6)) as Partial<RunEvent>
        if (data.state === 'starting' && data.cause === 'command') this.count += 1
      }
    }
  }
}

beforeAll(async () => {
  browser = await launchChromium()
  await show.start()
  proxy = await WallProxy.open(show.port)
  context = await browser.newContext({ viewport: { width: 1_366, height: 768 }, hasTouch: true })
  wall = await WallPage.open(context, proxy.url)
})

afterAll(async () => {
  await browser.close()
  proxy.close()
  await show.clean()
})

let starts: Starts

beforeEach(async () => {
  proxy.fate = () => 'pass'
  await show.post('/stop', { fadeOutMs: 0 })
  await expect.poll(() => wall.rows()).toEqual([])
  starts = new Starts()
  await starts.listen()
  return () => starts.end()
})

const pressed = (): Promise<number> => wall.page.locator('.cell.was-pressed').count()

describe('exactly once', () => {
  test('500 presses over a bad line are 500 commands', { timeout: 120_000 }, async () => {
    const fates: Fate[] = ['lose request', 'lose answer', 'twice', 'slow']
    proxy.fate = (n) => (n % 3 === 0 ? (fates[(n / 3) % fates.length] ?? 'pass') : 'pass')
    const at = await Promise.all(
      stings.map(async ({ title }) => {
        const box = await wall.button(title).boundingBox()
        return { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 60 }
      }),
    )
    for (let round = 0; round < PRESSES / BUTTONS; round += 1) {
      for (const { x, y } of at) {
        await wall.page.mouse.move(x, y)
        await wall.page.mouse.down()
        await wall.page.mouse.up()
      }
      // A press of a button whose last one has no answer yet is not taken: wait as a person sees it.
      await expect.poll(pressed, { timeout: 10_000 }).toBe(0)
    }
    await expect.poll(() => starts.count).toBe(PRESSES)
    expect(await wall.page.locator('.cell-message').count()).toBe(0)
  })

  test('two presses within the guard time are one, and the second is seen as not taken', async () => {
    const box = await wall.button('Sting A').boundingBox()
    await wall.page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 60)
    await wall.page.mouse.down()
    await wall.page.mouse.up()
    await wall.page.mouse.down()
    const wasIgnored = wall.page.locator('.cell.was-ignored')
    await wasIgnored.waitFor()
    await wall.page.mouse.up()
    await expect.poll(() => wasIgnored.count()).toBe(0)
    await expect.poll(() => starts.count).toBe(1)
  })

  test('a held key is one press', async () => {
    for (let n = 0; n < 30; n += 1) {
      await wall.page.keyboard.down('KeyQ')
      await wall.page.waitForTimeout(33)
    }
    await wall.page.keyboard.up('KeyQ')
    await wall.button('Sting B').focus()
    for (let n = 0; n < 30; n += 1) {
      await wall.page.keyboard.down('Enter')
      await wall.page.waitForTimeout(33)
    }
    await wall.page.keyboard.up('Enter')
    await wall.page.keyboard.press('Space')
    await expect.poll(() => starts.count).toBe(3)
  })

  test('a touch and the click that follows it are one press, a click alone is one', async () => {
    await wall.button('Sting C').tap()
    await wall.page.waitForTimeout(700)
    expect(starts.count).toBe(1)
    await wall.button('Sting D').evaluate((element: HTMLElement) => element.click())
    await expect.poll(() => starts.count).toBe(2)
  })

  test('a long press opens nothing and presses once', async () => {
    const session = await context.newCDPSession(wall.page)
    const box = await wall.button('Sting E').boundingBox()
    const point = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 60 }
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    await wall.page.waitForTimeout(1_200)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(() => starts.count).toBe(1)
    expect(await wall.page.locator('.menu').count()).toBe(0)
  })

  test('two fingers at once are two presses', async () => {
    const session = await context.newCDPSession(wall.page)
    const boxes = await Promise.all(
      ['Sting F', 'Sting G'].map((title) => wall.button(title).boundingBox()))
    const touchPoints = boxes.map((box, id) => ({ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 60, id }))
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(() => starts.count).toBe(2)
  })
})
