// Exactly once: over a line that loses, doubles and delays, 500 presses are 500 commands; what must
// not press does not; and without a daemon nothing is pressed, also afterwards.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext } from 'playwright-core'
import type { RunEvent } from '../../src/contract/schemas.js'
import { launchChromium } from './chromium.js'
import { WallPage, WallShow } from './wall-rig.js'
import { WallProxy, type Fate } from './wall-proxy.js'

const PRESSES = 500
/** Lights start and stop at each press, and cost nothing while they run. */
const LIGHTS = 20
const GUARD_MS = 310

const lights = Array.from({ length: LIGHTS }, (_each, n) => ({
  title: `Light ${String.fromCharCode(65 + n)}`, kind: 'dmx',
  dmx: { timeline: 'light.json', loop: true },
}))
const stings = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((letter) => ({
  title: `Sting ${letter}`, allowOverlap: true, pressAgain: 'restart',
}))
const show = new WallShow('Once', [
  { title: 'Stings', buttons: stings }, { title: 'Lights', buttons: lights },
])
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
  show.writeFile('light.json', TIMELINE)
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

const TIMELINE = readFileSync(join(import.meta.dirname, '../../demo/lights/blink.json'), 'utf8')

/** In the page: a press of each button by a mouse, with the click that a browser adds. */
const pressAll = (): void => {
  for (const element of document.querySelectorAll('.press')) {
    for (const type of ['pointerdown', 'pointerup', 'click']) {
      const init = { bubbles: true, pointerId: 1, button: 0, detail: 1 }
      element.dispatchEvent(new PointerEvent(type, init))
    }
  }
}

const pressed = (): Promise<number> => wall.page.locator('.cell.was-pressed').count()
const lit = (): Promise<number> => wall.page.locator('.cell.is-lit').count()

describe('exactly once', () => {
  test('500 presses over a bad line are 500 commands', { timeout: 120_000 }, async () => {
    const fates: Fate[] = ['lose request', 'lose answer', 'twice', 'slow']
    proxy.fate = (n) => (n % 3 === 0 ? (fates[(n / 3) % fates.length] ?? 'pass') : 'pass')
    await wall.tab('Lights').click()
    const rounds = PRESSES / LIGHTS
    for (let round = 0; round < rounds; round += 1) {
      await wall.page.evaluate(pressAll)
      await wall.page.waitForTimeout(GUARD_MS)
      // A button whose last press has no answer yet takes none, as a person sees.
      await expect.poll(pressed, { timeout: 10_000 }).toBe(0)
      // A press means what the button shows, which is told by another way than its answer.
      await expect.poll(lit).toBe(round % 2 === 0 ? LIGHTS : 0)
    }
    expect(proxy.carriedOut).toBe(PRESSES)
    expect(await wall.page.locator('.cell-message').count()).toBe(0)
    await wall.tab('Stings').click()
  })

  test('two presses within the guard time are one, and that is seen', async () => {
    const wasIgnored = wall.page.locator('.cell.was-ignored')
    // For 150 ms, which a browser that is asked again and again on a busy machine may miss.
    const isSeen = wall.page.evaluate(() => new Promise<void>((seen) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('.cell.was-ignored') === null) return
        observer.disconnect()
        seen()
      })
      observer.observe(document.body, { subtree: true, attributeFilter: ['class'] })
    }))
    await wall.button('Sting A').dblclick()
    await isSeen
    await expect.poll(() => wasIgnored.count()).toBe(0)
    await expect.poll(() => starts.count).toBe(1)
  })

  test('a held key is one press', async () => {
    for (let n = 0; n < 30; n += 1) {
      await wall.page.keyboard.down('Digit3')
      await wall.page.waitForTimeout(33)
    }
    await wall.page.keyboard.up('Digit3')
    await wall.button('Sting B').focus()
    for (let n = 0; n < 30; n += 1) {
      await wall.page.keyboard.down('Enter')
      await wall.page.waitForTimeout(33)
    }
    await wall.page.keyboard.up('Enter')
    // As it comes up a browser makes a click of it.
    await wall.page.keyboard.down('Space')
    await wall.page.waitForTimeout(500)
    await wall.page.keyboard.up('Space')
    await wall.page.waitForTimeout(300)
    expect(starts.count).toBe(3)
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
    const touchPoints = boxes.map((box, id) => ({
      x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 60, id,
    }))
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(() => starts.count).toBe(2)
  })

  test('a finger that is drawn off its button and let go presses nothing, where it acts then',
    async () => {
      const letGo = async (isSet: boolean): Promise<void> => {
        await wall.page.getByRole('button', { name: 'Settings' }).click()
        await wall.page.getByRole('checkbox', { name: /let go/ }).setChecked(isSet)
        await wall.page.keyboard.press('Escape')
      }
      await letGo(true)
      const session = await context.newCDPSession(wall.page)
      const box = await wall.button('Sting A').boundingBox()
      const x = (box?.x ?? 0) + 40
      for (const [type, y] of [['touchStart', (box?.y ?? 0) + 60], ['touchMove', 20]] as const) {
        await session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
      }
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await wall.page.waitForTimeout(400)
      expect(starts.count).toBe(0)
      await wall.button('Sting C').tap()
      await expect.poll(() => starts.count).toBe(1)
      await letGo(false)
    })
})
